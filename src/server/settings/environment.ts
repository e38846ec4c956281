/** Clock of a server. */
export interface Clock {
  /** Returns the current time, Unix ms. */
  nowMs(): number
}

/** Structured log. `fields` never contain a key or a request body. */
export interface Logger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** A query that exceeded the threshold of the slow-query log. */
export interface SlowQuery {
  /** Name of the operation, as in the API description. */
  readonly route: string
  /** Text of the query, at most 500 characters. */
  readonly query: string
  readonly seconds: number
  /** Number of stored rows that the query read, if known. */
  readonly rowsRead: number | undefined
  readonly status: number
  /** Public id of the key. */
  readonly keyId: string | undefined
  readonly traceId: string
}

/** Receives queries that took at least `overMs`. */
export interface SlowQueryLog {
  /** Threshold for the time from the request to the end of the answer, ms. */
  readonly overMs: number
  readonly report: (query: SlowQuery) => void
}
