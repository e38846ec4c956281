import { AskError } from '../../ask/ask-error.ts'
import type { AskFailure, Diagnostic } from '../../ask/requests.ts'

/** Request header against cross-site request forgery: pages of other sites cannot send it with the session cookie. */
const OWN_REQUEST = 'X-Sluice-Console'

export interface ServerCall {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** A diagnostic as the server sends it, where empty lists are left out. */
export type SentDiagnostic = Omit<Diagnostic, 'notes' | 'fixes'> & Partial<Pick<Diagnostic, 'notes' | 'fixes'>>

export function wholeDiagnostic(sent: SentDiagnostic): Diagnostic {
  return { ...sent, notes: sent.notes ?? [], fixes: sent.fixes ?? [] }
}

interface ErrorBody {
  readonly message?: string
  readonly details?: { readonly diagnostics?: readonly SentDiagnostic[] }
  readonly trace_id?: string
}

const kinds: ReadonlyMap<number, AskFailure['kind']> = new Map([
  [400, 'query'],
  [401, 'signed-out'],
  [403, 'forbidden'],
  [412, 'stale'],
  [422, 'query'],
  [429, 'busy'],
  [503, 'busy'],
  [507, 'busy'],
])

/** Maximum length of a plain-text error that is shown, UTF-16 units. */
const MAX_REASON = 500

async function failureOf(response: Response): Promise<AskFailure> {
  const text = await response.text()
  let body: ErrorBody = {}
  try {
    body = JSON.parse(text) as ErrorBody
  } catch {
    // Not JSON: paths of other products' APIs answer errors in plain text, and a proxy in any format.
    if (response.headers.get('Content-Type')?.startsWith('text/plain') === true && text.trim() !== '')
      body = { message: text.trim().slice(0, MAX_REASON) }
  }
  return {
    kind: kinds.get(response.status) ?? 'other',
    message: body.message ?? `The server answered with status ${response.status}.`,
    diagnostics: (body.details?.diagnostics ?? []).map(wholeDiagnostic),
    traceId: body.trace_id,
  }
}

/** Sends the requests of the console to its server. */
export class ServerCalls {
  /** Id of the selected backend, sent as `X-Backend-Id`; `undefined` if there is only one backend. */
  backend: string | undefined

  /** Sends a request. Resolves with any status; rejects if the server cannot be reached. */
  async send(path: string, { method = 'POST', body, headers = {}, signal }: ServerCall): Promise<Response> {
    const isText = typeof body === 'string'
    try {
      return await fetch(path, {
        method,
        credentials: 'same-origin',
        headers: {
          [OWN_REQUEST]: '1',
          ...(this.backend === undefined ? {} : { 'X-Backend-Id': this.backend }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      })
    } catch (error) {
      if (signal?.aborted === true) throw error
      const message = 'The server does not answer. Your query is kept; try again when it is back.'
      throw new AskError({ kind: 'unreachable', message, diagnostics: [] })
    }
  }

  /** Sends a request. Rejects with AskError if the status is 400 or higher. */
  async answer(path: string, call: ServerCall): Promise<Response> {
    const response = await this.send(path, call)
    if (!response.ok) throw new AskError(await failureOf(response))
    return response
  }

  async json<T>(path: string, call: ServerCall): Promise<T> {
    const response = await this.answer(path, call)
    return (await response.json()) as T
  }
}
