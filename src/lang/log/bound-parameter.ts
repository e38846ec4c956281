/** A parameter with its value, as the rules of the grammar read it. */
export interface BoundParameter {
  readonly name: string
  /** One, or those of a list. */
  readonly texts: readonly string[]
  readonly isList: boolean
  /** A text or a time: no number, though it may read like one. */
  readonly isText: boolean
}
