/** A parameter with its value, for grammar rules. */
export interface BoundParameter {
  readonly name: string
  /** One string, or those of a list. */
  readonly texts: readonly string[]
  readonly isList: boolean
  /** True for a string or time, even if it looks like a number. */
  readonly isText: boolean
}
