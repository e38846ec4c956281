/** Default size of an answer, bytes of UTF-8: about 4,000 tokens of a language model. */
export const ANSWER_BYTES = 12_000

/** Minimum size of an answer, bytes: its frame needs up to 1,000, one shortened field with its handle up to 2,200. */
export const MIN_ANSWER_BYTES = 4000

/** Maximum size of an answer that a caller can request, bytes. No model reads more at once. */
export const MAX_ANSWER_BYTES = 1_000_000

/**
 * Maximum length of a value in a list of rows, UTF-16 units: enough for a log line and the beginning of a stack trace.
 */
export const VALUE_CHARS = 500

/**
 * Maximum length of a value in a list of rows as JSON, bytes. A UTF-16 unit takes up to three bytes, a control
 * character six.
 */
export const VALUE_BYTES = 1500

/** Maximum length of a field name, UTF-16 units. Longer names are likely data that was stored as a name. */
export const NAME_CHARS = 128

/** Maximum length of a field name as JSON, bytes. */
export const NAME_BYTES = 400

/** Default number of steps of a count over time or a metric range; chosen so that all steps fit in one answer. */
export const TIME_STEPS = 60

/** Limits of one tool call. */
export interface Ceilings {
  /** Maximum number of rows, or samples of a metric query, that a call reads. Checked by an estimate before the run. */
  readonly rows: number
  /** Maximum number of bytes that a call reads from storage and receives. */
  readonly bytes: number
  /** Maximum time from the start of a call to the last byte that it reads, ms. */
  readonly ms: number
}

export const defaultCeilings: Ceilings = {
  rows: 100_000_000,
  bytes: 256 * 1024 * 1024,
  ms: 30_000,
}
