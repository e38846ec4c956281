import { NAME_BYTES, NAME_CHARS, VALUE_BYTES, VALUE_CHARS } from './limits.ts'
import { start, type Position } from './handle.ts'

/** A row of an answer: its fields in order. */
export type Row = Readonly<Record<string, unknown>>

/** Something that was left out, with a handle to request it. */
export interface Cut {
  /** Size of the shown part, such as `500 of 7340032 characters`. */
  readonly shown: string
  readonly handle: string
}

/** Last character of a shortened value or name. */
const MARK = '…'

/** Maximum size of one entry of `cut`, bytes. */
const CUT_BYTES = 160

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/**
 * Returns the end of a substring that begins at `from`: at most `chars` UTF-16 units and `bytes` of JSON, without
 * splitting a surrogate pair.
 */
function endOf(text: string, from: number, chars: number, bytes: number): number {
  const whole = (end: number): number => {
    const isHalf = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end - 1 > from
    return isHalf ? end - 1 : end
  }
  let low = Math.min(from + 1, text.length)
  let high = Math.min(text.length, from + chars, from + bytes)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (jsonBytes(text.slice(from, middle)) <= bytes) low = middle
    else high = middle - 1
  }
  return Math.max(whole(low), Math.min(from + 1, text.length))
}

/** Returns the text of a value to which offsets in handles refer: the string itself, or its JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns an empty row without prototype, since a field may be called `__proto__`. */
function emptyRow(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}

/** Returns the number of UTF-16 units of a field name that are shown. */
function nameEndOf(name: string): number {
  return endOf(name, 0, NAME_CHARS, NAME_BYTES)
}

/**
 * Returns a field name, shortened if it is long. A shortened name ends with the index of the field, so that two long
 * names with the same beginning stay distinct.
 */
function shortName(name: string, field: number, end = nameEndOf(name)): string {
  return end < name.length ? name.slice(0, end) + MARK + field : name
}

interface FittedMembers {
  readonly members: Record<string, unknown>
  readonly cuts: Cut[]
  bytes: number
}

/**
 * Fills an answer with rows until its bytes are used up. Everything left out gets an entry in `cut` with a handle: each
 * shortened value or name, each row that was cut, and the remaining rows.
 */
export class Window {
  readonly data: object[] = []
  readonly cuts: Cut[] = []
  readonly #from: Position
  readonly #print: (position: Position) => string
  #left: number

  /** `bytes` is the maximum size of rows and `cut` entries together. */
  constructor(from: Position, bytes: number, print: (position: Position) => string) {
    this.#from = from
    this.#print = print
    this.#left = bytes - CUT_BYTES
  }

  /** True if the answer continues a row whose beginning was in an earlier answer. */
  get isInsideRow(): boolean {
    const { field, char, isName } = this.#from
    return field > 0 || char > 0 || isName
  }

  /** Adds the next row. Returns false if the row does not fit. */
  add(row: Row): boolean {
    const index = this.#from.row + this.data.length
    if (this.#from.char > 0) {
      this.#addValue(index, row)
      return true
    }
    const fitted = this.#fit(index, row, this.data.length === 0 ? this.#from.field : 0)
    const isFirst = this.data.length === 0
    if (fitted === undefined || (!isFirst && fitted.bytes > this.#left)) return false
    this.#take(fitted)
    return true
  }

  /** Adds a `cut` entry for the rows after the last one; `total` is the number of all rows. */
  cutRows(total: number): void {
    const next = this.#from.row + this.data.length
    this.cuts.push({
      shown: `${next} of ${total} rows`,
      handle: this.#print({ ...start, row: next }),
    })
  }

  #take({ members, cuts, bytes }: FittedMembers): void {
    this.data.push(members)
    this.cuts.push(...cuts)
    this.#left -= bytes
  }

  /** Adds the next part of a value or name, as much as fits. */
  #addValue(row: number, members: Row): void {
    const { field, char, isName } = this.#from
    const [name, value] = Object.entries(members)[field] ?? []
    if (name === undefined) return
    const text = isName ? name : textOf(value)
    const shownName = shortName(name, field)
    const end = endOf(text, char, text.length, this.#left - jsonBytes(shownName) - CUT_BYTES)
    const cuts =
      end < text.length
        ? [{ shown: `${end} of ${text.length} characters`, handle: this.#print({ row, field, char: end, isName }) }]
        : []
    const shown = emptyRow()
    shown[shownName] = text.slice(char, end) + (end < text.length ? MARK : '')
    this.#take({ members: shown, cuts, bytes: 0 })
  }

  /**
   * Returns the fields of a row from index `from` that fit. For any row but the first, returns `undefined` unless all
   * fit.
   */
  #fit(row: number, members: Row, from: number): FittedMembers | undefined {
    const entries = Object.entries(members)
    const fitted: FittedMembers = { members: emptyRow(), cuts: [], bytes: 3 }
    for (let field = from; field < entries.length; field++) {
      const [name, value] = entries[field] ?? ['', null]
      const { key, shown, cuts } = this.#member({ row, field, name, value })
      const bytes = jsonBytes(key) + jsonBytes(shown) + 2 + jsonBytes(cuts)
      const isLast = field === entries.length - 1
      const reserve = isLast ? 0 : CUT_BYTES
      if (fitted.bytes + bytes + reserve > this.#left && field > from) {
        if (this.data.length > 0) return undefined
        const cut = {
          shown: `${field} of ${entries.length} fields`,
          handle: this.#print({ ...start, row, field }),
        }
        fitted.cuts.push(cut)
        fitted.bytes += jsonBytes(cut)
        return fitted
      }
      fitted.members[key] = shown
      fitted.cuts.push(...cuts)
      fitted.bytes += bytes
    }
    return fitted
  }

  #member({ row, field, name, value }: { row: number; field: number; name: string; value: unknown }): {
    readonly key: string
    readonly shown: unknown
    readonly cuts: readonly Cut[]
  } {
    const cuts: Cut[] = []
    const shorten = (text: string, end: number, isName: boolean): string => {
      const handle = this.#print({ row, field, char: end, isName })
      cuts.push({ shown: `${end} of ${text.length} characters`, handle })
      return text.slice(0, end) + MARK
    }
    const nameEnd = nameEndOf(name)
    if (nameEnd < name.length) shorten(name, nameEnd, true)
    const text = textOf(value)
    const end = endOf(text, 0, VALUE_CHARS, VALUE_BYTES)
    const shown = end < text.length ? shorten(text, end, false) : value
    return { key: shortName(name, field, nameEnd), shown, cuts }
  }
}
