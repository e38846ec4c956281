/** Limits on one query text. A text that exceeds a limit gets a diagnostic; no part of a query is dropped silently. */
export interface LogLimits {
  /** Maximum length of the text, UTF-8 bytes. */
  readonly textBytes: number
  /** Maximum nesting depth of parentheses, subqueries included. */
  readonly depth: number
  /** Maximum number of filters at all levels, subqueries included. */
  readonly terms: number
  /** Maximum number of pipes, subqueries included. */
  readonly pipes: number
  /** Maximum number of names in the field lists of all pipes. */
  readonly fields: number
  /** Maximum length of a regular expression, wildcard or text pattern, UTF-16 units. */
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
