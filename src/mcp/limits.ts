/** Bytes of UTF-8 of an answer unless the caller requests more: about 4,000 tokens of a language model. */
export const ANSWER_BYTES = 12_000

/** Least bytes of an answer: its frame needs up to 1,000, one shortened field with its announcement up to 2,200. */
export const MIN_ANSWER_BYTES = 4000

/** Most bytes of an answer that a caller can request: larger ones no model reads in one piece. */
export const MAX_ANSWER_BYTES = 1_000_000

/** UTF-16 units of a value in a list of rows: a log line is shown whole, a stack trace by its beginning. */
export const VALUE_CHARS = 500

/** Bytes of such a value as JSON: characters take up to three, control characters six. */
export const VALUE_BYTES = 1500

/** UTF-16 units of the name of a field; longer ones are data in the place of a name. */
export const NAME_CHARS = 128

/** Bytes of such a name as JSON. */
export const NAME_BYTES = 400

/** Steps of a count over time or of a range of metrics, unless the caller names a step: as many as a list shows. */
export const TIME_STEPS = 60

/** The most that one call may read. */
export interface Ceilings {
  /** Rows in the range that a call reads, or samples of a metric query, by the estimate before the run. */
  readonly rows: number
  /** Bytes that a call reads from storage and receives. */
  readonly bytes: number
  /** Time of a call from its start to the last byte that it reads, ms. */
  readonly ms: number
}

export const defaultCeilings: Ceilings = {
  rows: 100_000_000,
  bytes: 256 * 1024 * 1024,
  ms: 30_000,
}
