/** How a field shows and reads its value. */
export type FieldKind =
  | 'text'
  | 'lines'
  | 'query'
  | 'number'
  | 'boolean'
  | 'word'
  | 'texts'
  | 'numbers'
  | 'map'
  | 'value'
  | 'json'

/** One member of a definition. */
export type MemberSpec = FieldSpec | ObjectSpec | ListSpec

interface CommonSpec {
  /** Name of the member, as the definition spells it. */
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** Shown only after a click, unless it has a value. */
  readonly isRare?: boolean
}

export interface FieldSpec extends CommonSpec {
  readonly kind: FieldKind
  /** The words of `word`. A value that is none of them is offered too. */
  readonly options?: readonly string[]
  /** The default. */
  readonly initial?: string
  /** Takes the whole width of the form. */
  readonly isWide?: boolean
}

export interface ObjectSpec extends CommonSpec {
  readonly kind: 'object'
  /** Its members stand among those around it, without a frame. */
  readonly isPlain?: boolean
  /** A function, so that a shape can contain itself. */
  readonly members: () => readonly MemberSpec[]
}

export interface ListSpec extends CommonSpec {
  readonly kind: 'list'
  /** Name of one item, such as `Query`. */
  readonly itemLabel: string
  /** Each item is one line of fields. */
  readonly isRow?: boolean
  readonly members: () => readonly MemberSpec[]
  /** A new item. */
  readonly create?: () => Readonly<Record<string, string | readonly number[]>>
}
