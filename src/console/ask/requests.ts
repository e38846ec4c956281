/**
 * Requests and answers of the data source, which is a server or an engine in the page. All of them can be posted
 * between threads.
 */

/** Kinds of rows that can be searched. */
export const domains = ['logs', 'events', 'traces'] as const
export type Domain = (typeof domains)[number]

export type Dialect = 'native' | 'logsql'

/** Languages of queries over logs. In LogQL a source answers only queries and hits. */
export type LogLanguage = Dialect | 'logql'

export type QueryLanguage = LogLanguage | 'traceql'

export function isDialect(language: QueryLanguage): language is Dialect {
  return language === 'native' || language === 'logsql'
}

/** LogQL query for all entries. LogQL allows no empty selector, and every entry has this label. */
export const EVERY_ENTRY = '{service_name=~".+"}'

/** Returns the query that an empty text stands for. */
export function everyRow(language: LogLanguage): string {
  return isDialect(language) ? '*' : EVERY_ENTRY
}

/** A range of time in milliseconds since 1970; the end is excluded. */
export interface TimeRange {
  readonly startMs: number
  readonly endMs: number
}

export interface QueryRequest {
  readonly domain: Domain
  readonly query: string
  readonly range: TimeRange
  readonly dialect: LogLanguage
  /** Maximum number of rows that are read. */
  readonly maxRows: number
}

/** Selects the rows that the filters of a query match. Pipes that group, limit or sort are ignored. */
export interface FoundRequest {
  readonly domain: Domain
  readonly query: string
  readonly range: TimeRange
  readonly dialect: LogLanguage
}

/** A span of a query text, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface TextEdit extends Span {
  readonly text: string
}

export interface Fix {
  readonly title: string
  readonly edits: readonly TextEdit[]
}

export interface Diagnostic {
  readonly code: string
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
  /** JSON path in the request body, such as `$.model.queries[0].expression`. */
  readonly path?: string | undefined
  readonly span?: Span | undefined
  readonly notes: readonly string[]
  readonly fixes: readonly Fix[]
}

/**
 * Reason why a request failed. `kind` decides what the page offers next; `stale` means that the edited version has been
 * replaced meanwhile.
 */
export interface AskFailure {
  readonly kind: 'query' | 'signed-out' | 'forbidden' | 'unreachable' | 'busy' | 'stale' | 'cancelled' | 'other'
  readonly message: string
  readonly diagnostics: readonly Diagnostic[]
  /** Id of the request in the server's log. */
  readonly traceId?: string | undefined
}

/** Progress of a running query, or the result of a finished one. */
export interface QueryState {
  readonly rows: number
  /** Field names in order of first occurrence. */
  readonly fields: readonly string[]
  /** Bytes received so far. */
  readonly bytes: number
  readonly elapsedMs: number
  readonly isDone: boolean
  /** True if reading stopped at `maxRows` although there may be more rows. */
  readonly isCut: boolean
  readonly advice: readonly string[]
}

/** A value of a row as text. */
export interface ShownValue {
  readonly name: string
  readonly text: string
  readonly type: 'text' | 'number' | 'boolean' | 'null' | 'json'
  /** Length of the whole value, UTF-16 units; set if `text` is only its beginning. */
  readonly wholeLength?: number | undefined
}

export type ShownRow = readonly ShownValue[]

export interface RowsRequest {
  readonly answer: number
  readonly from: number
  readonly to: number
  /** Maximum length of a value, UTF-16 units; longer ones are cut. */
  readonly maxChars: number
  /** Names of the fields to send. Default: all. */
  readonly fields?: readonly string[] | undefined
}

export interface ValueRequest {
  readonly answer: number
  readonly row: number
  readonly field: string
  /** Range of the value's text to send, UTF-16 units. Default: all. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export interface Hits {
  readonly stepMs: number
  readonly timesMs: readonly number[]
  readonly total: number
  readonly groups: readonly { readonly name: string; readonly hits: readonly number[]; readonly total: number }[]
}

export interface HitsRequest extends FoundRequest {
  readonly stepMs: number
  /** The answer also has counts for each of the most frequent values of this field. */
  readonly field?: string | undefined
}

export interface FieldCount {
  readonly name: string
  readonly hits: number
}

export interface Facet {
  readonly name: string
  readonly values: readonly { readonly value: string; readonly hits: number }[]
}

export interface ValuesRequest extends FoundRequest {
  readonly field: string
  readonly contains?: string | undefined
  readonly limit: number
}

/** A node of a query plan. `measured` is set if the query was run. */
export interface PlanNode {
  readonly kind: string
  readonly label: string
  readonly owner: string
  readonly notes: readonly string[]
  readonly estimateRows?: number | undefined
  readonly measured?:
    | { readonly rows: number; readonly milliseconds: number; readonly counters: Readonly<Record<string, number>> }
    | undefined
  readonly inputs: readonly PlanNode[]
}

export interface Explained {
  readonly tree: PlanNode
  readonly warnings: readonly Diagnostic[]
}

export interface ExplainRequest extends FoundRequest {
  /** True to run the query, so that the plan nodes have measurements. */
  readonly analyze: boolean
}

export interface TailRequest {
  readonly query: string
  readonly dialect: Dialect
}

export interface TailMessage {
  readonly rows: readonly ShownRow[]
  /** Number of rows dropped because the page read them too slowly. */
  readonly dropped: number
}

export interface ExportRequest {
  readonly answer: number
  readonly format: 'ndjson' | 'csv'
}

/** Credentials of a new console session. */
export type Credentials = { readonly key: string } | { readonly code: string }

export interface Session {
  /** `server`: the data are on a server. `files`: the engine in the page has them. */
  readonly source: 'server' | 'files'
  readonly user: string
  readonly backends: readonly string[]
  readonly roles: readonly string[]
  readonly isScoped: boolean
  readonly version: string
  readonly features: readonly string[]
}

/** Progress of reading files into the page. */
export interface LoadState {
  readonly bytes: number
  readonly totalBytes: number
  readonly rows: number
  readonly badLines: number
  /** Messages about the parts that could not be read. */
  readonly notices: readonly string[]
  readonly isDone: boolean
  /** Range of the rows' times so far; `undefined` without rows. */
  readonly range: TimeRange | undefined
}

export interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface JsonAnswer {
  readonly status: number
  readonly etag: string | undefined
  readonly body: unknown
}
