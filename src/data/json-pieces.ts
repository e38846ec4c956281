import { Bytes, MAX_UINT32 } from '../base/index.ts'
import { decimalTables, KernelMemory, layout } from '../kernels/index.ts'
import type { Dictionary } from './columns/index.ts'
import type { JsonDialect } from './json-dialect.ts'

/** The maximum number of rows that are joined in one step. */
export const MOST_ROWS = 256
/** The maximum number of values (rows times columns) that are joined in one step. */
const MOST_VALUES = 4096
const MOST_COLUMNS = 1024
/** The maximum size in bytes of a cached piece: a key, or the JSON of a value. */
const MOST_KEPT_BYTES = 128
/** The maximum number of entries of a dictionary whose JSON is cached. */
export const MOST_KEPT_CODES = 16_384
/** The maximum number of codes in the tables of all dictionaries. Each takes eight bytes. */
const MOST_TABLE_CODES = 2 ** 18

/** Bytes of memory for pieces that are cached across answers. */
const KEPT_BYTES = 512 * 1024
/** Bytes of memory for the strings of one column, as they are stored, before they are escaped. */
const STORED_BYTES = 64 * 1024
/** Bytes of memory for the JSON of the values of the rows that are joined in one step. */
const MADE_BYTES = 128 * 1024
/** Bytes of a row besides its pieces: separator and braces. */
const ROW_BYTES = 4
/** Bytes of memory for joined rows. It exceeds `MADE_BYTES`, because a cached piece may occur in many rows. */
const JOINED_BYTES = MADE_BYTES + MOST_VALUES * 2 * MOST_KEPT_BYTES + MOST_ROWS * ROW_BYTES

/** The address of the counter of values that a kernel left to the caller. */
const REFUSED_AT = 16
/**
 * The address of the escape table by byte value: the letter after the backslash, or 0 if the kernel must leave the
 * whole string to the caller.
 */
const ESCAPES_AT = 32
const DECIMALS_AT = ESCAPES_AT + 256
const COLUMNS_AT = DECIMALS_AT + layout.Decimal.TABLE_BYTES
const PREFIX_AT = COLUMNS_AT + MOST_COLUMNS * layout.COLUMN_BYTES
const NUMBERS_AT = PREFIX_AT + layout.TimeText.MAX_PREFIX_BYTES
const PLACES_AT = NUMBERS_AT + MOST_ROWS * 8
const KEPT_AT = PLACES_AT + MOST_VALUES * layout.Range.BYTES
const KEPT_END = KEPT_AT + KEPT_BYTES
const STORED_AT = KEPT_END + layout.SLACK_BYTES
const STORED_END = STORED_AT + STORED_BYTES
const MADE_AT = STORED_END + layout.SLACK_BYTES
const MADE_END = MADE_AT + MADE_BYTES
const JOINED_AT = MADE_END + layout.SLACK_BYTES
const MEMORY_BYTES = JOINED_AT + JOINED_BYTES + layout.SLACK_BYTES

/** Longer strings are encoded by the runtime. Up to this many UTF-16 units, a loop is faster than the call. */
const SHORT_LENGTH = 64
/** The maximum number of UTF-8 bytes per UTF-16 unit. */
const CHAR_BYTES = 3
/** A value in `starts` for rows that have no string to copy. */
export const NO_TEXT = MAX_UINT32

const encoder = new TextEncoder()

/** The separator before each row. */
export type RowSeparator = ',' | '\n' | ',\n'

interface ByteSpan {
  readonly at: number
  readonly length: number
}

/** One column of the JSON objects. */
export interface PieceColumn {
  /** The key with its separators: `,"name":`. */
  readonly key: string
  /** True if a missing value is written as `null`. */
  readonly isNamed: boolean
}

/** Creates empty tables of cached dictionary entries, one map per dialect. */
const noTables = (): Readonly<Record<JsonDialect, WeakMap<Dictionary, Uint32Array>>> => ({
  native: new WeakMap(),
  logsql: new WeakMap(),
})

/** Writes values one by one, where no kernel can. */
interface Values {
  textAt(row: number): string | undefined
}

/**
 * Writes rows as JSON. A kernel joins pieces of JSON in memory of fixed size. Values are added column by column,
 * because scattered reads of one column overlap in the processor. Each method that adds a column returns the number of
 * rows that fit; the caller must join these rows before it adds more.
 */
export class JsonPieces {
  readonly #memory = new KernelMemory(MEMORY_BYTES)
  readonly #kernels = this.#memory.kernels
  readonly #bytes = Bytes.from(this.#memory.buffer)
  readonly #view = new DataView(this.#memory.buffer)
  readonly #words = new Uint32Array(this.#memory.buffer, 0, KEPT_AT / 4)
  /** The address and length of the JSON of row `i` and column `c`, at `i * stride + 2 * c`. Length 0 means no value. */
  readonly ranges = new Uint32Array(this.#memory.buffer, PLACES_AT, MOST_VALUES * 2)
  /** Input of `writeNumbers`: for each row, the number to write. */
  readonly numbers = new Float64Array(this.#memory.buffer, NUMBERS_AT, MOST_ROWS)
  /** Input of `takeTexts`: for each row, the offsets at which the string to copy starts and ends. */
  readonly starts = new Uint32Array(MOST_ROWS)
  readonly ends = new Uint32Array(MOST_ROWS)
  /** A checksum of bytes read in advance. It is public so that the compiler cannot remove the reads. */
  seen = 0
  #columns: readonly PieceColumn[] = []
  readonly #keptTexts = new Map<string, ByteSpan>()
  #tables = noTables()
  #tableCodes = 0
  #keptEnd = KEPT_AT
  #isFull = false
  #storedEnd = STORED_AT
  #madeEnd = MADE_AT
  #isByValue = false
  #prefix = ''

  constructor() {
    for (const [char, letter] of ['\bb', '\tt', '\nn', '\ff', '\rr', '""', '\\\\'])
      this.#bytes[ESCAPES_AT + char.charCodeAt(0)] = letter.charCodeAt(0)
    this.#bytes.set(decimalTables(), DECIMALS_AT)
  }

  /** The number of elements of `ranges` per row, which is the distance between two successive rows of one column. */
  get stride(): number {
    return 2 * this.#columns.length
  }

  /**
   * Starts a group of rows with these columns. Returns the maximum number of rows that can be joined in one step; 0 if
   * the columns do not fit.
   */
  begin(columns: readonly PieceColumn[]): number {
    if (this.#columns !== columns && !this.#tellColumns(columns)) return 0
    this.#madeEnd = MADE_AT
    return Math.min(MOST_ROWS, Math.floor(MOST_VALUES / Math.max(columns.length, 1)))
  }

  #tellColumns(columns: readonly PieceColumn[]): boolean {
    if (columns.length > MOST_COLUMNS) return false
    if (this.#isFull) this.#forget()
    this.#columns = []
    let word = COLUMNS_AT / 4
    for (const { key, isNamed } of columns) {
      if (!this.#tellKept(word, key) || !this.#tellKept(word + 2, isNamed ? 'null' : '')) return false
      word += layout.COLUMN_BYTES / 4
    }
    this.#columns = columns
    return true
  }

  /**
   * Caches a piece and writes its address and length to `#words` at `word`. Returns false if the piece is too long or
   * does not fit into the cache.
   */
  #tellKept(word: number, text: string): boolean {
    let range = this.#keptTexts.get(text)
    if (range === undefined) {
      const at = this.#keptEnd
      const length = this.#keep(text)
      if (length < 0) return false
      this.#keptTexts.set(text, (range = { at, length }))
    }
    this.#words[word] = range.at
    this.#words[word + 1] = range.length
    return true
  }

  #forget(): void {
    this.#keptTexts.clear()
    this.#tables = noTables()
    this.#tableCodes = 0
    this.#keptEnd = KEPT_AT
    this.#isFull = false
  }

  /** Appends a string to the cache and returns its length in bytes; -1 if the string is too long or does not fit. */
  #keep(text: string): number {
    const end = Math.min(KEPT_END, this.#keptEnd + MOST_KEPT_BYTES)
    const length = this.#write(text, this.#keptEnd, end)
    if (length >= 0) this.#keptEnd += length
    else if (end === KEPT_END) this.#isFull = true
    return length
  }

  /** Writes a string as UTF-8 and returns its length in bytes; -1 if it would end after `end`. */
  #write(text: string, at: number, end: number): number {
    const { length } = text
    if (at + length > end) return -1
    if (length <= SHORT_LENGTH && this.#writeAscii(text, at)) return length
    const { read, written } = encoder.encodeInto(
      text,
      this.#bytes.subarray(at, Math.min(end, at + length * CHAR_BYTES)),
    )
    return read === length ? written : -1
  }

  /** Writes an ASCII string; returns false if the string has other characters. */
  #writeAscii(text: string, at: number): boolean {
    const bytes = this.#bytes
    for (let i = 0; i < text.length; i++) {
      const char = text.charCodeAt(i)
      if (char >= 0x80) return false
      bytes[at + i] = char
    }
    return true
  }

  /**
   * Returns the table of a dictionary's cached entries by code, in the layout of `ranges`. Length 0 means that the
   * entry is not cached yet. `undefined` if the dictionary is too large to cache.
   */
  tableOf(dictionary: Dictionary, dialect: JsonDialect): Uint32Array | undefined {
    const { size } = dictionary
    const tables = this.#tables[dialect]
    const known = tables.get(dictionary)
    if (known !== undefined && known.length >= 2 * size) return known
    // Twice the size, because the dictionary may grow.
    const codes = 2 * size
    if (size > MOST_KEPT_CODES || this.#isFull) return undefined
    if (this.#tableCodes + codes > MOST_TABLE_CODES) {
      this.#isFull = true
      return undefined
    }
    const table = new Uint32Array(2 * codes)
    if (known !== undefined) table.set(known)
    tables.set(dictionary, table)
    this.#tableCodes += codes
    return table
  }

  /**
   * Writes the JSON of an entry and caches it if possible. Returns false if the JSON does not fit into the memory for
   * rows.
   */
  entry(range: number, table: Uint32Array, code: number, json: string): boolean {
    const at = this.#keptEnd
    const length = this.#keep(json)
    if (length < 0) return this.json(range, json)
    table[2 * code] = at
    table[2 * code + 1] = length
    this.#tell(range, at, length)
    return true
  }

  #tell(range: number, at: number, length: number): void {
    this.ranges[range] = at
    this.ranges[range + 1] = length
  }

  /** Writes the JSON of one value; returns false if the JSON does not fit. */
  json(range: number, json: string): boolean {
    const at = this.#madeEnd
    const length = this.#write(json, at, MADE_END)
    if (length < 0) return false
    this.#madeEnd += length
    this.#tell(range, at, length)
    return true
  }

  none(range: number): void {
    this.#tell(range, 0, 0)
  }

  /** Marks a value that `quote` must write one by one. */
  byValue(range: number): void {
    this.#tell(range, 0, layout.Range.BY_VALUE)
    this.#isByValue = true
  }

  /**
   * The maximum number of string bytes that the next column may copy. As JSON, the strings can take twice as many
   * bytes, and quotes are added.
   */
  get #storedLimit(): number {
    return Math.min(STORED_END, STORED_AT + ((MADE_END - this.#madeEnd) >> 1) - MOST_ROWS)
  }

  /** Copies a stored string; returns false if it does not fit. */
  takeText(range: number, from: Bytes, start: number, end: number): boolean {
    const at = this.#storedEnd
    const next = at + end - start
    if (next > this.#storedLimit) return false
    from.copy(this.#bytes, at, start, end)
    this.#storedEnd = next
    this.#tell(range, at, end - start)
    return true
  }

  /** Copies the strings from `starts` to `ends` and returns the number of rows that fit. */
  takeTexts(column: number, from: Bytes, count: number): number {
    const { starts, ends, stride } = this
    // Reads the bytes at both ends of each string in advance, so that the processor waits for several cache misses at
    // once.
    let seen = 0
    for (let i = 0; i < count; i++) if (ends[i] < from.length) seen += from[starts[i]] + from[ends[i]]
    this.seen = seen
    const source = new DataView(from.buffer, from.byteOffset, from.length)
    const view = this.#view
    const ranges = this.ranges
    const limit = this.#storedLimit
    let at = this.#storedEnd
    let i = 0
    for (let range = 2 * column; i < count; i++, range += stride) {
      const start = starts[i]
      if (start === NO_TEXT) continue
      const length = ends[i] - start
      if (at + length > limit) break
      if (length > SHORT_LENGTH || start + SHORT_LENGTH > from.length) from.copy(this.#bytes, at, start, ends[i])
      else for (let k = 0; k < length; k += 4) view.setInt32(at + k, source.getInt32(start + k, true), true)
      ranges[range] = at
      ranges[range + 1] = length
      at += length
    }
    this.#storedEnd = at
    return i
  }

  /**
   * Writes the copied strings of a column as JSON, and its other values one by one. Returns the number of rows that
   * fit.
   */
  quote(column: number, rows: Uint32Array, count: number, values: Values): number {
    const range = PLACES_AT + column * layout.Range.BYTES
    this.#words[REFUSED_AT / 4] = 0
    this.#madeEnd = this.#kernels.quoteStrings(range, this.stride * 4, count, this.#madeEnd, ESCAPES_AT, REFUSED_AT)
    this.#storedEnd = STORED_AT
    return this.#written(column, rows, count, values)
  }

  /** Writes `numbers` as JSON and returns the number of rows that fit. */
  writeNumbers(column: number, rows: Uint32Array, count: number, values: Values): number {
    const range = PLACES_AT + column * layout.Range.BYTES
    const fit = Math.min(count, Math.floor((MADE_END - this.#madeEnd) / layout.Decimal.BYTES))
    this.#words[REFUSED_AT / 4] = 0
    this.#madeEnd = this.#kernels.writeNumbers(
      range,
      this.stride * 4,
      fit,
      NUMBERS_AT,
      this.#madeEnd,
      DECIMALS_AT,
      REFUSED_AT,
    )
    return this.#written(column, rows, fit, values)
  }

  /**
   * Completes a column after a kernel: writes the values that the kernel left out one by one. Returns the number of
   * rows that fit.
   */
  #written(column: number, rows: Uint32Array, count: number, values: Values): number {
    if (!this.#isByValue && this.#words[REFUSED_AT / 4] === 0) return count
    this.#isByValue = false
    const { ranges, stride } = this
    for (let i = 0, range = 2 * column; i < count; i++, range += stride) {
      if (ranges[range + 1] !== layout.Range.BY_VALUE) continue
      const json = values.textAt(rows[i])
      if (json === undefined) this.none(range)
      else if (!this.json(range, json)) return i
    }
    return count
  }

  /**
   * Writes the times of rows `[from, to)`, which are all in one minute. `prefix` is the text before the seconds;
   * `numbers` are nanoseconds since the start of the minute, negative for a missing time. Returns false if they do not
   * fit.
   */
  writeTimes(column: number, from: number, to: number, prefix: string): boolean {
    if (from === to) return true
    const { length } = prefix
    if (this.#madeEnd + (to - from) * (length + layout.TimeText.TAIL_BYTES) > MADE_END) return false
    if (prefix !== this.#prefix) {
      if (this.#write(prefix, PREFIX_AT, PREFIX_AT + layout.TimeText.MAX_PREFIX_BYTES) !== length) return false
      this.#prefix = prefix
    }
    const stride = this.stride * 4
    const range = PLACES_AT + column * layout.Range.BYTES + from * stride
    this.#madeEnd = this.#kernels.writeTimes(
      range,
      stride,
      to - from,
      NUMBERS_AT + from * 8,
      PREFIX_AT,
      length,
      this.#madeEnd,
    )
    return true
  }

  /** Returns the first `rows` rows as JSON, each preceded by the separator. The bytes are valid until the next call. */
  joined(rows: number, separator: RowSeparator): Uint8Array {
    const { length } = this.#columns
    const bytes = separator.charCodeAt(0) | (separator.charCodeAt(1) << 8)
    const end = this.#kernels.joinPieces(PLACES_AT, length, COLUMNS_AT, rows, bytes, separator.length, JOINED_AT)
    return new Uint8Array(this.#memory.buffer, JOINED_AT, end - JOINED_AT)
  }
}

let made: JsonPieces | undefined

/** Returns the `JsonPieces` of this thread. */
export function jsonPieces(): JsonPieces {
  return (made ??= new JsonPieces())
}
