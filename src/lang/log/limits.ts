/** Limits of one query text. Each has a diagnostic of its own, so that nothing is cut silently. */
export interface LogLimits {
  /** Length of the text, UTF-8 bytes. */
  readonly textBytes: number
  /** Nesting of parentheses, subqueries included. */
  readonly depth: number
  /** Filters at all levels, subqueries included. */
  readonly terms: number
  /** Pipes, subqueries included. */
  readonly pipes: number
  /** Names in lists of fields of all pipes. */
  readonly fields: number
  /** Length of a regular expression, wildcard or text pattern, UTF-16 units. */
  readonly patternLength: number
  /** Number of errors after which parsing stops. */
  readonly errors: number
}

export const defaultLogLimits: LogLimits = {
  textBytes: 65_536,
  depth: 128,
  terms: 4_096,
  pipes: 64,
  fields: 1_024,
  patternLength: 1_024,
  errors: 20,
}
