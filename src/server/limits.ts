/** Every bound of the HTTP shim with its default. */
export interface ServerLimits {
  readonly bodyBytes: number
  /** One body of an ingest route, after unpacking. */
  readonly ingestBodyBytes: number
  /** All bodies of ingest routes that are being read or stored; more are refused with 503. */
  readonly ingestBytes: number
  /** Rows of an answer that are not groups; more are cut, and a header says so. Streams are not cut. */
  readonly answerRows: number
  /** One answer as a whole, before it is sent. */
  readonly answerBytes: number
  /** All answers that are being built or sent. */
  readonly answersBytes: number
  /** Queries that run at the same time. */
  readonly runningQueries: number
  /** Queries that wait for their turn; further ones are refused. */
  readonly waitingQueries: number
  /** Running and waiting queries of one key. */
  readonly queriesPerKey: number
  readonly waitMs: number
  readonly headersMs: number
  readonly bodyMs: number
  readonly idleMs: number
  readonly headerBytes: number
  readonly connections: number
  /** What a stop waits for requests in work before it cuts them. */
  readonly drainMs: number
}

export const defaultServerLimits: ServerLimits = {
  bodyBytes: 1024 * 1024,
  ingestBodyBytes: 64 * 1024 * 1024,
  ingestBytes: 256 * 1024 * 1024,
  answerRows: 10_000,
  answerBytes: 64 * 1024 * 1024,
  answersBytes: 256 * 1024 * 1024,
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
