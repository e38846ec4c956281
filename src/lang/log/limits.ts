/** What one query text may hold. Each has its own diagnostic, so that nothing is cut silently. */
export interface LogLimits {
  /** Length of the text in bytes of UTF-8. */
  readonly textBytes: number
  /** Nesting of parentheses, subqueries included. */
  readonly depth: number
  /** Filters, all levels and subqueries together. */
  readonly terms: number
  /** Pipes, all subqueries together. */
  readonly pipes: number
  /** Names in lists of fields, all pipes together. */
  readonly fields: number
  /** Length of one regular expression, wildcard or text pattern, in UTF-16 units. */
  readonly patternLength: number
  /** After so many errors the rest of the text is not read. */
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
