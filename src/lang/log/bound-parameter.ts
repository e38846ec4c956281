/** A parameter together with its value, as grammar rules receive it. */
export interface BoundParameter {
  readonly name: string
  /** Value of the parameter as strings: all items of a list, or the one value. */
  readonly texts: readonly string[]
  readonly isList: boolean
  /** True if the value is a string or a time, which is never parsed as a number. */
  readonly isText: boolean
}
