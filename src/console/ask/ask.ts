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

/** Ends a question early, and receives what arrives before its answer. */
export interface Asking<Event = never> {
  readonly signal: AbortSignal
  readonly onEvent: (event: Event) => void
}

/**
 * Requests that a source of data answers; the source is a server, or an engine over files in the page. Methods reject with `AskError`. Rows
 * stay in the thread of the source; a page asks for those that it shows.
 */
export interface Source {
  /** Who is signed in; rejects with `signed-out` if nobody is. */
  session(): Promise<Session>
  signIn(credentials: Credentials): Promise<Session>
  signOut(): Promise<void>
  /** Selects the backend of all later questions. */
  useBackend(request: { readonly id: string }): Promise<void>
  /** Runs a query and keeps its rows under the number `answer`, until `drop`. */
  query(request: QueryRequest & { readonly answer: number }, asking: Asking<QueryState>): Promise<QueryState>
  rows(request: RowsRequest): Promise<readonly ShownRow[]>
  /** One value, or a part of it. */
  value(request: ValueRequest): Promise<ShownValue>
  drop(request: { readonly answer: number }): Promise<void>
  export(request: ExportRequest): Promise<Blob>
  /** Builds the tree of an answer whose rows are the spans of one trace. */
  trace(request: { readonly answer: number }): Promise<Trace>
  /** List entries for some spans of such an answer. */
  spans(request: SpansRequest): Promise<readonly SpanLabel[]>
  hits(request: HitsRequest, asking: Asking): Promise<Hits>
  names(request: FoundRequest, asking: Asking): Promise<readonly FieldCount[]>
  values(request: ValuesRequest, asking: Asking): Promise<readonly FieldCount[]>
  facets(request: FoundRequest & { readonly limit: number }, asking: Asking): Promise<readonly Facet[]>
  explain(request: ExplainRequest, asking: Asking): Promise<Explained>
  /** Sends rows as they arrive until it is cancelled. */
  tail(request: TailRequest, asking: Asking<TailMessage>): Promise<void>
  /** Any other request of the server's API. A source without a server rejects. */
  json(request: JsonRequest, asking: Asking): Promise<JsonAnswer>
  /** Reads files into the page; rows can be queried while they are read. A server as source rejects. */
  load(request: { readonly files: readonly File[] }, asking: Asking<LoadState>): Promise<LoadState>
}

export type SourceMethod = keyof Source
