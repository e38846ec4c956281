import { Option, type Command } from 'commander'
import { CommandError, SluiceError, at, headerOf, isError, nowhere, type Diagnostic } from '../../base/index.ts'
import type { ErrorResponse } from '../../wire/index.ts'
import { tellDiagnostics } from '../diagnostics-output.ts'
import { needing } from '../options/conditions.ts'
import type { Terminal } from '../terminal.ts'

export const keyHelp = 'API key (default: the environment variable SLUICE_API_KEY)'

/** The server that a command queries instead of files. */
export interface ServerArguments {
  readonly server?: string | undefined
  readonly key?: string | undefined
}

/** Adds `--server` and `--key` to a command that otherwise reads files. */
export function serverOptions(command: Command): Command {
  return command
    .option('--server <url>', 'query a running server, such as http://localhost:7400, instead of files')
    .addOption(needing(new Option('--key <key>', keyHelp), '--server'))
}

/** Throws CommandError if files, or one of the options in `others`, are given together with `--server`. */
export function checkAlone(files: readonly string[], others: Readonly<Record<string, unknown>>): void {
  const given = Object.entries(others).find(([, value]) => value !== undefined && value !== false)
  const other = files.length > 0 ? 'files' : given?.[0]
  if (other !== undefined) throw new CommandError(`Either --server or ${other} can be given, not both.`)
}

export interface ServerRequest {
  readonly path: string
  readonly key: string | undefined
  /** Id of the backend, for a server that has several. */
  readonly backend: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Body of a POST; without one the request is a GET. */
  readonly body?: string | URLSearchParams
}

/** Returns the URL of an API path. A proxy may serve Sluice below a path of its own, which the URL keeps. */
function addressOf(server: string, path: string): URL {
  const base = URL.canParse(server) ? new URL(server) : undefined
  if (base?.protocol !== 'http:' && base?.protocol !== 'https:')
    throw new CommandError(`--server is a URL such as http://localhost:7400, not \`${server}\`.`)
  if (!base.pathname.endsWith('/')) base.pathname += '/'
  return new URL(`.${path}`, base)
}

/** Builds a request to a server. Throws CommandError if its address is not a URL. */
export function requestTo(server: string, { path, key, backend, headers, body }: ServerRequest): Request {
  const address = addressOf(server, path)
  const all: Record<string, string> = { ...headers }
  if (key !== undefined) all['Authorization'] = `Bearer ${key}`
  if (backend !== undefined) all['X-Backend-Id'] = headerOf(backend)
  return new Request(address, { headers: all, ...(body === undefined ? {} : { method: 'POST', body }) })
}

/**
 * Returns the response if its status is 200. Otherwise throws CommandError; errors in the query `text` are printed at
 * their position.
 */
export async function checked(response: Response, terminal: Terminal, text?: string): Promise<Response> {
  if (response.status === 200) return response
  const body = await response.text()
  let message = body.slice(0, 500)
  try {
    const fault = JSON.parse(body) as Partial<ErrorResponse> & { readonly error?: string }
    const found = fault.details?.diagnostics.map(diagnosticOf) ?? []
    if (text !== undefined && found.some(({ origin }) => origin !== nowhere)) {
      tellDiagnostics(found.filter(isError), text, terminal)
      throw new CommandError('', 1)
    }
    message = fault.message ?? fault.error ?? message
  } catch (error) {
    // The body is not JSON, so the response comes from something other than Sluice.
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new CommandError(`${response.status}: ${message}`, 1)
}

function diagnosticOf(sent: ErrorResponse['details']['diagnostics'][number]): Diagnostic {
  const { code, severity, message, span, notes = [], fixes = [] } = sent
  return {
    code,
    severity,
    message,
    origin: span === undefined ? nowhere : at(span),
    notes,
    fixes: fixes.map(({ title, isSafe, edits }) => ({
      title,
      isSafe,
      edits: edits.map(({ start, end, text }) => ({ span: { start, end }, text })),
    })),
    data: {},
  }
}

/** Runs `work`, which reads from a server. Throws CommandError after an interrupt or if the connection fails. */
export async function readFrom<T>(server: string, terminal: Terminal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (terminal.signal.aborted) throw new CommandError('', 130)
    if (error instanceof SluiceError || !(error instanceof TypeError)) throw error
    const cause = error.cause instanceof Error ? error.cause.message : error.message
    throw new CommandError(`${new URL(server).origin} does not answer: ${cause}`, 1)
  }
}

/**
 * Sends a request and returns the response with status 200. Throws CommandError; errors in the query `text` are printed
 * at their position.
 */
export async function askServer(
  server: string,
  request: ServerRequest,
  terminal: Terminal,
  { signal = terminal.signal, text }: { readonly signal?: AbortSignal; readonly text?: string } = {},
): Promise<Response> {
  const asked = requestTo(server, { ...request, key: request.key ?? terminal.env['SLUICE_API_KEY'] })
  const response = await readFrom(server, terminal, () => fetch(asked, { signal }))
  return checked(response, terminal, text)
}
