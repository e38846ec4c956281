import type {
  Credentials,
  Explained,
  ExplainRequest,
  ExportRequest,
  Facet,
  FieldCount,
  FoundRequest,
  Hits,
  HitsRequest,
  JsonAnswer,
  JsonRequest,
  LoadState,
  QueryRequest,
  QueryState,
  RowsRequest,
  Session,
  ShownRow,
  ShownValue,
  ValueRequest,
  TailMessage,
  TailRequest,
  ValuesRequest,
} from './requests.ts'
import type { SpanLabel, SpansRequest, Trace } from './traces.ts'

/** Options of a request: a signal that cancels it, and a callback for events before the answer. */
export interface Asking<Event = never> {
  readonly signal: AbortSignal
  readonly onEvent: (event: Event) => void
}

/**
 * Requests that a data source answers. The source is a server, or an engine over files in the page. Methods reject with
 * `AskError`. Rows stay in the worker thread; the page requests those that it shows.
 */
export interface Source {
  /** Returns the signed-in user; rejects with `signed-out` if there is none. */
  session(): Promise<Session>
  signIn(credentials: Credentials): Promise<Session>
  signOut(): Promise<void>
  /** Selects the backend of all later requests. */
  useBackend(request: { readonly id: string }): Promise<void>
  /** Runs a query. Its rows are kept under the number `answer` until `drop`. */
  query(request: QueryRequest & { readonly answer: number }, asking: Asking<QueryState>): Promise<QueryState>
  rows(request: RowsRequest): Promise<readonly ShownRow[]>
  /** Returns a value of a row, or a part of the value. */
  value(request: ValueRequest): Promise<ShownValue>
  drop(request: { readonly answer: number }): Promise<void>
  export(request: ExportRequest): Promise<Blob>
  /** Builds the span tree of a kept answer whose rows are the spans of a single trace. */
  trace(request: { readonly answer: number }): Promise<Trace>
  /** Returns names, services and other labels of some spans of an answer for which `trace` has built the tree. */
  spans(request: SpansRequest): Promise<readonly SpanLabel[]>
  hits(request: HitsRequest, asking: Asking): Promise<Hits>
  names(request: FoundRequest, asking: Asking): Promise<readonly FieldCount[]>
  values(request: ValuesRequest, asking: Asking): Promise<readonly FieldCount[]>
  facets(request: FoundRequest & { readonly limit: number }, asking: Asking): Promise<readonly Facet[]>
  explain(request: ExplainRequest, asking: Asking): Promise<Explained>
  /** Sends rows as they arrive until the request is cancelled. */
  tail(request: TailRequest, asking: Asking<TailMessage>): Promise<void>
  /** Sends any other request to the server's API. Rejects if the source is not a server. */
  json(request: JsonRequest, asking: Asking): Promise<JsonAnswer>
  /** Reads files into the page; their rows can be queried meanwhile. Rejects if the source is a server. */
  load(request: { readonly files: readonly File[] }, asking: Asking<LoadState>): Promise<LoadState>
}

export type SourceMethod = keyof Source
