/** A parameter together with its value, as grammar rules receive it. */
export interface BoundParameter {
  readonly name: string
  /** Value of the parameter as strings: one, or all items of a list. */
  readonly texts: readonly string[]
  readonly isList: boolean
  /** True if the value is a string or time; such a value stays a string even if it looks like a number. */
  readonly isText: boolean
}
