import { Instant, JsonText } from '../../data/index.ts'

/** Result for a field that cannot be read alone. The caller must convert the whole object with `rowOfObject`. */
export const OPAQUE: unique symbol = Symbol('opaque')

/**
 * Maximum number of dots in a field name. Each dot doubles the number of ways in which nested objects can produce the
 * name.
 */
const MAX_DOTS = 4

export type PlainObject = Readonly<Record<string, unknown>>

/** True if an object is no instance of a class and has no attribute maps, whose members become fields of the row. */
export function isPlain(object: unknown): object is PlainObject {
  if (typeof object !== 'object' || object === null) return false
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) return false
  // Written without a loop, because constant property names are looked up much faster than variable ones.
  return !(
    'string_attributes' in object ||
    'float_attributes' in object ||
    'int_attributes' in object ||
    'bool_attributes' in object
  )
}

function isNested(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Date || value instanceof Instant || value instanceof JsonText)
  )
}

/** Reads one field of plain objects, without making their rows. The value is that of the flattened row. */
export class FieldReader {
  readonly #name: string
  /** For each dot of the name: the member before the dot, and a reader for the name after it. */
  readonly #splits: readonly { readonly outer: string; readonly inner: FieldReader }[]
  readonly #isOpaque: boolean

  constructor(name: string) {
    this.#name = name
    const dots = Array.from(name.matchAll(/\./g), ({ index }) => index)
    this.#isOpaque = dots.length > MAX_DOTS || name in Object.prototype
    this.#splits = this.#isOpaque
      ? []
      : dots.map((dot) => ({ outer: name.slice(0, dot), inner: new FieldReader(name.slice(dot + 1)) }))
  }

  /**
   * Returns the member; `undefined` if there is none. Returns `OPAQUE` for arrays, objects, and names that the object
   * has in two ways.
   */
  read(object: PlainObject): unknown {
    if (this.#isOpaque) return OPAQUE
    let found: unknown = object[this.#name] ?? undefined
    if (isNested(found)) return OPAQUE
    for (const { outer, inner } of this.#splits) {
      const member = object[outer]
      if (!isNested(member)) continue
      const value = isPlain(member) && !('toJSON' in member) ? inner.read(member) : OPAQUE
      if (value === undefined) continue
      if (value === OPAQUE || found !== undefined) return OPAQUE
      found = value
    }
    return found
  }
}

/**
 * Adds the field names of a plain object in the order of its flattened row. Returns false if the names can only be
 * determined by making the row.
 */
export function addFieldNames(object: PlainObject, names: Set<string>, prefix = '', depth = 0): boolean {
  for (const key of Object.keys(object)) {
    const member = object[key]
    if (member === undefined || member === null) continue
    const name = prefix + key
    if (!isNested(member)) names.add(name)
    else if (depth === MAX_DOTS || !isPlain(member) || 'toJSON' in member) return false
    else if (!addFieldNames(member, names, `${name}.`, depth + 1)) return false
  }
  return true
}
