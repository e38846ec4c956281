/** Limits of a server: sizes in bytes, times in ms. A request that exceeds a limit gets an error that names it. */
export interface ServerLimits {
  /** Maximum size of a request body, except on ingest routes. */
  readonly bodyBytes: number
  /** Maximum size of an ingest body, decompressed. */
  readonly ingestBodyBytes: number
  /** Maximum size of all ingest bodies that are being read or stored; a further body gets 503. */
  readonly ingestBytes: number
  /** Maximum number of series of a backend. Samples of further series are rejected; existing series are kept. */
  readonly series: number
  /**
   * Maximum number of rows in an answer, unless rows are groups. Further rows are cut, and a header reports the cut.
   * Streams are not cut.
   */
  readonly answerRows: number
  /** Maximum size of an answer that is built before it is sent. */
  readonly answerBytes: number
  /** Maximum size of all answers that are being built or sent. */
  readonly answersBytes: number
  /** Maximum time of a query from its start to the end of its answer. A metric query may request less. */
  readonly queryMs: number
  /** Maximum memory of a query. Default: its share of a worker's memory; without workers, the engine's limit. */
  readonly queryBytes?: number | undefined
  /** Maximum number of running queries. */
  readonly runningQueries: number
  /** Maximum number of queued queries; a further query is rejected. */
  readonly waitingQueries: number
  /** Maximum number of running and queued queries of a key. */
  readonly queriesPerKey: number
  /** Maximum time in the queue before a query gets 503. */
  readonly waitMs: number
  /** Maximum time for receiving the headers of a request. After this time the connection is closed. */
  readonly headersMs: number
  /**
   * Maximum time for receiving a whole request; then the connection is closed. A body that is stored in parts may take
   * longer while no pause exceeds `idleMs`.
   */
  readonly bodyMs: number
  /** Time for which a connection without a request stays open. */
  readonly idleMs: number
  /** Maximum size of all headers of a request. */
  readonly headerBytes: number
  /** Maximum number of open connections; a further connection is closed at once. */
  readonly connections: number
  /** Maximum time for requests in flight when the server stops. */
  readonly drainMs: number
  /**
   * True to derive service and level labels for logs that arrive through Loki's API. Not a limit, but passed to workers
   * together with the limits.
   */
  readonly discoversLabels: boolean
}

/** Returns the share of a limit that one key may take: 3/4, at least one. */
export const shareOfKey = (limit: number): number => Math.max(1, Math.ceil(limit * 0.75))

/** Limits of a server without `limits` in its options. */
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

/**
 * Returns the limits of a server. Limits of bodies, answers and queries follow from its memory, unless they are in
 * `given`.
 */
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
