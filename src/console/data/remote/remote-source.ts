import { AskError } from '../../ask/ask-error.ts'
import type { Source } from '../../ask/ask.ts'
import type {
  Domain,
  Explained,
  Facet,
  FieldCount,
  FoundRequest,
  Hits,
  LogLanguage,
  PlanNode,
  QueryState,
  Session,
  TailMessage,
} from '../../ask/requests.ts'
import { KeptRows, ROWS_WITH_KNOWN_FIELDS, StateTeller } from '../kept-rows.ts'
import { LineRows } from '../line-rows.ts'
import { namesOf, textOfJson } from '../shown-row.ts'
import { rowsOfMessage } from './tail-message.ts'
import { hitsOfLogql, queryLogql, type LogqlRequest } from './loki-answers.ts'
import { eventData } from './event-stream.ts'
import { ServerCalls, wholeDiagnostic, type ServerCall, type SentDiagnostic } from './server-calls.ts'

const searchPaths: Readonly<Record<Domain, string>> = {
  logs: '/api/logs/v2/search',
  events: '/api/k8s/v2/events/search',
  traces: '/api/traces/v2/search',
}

function withDialect(path: string, dialect: LogLanguage): string {
  return dialect === 'native' ? path : `${path}?dialect=${dialect}`
}

function bodyOf({ query, range }: Pick<FoundRequest, 'query' | 'range'>) {
  return {
    query,
    start: new Date(range.startMs).toISOString(),
    end: new Date(range.endMs).toISOString(),
  }
}

function found({ domain, ...request }: FoundRequest) {
  return { domain, ...bodyOf(request) }
}

function adviceOf(headers: Headers): readonly string[] {
  const advice = headers.get('X-Query-Advice')
  return advice === null ? [] : (JSON.parse(advice) as readonly string[])
}

interface SessionBody {
  readonly user?: string
  readonly key?: string
  readonly backends?: readonly string[]
  readonly roles?: readonly string[]
  readonly isScoped?: boolean
  readonly version?: string
  readonly features?: readonly string[]
}

function sessionOf({ user, key = '', ...body }: SessionBody): Session {
  const { backends = [], roles = [], isScoped = false, version = '', features = [] } = body
  return { source: 'server', user: user ?? key, backends, roles, isScoped, version, features }
}

interface HitsBody {
  readonly timestamps: readonly string[]
  readonly total: number
  readonly groups: readonly {
    readonly value?: unknown
    readonly isRest?: boolean
    readonly total: number
    readonly hits: readonly number[]
  }[]
}

interface ValuesBody {
  readonly values: readonly { readonly value: unknown; readonly hits: number }[]
}

/** Answers requests from the server that sent the page. */
export class RemoteSource implements Source {
  readonly #calls = new ServerCalls()
  readonly #kept = new KeptRows()

  async session(): Promise<Session> {
    return this.#signedIn(await this.#calls.json<SessionBody>('/api/session', { method: 'GET' }))
  }

  async signIn(credentials: Parameters<Source['signIn']>[0]): Promise<Session> {
    // The next user may have access to other backends.
    this.#calls.backend = undefined
    const call: ServerCall =
      'key' in credentials
        ? { headers: { Authorization: `Bearer ${credentials.key}` }, body: {} }
        : { body: { code: credentials.code } }
    await this.#calls.answer('/api/session', call)
    return this.session()
  }

  async signOut(): Promise<void> {
    await this.#calls.answer('/api/session', { method: 'DELETE' })
    this.#calls.backend = undefined
  }

  useBackend({ id }: { readonly id: string }): Promise<void> {
    this.#calls.backend = id
    return Promise.resolve()
  }

  #signedIn(body: SessionBody): Session {
    const session = sessionOf(body)
    const [first] = session.backends
    const chosen = this.#calls.backend
    const isKnown = chosen !== undefined && session.backends.includes(chosen)
    if (!isKnown) this.#calls.backend = session.backends.length > 1 ? first : undefined
    return session
  }

  readonly query: Source['query'] = async ({ answer, domain, dialect, maxRows, ...request }, { signal, onEvent }) => {
    if (dialect === 'logql') return this.#queryLogql({ answer, maxRows, ...request }, signal)
    const rows = new LineRows()
    this.#kept.keep(answer, rows)
    const teller = new StateTeller(onEvent)
    const response = await this.#calls.answer(withDialect(searchPaths[domain], dialect), {
      headers: { Accept: 'application/x-ndjson' },
      body: { ...bodyOf(request), enableStream: true },
      signal,
    })
    let bytes = 0
    let isCut = false
    let met = 0
    const meet = (): void => {
      for (; met < Math.min(rows.count, ROWS_WITH_KNOWN_FIELDS); met++) teller.meet(namesOf(rows.line(met)))
    }
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      rows.append(chunk)
      meet()
      isCut = rows.count > maxRows
      // Leaving the loop cancels the request.
      if (isCut) break
      teller.tell(rows.count, bytes)
    }
    if (isCut) rows.cut(maxRows)
    else rows.end()
    meet()
    checkLastLine(rows)
    return teller.state(rows.count, bytes, { isDone: true, isCut, advice: adviceOf(response.headers) })
  }

  async #queryLogql(
    { answer, ...request }: LogqlRequest & { readonly answer: number },
    signal: AbortSignal,
  ): Promise<QueryState> {
    const rows = new LineRows()
    this.#kept.keep(answer, rows)
    const teller = new StateTeller(() => undefined)
    const { lines, bytes, isCut } = await queryLogql(this.#calls, request, signal)
    rows.append(new TextEncoder().encode(`${lines.join('\n')}\n`))
    for (const line of lines.slice(0, ROWS_WITH_KNOWN_FIELDS)) teller.meet(namesOf(line))
    return teller.state(rows.count, bytes, { isDone: true, isCut, advice: [] })
  }

  readonly rows: Source['rows'] = (request) => Promise.resolve(this.#kept.rows(request))
  readonly value: Source['value'] = (request) => Promise.resolve(this.#kept.value(request))
  readonly drop: Source['drop'] = (request) => Promise.resolve(this.#kept.drop(request))
  readonly export: Source['export'] = (request) => Promise.resolve(this.#kept.export(request))
  readonly trace: Source['trace'] = (request) => Promise.resolve(this.#kept.trace(request))
  readonly spans: Source['spans'] = (request) => Promise.resolve(this.#kept.spans(request))

  readonly hits: Source['hits'] = async ({ stepMs, field, dialect, ...request }, { signal }): Promise<Hits> => {
    if (dialect === 'logql') return hitsOfLogql(this.#calls, request, signal)
    const body = { ...found({ ...request, dialect }), step: `${stepMs}ms`, ...(field === undefined ? {} : { field }) }
    const answer = await this.#calls.json<HitsBody>(withDialect('/api/hits', dialect), { body, signal })
    return {
      stepMs,
      timesMs: answer.timestamps.map((text) => Date.parse(text)),
      total: answer.total,
      groups: answer.groups.map(({ value, isRest, total, hits }) => ({
        name: isRest === true ? 'others' : textOfJson(value ?? ''),
        total,
        hits,
      })),
    }
  }

  readonly names: Source['names'] = async (request, { signal }): Promise<readonly FieldCount[]> => {
    const { names } = await this.#calls.json<{ readonly names: readonly FieldCount[] }>(
      withDialect('/api/fields/names', request.dialect),
      { body: found(request), signal },
    )
    return names
  }

  readonly values: Source['values'] = async (
    { field, contains, limit, ...request },
    { signal },
  ): Promise<readonly FieldCount[]> => {
    const body = { ...found(request), field, limit, ...(contains === undefined ? {} : { contains }) }
    const path = withDialect('/api/fields/values', request.dialect)
    const { values } = await this.#calls.json<ValuesBody>(path, { body, signal })
    return values.map(({ value, hits }) => ({ name: textOfJson(value), hits }))
  }

  readonly facets: Source['facets'] = async ({ limit, ...request }, { signal }): Promise<readonly Facet[]> => {
    const { facets } = await this.#calls.json<{ readonly facets: readonly (ValuesBody & { readonly name: string })[] }>(
      withDialect('/api/fields/facets', request.dialect),
      { body: { ...found(request), limit }, signal },
    )
    return facets.map(({ name, values }) => ({
      name,
      values: values.map(({ value, hits }) => ({ value: textOfJson(value), hits })),
    }))
  }

  readonly explain: Source['explain'] = async ({ analyze, ...request }, { signal }): Promise<Explained> => {
    const path = withDialect('/api/explain', request.dialect)
    const { tree, warnings } = await this.#calls.json<{
      readonly tree: PlanNode
      readonly warnings: readonly SentDiagnostic[]
    }>(path, { body: { ...found(request), analyze }, signal })
    return { tree, warnings: warnings.map(wholeDiagnostic) }
  }

  readonly tail: Source['tail'] = async ({ query, dialect }, { signal, onEvent }): Promise<void> => {
    const search = new URLSearchParams({ query, ...(dialect === 'native' ? {} : { dialect }) })
    const headers = { Accept: 'text/event-stream' }
    const response = await this.#calls.answer(`/api/logs/tail?${search}`, { method: 'GET', headers, signal })
    if (response.body === null) return
    for await (const data of eventData(response.body)) {
      const message: TailMessage | undefined = rowsOfMessage(data)
      if (message !== undefined) onEvent(message)
    }
    if (signal.aborted) return
    const message = 'The server has ended the stream of new rows.'
    throw new AskError({ kind: 'unreachable', message, diagnostics: [] })
  }

  readonly json: Source['json'] = async ({ method, path, body, headers }, { signal }) => {
    const response = await this.#calls.answer(path, { method, body, headers, signal })
    const text = await response.text()
    const isJson = response.headers.get('Content-Type')?.includes('json') === true
    const etag = response.headers.get('ETag') ?? undefined
    return { status: response.status, etag, body: isJson && text !== '' ? JSON.parse(text) : text }
  }

  readonly load: Source['load'] = () => {
    const message = 'A server has the data here; open the console over files to read files.'
    throw new AskError({ kind: 'other', message, diagnostics: [] })
  }
}

/** Throws AskError if the last line has only an error: the server ends a stream that broke off with such a line. */
function checkLastLine(rows: LineRows): void {
  if (rows.count === 0) return
  const line = rows.line(rows.count - 1)
  if (!line.startsWith('{"error":')) return
  const { error } = JSON.parse(line) as { readonly error: { readonly message?: string; readonly code?: string } }
  if (typeof error.message !== 'string' || typeof error.code !== 'string') return
  rows.cut(rows.count - 1)
  throw new AskError({ kind: 'other', message: error.message, diagnostics: [] })
}
