import { NAME_BYTES, NAME_CHARS, VALUE_BYTES, VALUE_CHARS } from './limits.ts'
import { start, type Position } from './handle.ts'

/** A row of an answer: its fields in their order. */
export type Row = Readonly<Record<string, unknown>>

/** Something that was left out, and where it goes on. */
export interface Cut {
  /** The shown part, such as `500 of 7340032 characters`. */
  readonly shown: string
  readonly handle: string
}

/** The mark at the end of a shortened value or name. */
const MARK = '…'

/** Bytes of an announcement with its numbers as long as they get. */
const CUT_BYTES = 160

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** The end of a piece of a string that begins at `from`: at most `chars` units, no half of a pair, at most `bytes`. */
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

/** The string by whose places a value is cut: itself, or its JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A row to fill; a field may be called `__proto__`. */
function emptyRow(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}

/** The end of the shown part of a field's name. */
function nameEndOf(name: string): number {
  return endOf(name, 0, NAME_CHARS, NAME_BYTES)
}

/** The name of a field; of a long one its beginning with its place, so that two that begin alike stay two. */
function shortName(name: string, field: number, end = nameEndOf(name)): string {
  return end < name.length ? name.slice(0, end) + MARK + field : name
}

interface Pieces {
  readonly members: Record<string, unknown>
  readonly cuts: Cut[]
  bytes: number
}

/**
 * Fills an answer with rows until its bytes are used up. What does not fit is announced: each shortened value, name and
 * row, and the rows after the last, with a handle that reads on.
 */
export class Window {
  readonly data: object[] = []
  readonly cuts: Cut[] = []
  readonly #from: Position
  readonly #print: (position: Position) => string
  #left: number

  /** `bytes` are for rows and announcements together. */
  constructor(from: Position, bytes: number, print: (position: Position) => string) {
    this.#from = from
    this.#print = print
    this.#left = bytes - CUT_BYTES
  }

  /** True if the answer is about one row, of which it shows another part. */
  get isInsideRow(): boolean {
    const { field, char, isName } = this.#from
    return field > 0 || char > 0 || isName
  }

  /** Adds the next row; false if it has to wait for the next answer. */
  add(row: Row): boolean {
    const index = this.#from.row + this.data.length
    if (this.#from.char > 0) {
      this.#addValue(index, row)
      return true
    }
    const pieces = this.#fit(index, row, this.data.length === 0 ? this.#from.field : 0)
    const isFirst = this.data.length === 0
    if (pieces === undefined || (!isFirst && pieces.bytes > this.#left)) return false
    this.#take(pieces)
    return true
  }

  /** Announces the rows after the last that was added; `total` is the number of all rows. */
  cutRows(total: number): void {
    const next = this.#from.row + this.data.length
    this.cuts.push({
      shown: `${next} of ${total} rows`,
      handle: this.#print({ ...start, row: next }),
    })
  }

  #take({ members, cuts, bytes }: Pieces): void {
    this.data.push(members)
    this.cuts.push(...cuts)
    this.#left -= bytes
  }

  /** One more part of a value or a name, as long as the answer allows. */
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

  /** The row from a field on; undefined if only some of its fields fit and it is not the first row. */
  #fit(row: number, members: Row, from: number): Pieces | undefined {
    const entries = Object.entries(members)
    const pieces: Pieces = { members: emptyRow(), cuts: [], bytes: 3 }
    for (let field = from; field < entries.length; field++) {
      const [name, value] = entries[field] ?? ['', null]
      const { key, shown, cuts } = this.#member({ row, field, name, value })
      const bytes = jsonBytes(key) + jsonBytes(shown) + 2 + jsonBytes(cuts)
      const isLast = field === entries.length - 1
      const reserve = isLast ? 0 : CUT_BYTES
      if (pieces.bytes + bytes + reserve > this.#left && field > from) {
        if (this.data.length > 0) return undefined
        const cut = {
          shown: `${field} of ${entries.length} fields`,
          handle: this.#print({ ...start, row, field }),
        }
        pieces.cuts.push(cut)
        pieces.bytes += jsonBytes(cut)
        return pieces
      }
      pieces.members[key] = shown
      pieces.cuts.push(...cuts)
      pieces.bytes += bytes
    }
    return pieces
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
