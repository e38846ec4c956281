/** Limits of a server: sizes in bytes, times in ms. Exceeding one is refused with an error that names it. */
export interface ServerLimits {
  /** Body of a request that is not an ingest route. */
  readonly bodyBytes: number
  /** Body of an ingest route, decompressed. */
  readonly ingestBodyBytes: number
  /** All ingest bodies that are being read or stored; further ones get 503. */
  readonly ingestBytes: number
  /** Series of one backend; samples of further series are refused, stored ones are kept. */
  readonly series: number
  /** Rows of an answer that are not groups; further ones are cut, and a header says so. Streams are not cut. */
  readonly answerRows: number
  /** Bytes of one answer before it is sent. */
  readonly answerBytes: number
  /** All answers that are being built or sent. */
  readonly answersBytes: number
  /** Time of a query from its start to the end of its answer; a metric query may request less. */
  readonly queryMs: number
  /** Memory of a query. Default: its share of its worker's memory, or the engine's limit without workers. */
  readonly queryBytes?: number | undefined
  /** Running queries. */
  readonly runningQueries: number
  /** Queued queries; further ones are refused. */
  readonly waitingQueries: number
  /** Running and queued queries of one key. */
  readonly queriesPerKey: number
  /** Time in the queue before a query is refused with 503. */
  readonly waitMs: number
  /** Time for all headers of a request; then the connection is closed. */
  readonly headersMs: number
  /**
   * Time for a whole request; then the connection is closed. A body in parts may take longer while data arrives within
   * `idleMs`.
   */
  readonly bodyMs: number
  /** Time that a connection without a request stays open. */
  readonly idleMs: number
  /** All headers of a request. */
  readonly headerBytes: number
  /** Open connections; further ones are closed at once. */
  readonly connections: number
  /** Time for requests in flight when the server stops. */
  readonly drainMs: number
  /** True if logs sent as to Loki get their service and level as labels. No limit, but workers need it with them. */
  readonly discoversLabels: boolean
}

/** Share of a limit that one key may take: 3/4, at least one. */
export const shareOfKey = (limit: number): number => Math.max(1, Math.ceil(limit * 0.75))

/** The limits of a server that sets none. */
export const defaultServerLimits: ServerLimits = {
  bodyBytes: 1024 * 1024,
  ingestBodyBytes: 64 * 1024 * 1024,
  ingestBytes: 256 * 1024 * 1024,
  series: 1_000_000,
  answerRows: 10_000,
  answerBytes: 64 * 1024 * 1024,
  answersBytes: 256 * 1024 * 1024,
  queryMs: 60_000,
  runningQueries: 16,
  waitingQueries: 256,
  queriesPerKey: 64,
  waitMs: 10_000,
  headersMs: 10_000,
  bodyMs: 30_000,
  idleMs: 60_000,
  headerBytes: 16 * 1024,
  connections: 10_000,
  drainMs: 10_000,
  discoversLabels: true,
}

/** Limits of a server; those of bodies, answers and queries follow from its memory unless `given`. */
export function limitsWithin(
  { bodies, answers, queryBytes }: { bodies: number; answers: number; queryBytes: number | undefined },
  given: Partial<ServerLimits> = {},
): ServerLimits {
  const { ingestBodyBytes, answerBytes } = defaultServerLimits
  return {
    ...defaultServerLimits,
    ingestBytes: bodies,
    ingestBodyBytes: Math.min(ingestBodyBytes, shareOfKey(given.ingestBytes ?? bodies)),
    answersBytes: answers,
    answerBytes: Math.min(answerBytes, shareOfKey(given.answersBytes ?? answers)),
    queryBytes,
    ...given,
  }
}
