/** Kind of a field, which decides how a value is displayed and parsed. */
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

/** Specification of a member of a definition. */
export type MemberSpec = FieldSpec | ObjectSpec | ListSpec

interface CommonSpec {
  /** Name of the member in the definition. */
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** True if the member is hidden behind a button unless it has a value. */
  readonly isRare?: boolean
}

export interface FieldSpec extends CommonSpec {
  readonly kind: FieldKind
  /** Values that a field of the kind `word` offers. The current value is offered too. */
  readonly options?: readonly string[]
  /** Default value of the field. */
  readonly initial?: string
  /** True if the field spans the whole width of the form. */
  readonly isWide?: boolean
}

export interface ObjectSpec extends CommonSpec {
  readonly kind: 'object'
  /** True if the object is shown without a frame, among the surrounding members. */
  readonly isPlain?: boolean
  /** Returns the members. It is a function, so that a specification can contain itself. */
  readonly members: () => readonly MemberSpec[]
}

export interface ListSpec extends CommonSpec {
  readonly kind: 'list'
  /** Name of one item, such as `Query`. */
  readonly itemLabel: string
  /** True if each item is one line of fields. */
  readonly isRow?: boolean
  readonly members: () => readonly MemberSpec[]
  /** Returns a new item. */
  readonly create?: () => Readonly<Record<string, string | readonly number[]>>
}
