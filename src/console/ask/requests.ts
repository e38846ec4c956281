/**
 * The questions that the console asks and their answers. A server and an engine in the page answer the same questions;
 * everything here can be sent between threads.
 */

/** Kinds of rows that can be searched. */
export const domains = ['logs', 'events', 'traces'] as const
export type Domain = (typeof domains)[number]

export type Dialect = 'native' | 'logsql'

/** Languages of queries: the dialects of the log language, and TraceQL. */
export type QueryLanguage = Dialect | 'traceql'

export function isDialect(language: QueryLanguage): language is Dialect {
  return language === 'native' || language === 'logsql'
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
  readonly dialect: Dialect
  /** Reading stops after this number of rows. */
  readonly maxRows: number
}

/** The rows that a query finds, whatever its pipes that group, cut or sort rows. */
export interface FoundRequest {
  readonly domain: Domain
  readonly query: string
  readonly range: TimeRange
  readonly dialect: Dialect
}

/** A place in a query text, in UTF-16 units. */
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
  /** Where in the body of a request, such as `$.model.queries[0].expression`. */
  readonly path?: string | undefined
  readonly span?: Span | undefined
  readonly notes: readonly string[]
  readonly fixes: readonly Fix[]
}

/**
 * Why a question has no answer. `kind` selects what the page offers next; `stale`: it was about a version that has
 * changed.
 */
export interface AskFailure {
  readonly kind: 'query' | 'signed-out' | 'forbidden' | 'unreachable' | 'busy' | 'stale' | 'cancelled' | 'other'
  readonly message: string
  readonly diagnostics: readonly Diagnostic[]
  /** Id of the request in the log of the server. */
  readonly traceId?: string | undefined
}

/** The state of a running or finished query. */
export interface QueryState {
  readonly rows: number
  /** Names of fields in the order in which rows had them. */
  readonly fields: readonly string[]
  /** Bytes of the answer so far. */
  readonly bytes: number
  readonly elapsedMs: number
  readonly isDone: boolean
  /** Whether reading stopped at `maxRows` although there may be more. */
  readonly isCut: boolean
  readonly advice: readonly string[]
}

/** One value of a row as text. */
export interface ShownValue {
  readonly name: string
  readonly text: string
  readonly type: 'text' | 'number' | 'boolean' | 'null' | 'json'
  /** Length of the whole text in UTF-16 units, if `text` is only its beginning. */
  readonly wholeLength?: number | undefined
}

export type ShownRow = readonly ShownValue[]

export interface RowsRequest {
  readonly answer: number
  readonly from: number
  readonly to: number
  /** Longer values are cut to this number of UTF-16 units. */
  readonly maxChars: number
  /** Only these fields are sent. Default: all. */
  readonly fields?: readonly string[] | undefined
}

export interface ValueRequest {
  readonly answer: number
  readonly row: number
  readonly field: string
  /** The part of the text, in UTF-16 units. Default: all. */
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
  /** One group for each of its most frequent values. */
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

/** One step of a plan. `measured` is there after a run. */
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
  /** Whether the query runs, so that the steps have measures. */
  readonly analyze: boolean
}

export interface TailRequest {
  readonly query: string
  readonly dialect: Dialect
}

export interface TailMessage {
  readonly rows: readonly ShownRow[]
  /** Rows that were left out since the page was too slow. */
  readonly dropped: number
}

export interface ExportRequest {
  readonly answer: number
  readonly format: 'ndjson' | 'csv'
}

/** Credentials of a new console session. */
export type Credentials = { readonly key: string } | { readonly code: string }

export interface Session {
  /** `server`: asks a server. `files`: the engine of the page has the rows. */
  readonly source: 'server' | 'files'
  readonly user: string
  readonly backends: readonly string[]
  readonly roles: readonly string[]
  readonly isScoped: boolean
  readonly version: string
  readonly features: readonly string[]
}

export interface LoadedFile {
  readonly name: string
  readonly bytes: number
}

/** The state of reading files into the page. */
export interface LoadState {
  readonly bytes: number
  readonly totalBytes: number
  readonly rows: number
  readonly badLines: number
  /** The parts that could not be read, in plain words. */
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
