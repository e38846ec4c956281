/** The bounds of a server. Sizes are bytes, times milliseconds; what exceeds one is refused with an error that names it. */
export interface ServerLimits {
  /** The body of a request that is not an ingest route. */
  readonly bodyBytes: number
  /** One body of an ingest route, after unpacking. */
  readonly ingestBodyBytes: number
  /** All bodies of ingest routes that are being read or stored; more are refused with 503. */
  readonly ingestBytes: number
  /** Series of one backend; samples of new ones beyond it are refused, what a folder has already comes back. */
  readonly series: number
  /** Rows of an answer that are not groups; more are cut, and a header says so. Streams are not cut. */
  readonly answerRows: number
  /** One answer as a whole, before it is sent. */
  readonly answerBytes: number
  /** All answers that are being built or sent. */
  readonly answersBytes: number
  /** What a query may take from its turn to the end of its answer; a metric query may ask for less. */
  readonly queryMs: number
  /** What a query may hold; its part of the memory of its worker unless given, or what its engine allows where there are no workers. */
  readonly queryBytes?: number | undefined
  /** Queries that run at the same time. */
  readonly runningQueries: number
  /** Queries that wait for their turn; further ones are refused. */
  readonly waitingQueries: number
  /** Running and waiting queries of one key. */
  readonly queriesPerKey: number
  /** How long a query waits for its turn before it is refused with 503. */
  readonly waitMs: number
  /** Until all headers of a request have come; then the connection is closed. */
  readonly headersMs: number
  /** Until the whole of a request has come; then the connection is closed. A body that comes in parts may last until nothing comes for `idleMs`. */
  readonly bodyMs: number
  /** How long a connection without a request is kept. */
  readonly idleMs: number
  /** All headers of a request together. */
  readonly headerBytes: number
  /** Open connections; more are closed at once. */
  readonly connections: number
  /** What a stop waits for requests in work before it cuts them. */
  readonly drainMs: number
}

/** What one key may take of a limit that all keys share: three parts of four, one of them at least. */
export const shareOfKey = (limit: number): number => Math.max(1, Math.ceil(limit * 0.75))

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
}

/** The limits of a server, of which those of bodies, answers and queries follow from its memory unless `given`. */
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
