import { CHUNK_BYTES, SluiceError, nowhere, type Budget } from '../../../base/index.ts'
import { enumNames } from '../dialects/clickhouse.ts'
import { foreignDiagnostic } from '../foreign/diagnostics.ts'
import type { ForeignForm, ForeignValue } from '../foreign/engine.ts'

/** Thrown if the server reported an error after the first rows of an answer. The message is the server's. */
export class BrokenAnswer extends Error {}

/**
 * Reads rows from an answer in the format `RowBinaryWithNamesAndTypes` as its bytes arrive. The format keeps 64-bit
 * integers and doubles exact. An incomplete row is read again when more bytes have arrived.
 */
export class ClickhouseRowReader {
  readonly #forms: readonly ForeignForm[]
  readonly #budget: Budget
  /**
   * The bytes before an error at the end of an answer: a line `__exception__`, then a line with a random tag that the
   * server sends for each answer. `undefined` if the server sends no tags.
   */
  readonly #mark: Buffer | undefined
  #pieces: Buffer[] = []
  #heldBytes = 0
  #waitingBytes = 0
  #wantedBytes = 0
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #isShort = false
  #readers: readonly (() => ForeignValue)[] | undefined

  constructor(forms: readonly ForeignForm[], budget: Budget, tag: string | undefined) {
    this.#forms = forms
    this.#budget = budget
    this.#mark = tag === undefined ? undefined : Buffer.from(`\r\n__exception__\r\n${tag}`)
  }

  /** Adds bytes of the answer that have arrived. Throws SluiceError `budget/memory` if a single row is too large. */
  add(chunk: Buffer): void {
    this.#hold(chunk.length)
    this.#pieces.push(chunk)
    this.#waitingBytes += chunk.length
  }

  /**
   * Declares that all bytes have arrived. Only now are the last bytes read as rows, since they could have been the
   * beginning of an error. Throws BrokenAnswer.
   */
  end(): void {
    this.#join()
    const { broken } = this.#limit(true)
    if (broken !== undefined) throw new BrokenAnswer(broken)
    if (this.#at !== this.#bytes.length) throw new BrokenAnswer('the answer ends within a row')
  }

  /** Appends complete rows to the columns, at most `maxRows` rows and some megabytes, and returns their number. */
  take(columns: ForeignValue[][], maxRows: number, isEnd: boolean): number {
    if (!isEnd && this.#bytes.length - this.#at + this.#waitingBytes < this.#wantedBytes) return 0
    this.#join()
    const { limit } = this.#limit(isEnd)
    const readers = (this.#readers ??= this.#header(limit))
    if (readers === undefined) return 0
    let rows = 0
    const stop = Math.min(limit, this.#at + CHUNK_BYTES)
    const values: ForeignValue[] = Array.from({ length: readers.length }, () => null)
    while (rows < maxRows && this.#at < stop) {
      const start = this.#at
      this.#isShort = false
      for (const [c, read] of readers.entries()) {
        values[c] = read()
        if (this.#isShort) break
      }
      if (this.#isShort || this.#at > limit) {
        this.#at = start
        break
      }
      for (const [c, column] of columns.entries()) column.push(values[c] ?? null)
      rows++
    }
    return rows
  }

  /** Releases all memory that this reader has charged to the budget. */
  release(): void {
    this.#hold(-this.#heldBytes)
  }

  #hold(bytes: number): void {
    this.#heldBytes += bytes
    this.#budget.charge(bytes)
  }

  #join(): void {
    if (this.#pieces.length === 0) return
    const rest = this.#bytes.subarray(this.#at)
    this.#hold(-this.#at)
    this.#bytes =
      rest.length === 0 && this.#pieces.length === 1
        ? (this.#pieces[0] ?? rest)
        : Buffer.concat([rest, ...this.#pieces])
    this.#pieces = []
    this.#waitingBytes = 0
    this.#wantedBytes = 0
    this.#at = 0
  }

  /** Returns the position at which the rows end, and the server's error after the rows, if there is one. */
  #limit(isEnd: boolean): { readonly limit: number; readonly broken: string | undefined } {
    const { length } = this.#bytes
    if (this.#mark === undefined) return { limit: length, broken: undefined }
    const at = this.#bytes.indexOf(this.#mark, this.#at)
    if (at >= 0) return { limit: at, broken: this.#bytes.toString('utf8', at + this.#mark.length) }
    return { limit: isEnd ? length : Math.max(this.#at, length - this.#mark.length), broken: undefined }
  }

  #header(limit: number): readonly (() => ForeignValue)[] | undefined {
    const start = this.#at
    this.#isShort = false
    const count = this.#varint()
    const texts: string[] = []
    for (let i = 0; i < 2 * count && !this.#isShort; i++) texts.push(this.#text())
    if (this.#isShort || this.#at > limit) {
      this.#at = start
      return undefined
    }
    // A statement may have further columns after the wanted ones, such as a count that only makes it a grouped
    // statement. Further columns are skipped.
    return Array.from({ length: Math.max(count, this.#forms.length) }, (_, i) =>
      this.#reader(texts[count + i] ?? '', this.#forms[i] ?? 'int64'),
    )
  }

  #reader(type: string, form: ForeignForm): () => ForeignValue {
    const inside = /^(?:LowCardinality)\((.*)\)$/su.exec(type)?.[1]
    if (inside !== undefined) return this.#reader(inside, form)
    const present = /^Nullable\((.*)\)$/su.exec(type)?.[1]
    if (present !== undefined) {
      const read = this.#reader(present, form)
      return () => (this.#take(1) >= 0 && this.#bytes[this.#at - 1] === 1 ? null : read())
    }
    const items = /^Array\((.*)\)$/su.exec(type)?.[1]
    if (items !== undefined) {
      const read = this.#reader(items, 'double')
      return () => {
        const values: ForeignValue[] = []
        for (let left = this.#varint(); left > 0 && !this.#isShort; left--) values.push(read())
        return `[${values.join(',')}]`
      }
    }
    const read = this.#plain(type) ?? this.#enum(type)
    const convert = CONVERSIONS[form]
    if (read === undefined) throw new BrokenAnswer(`a column of type ${type} does not cross`)
    return () => convert(read())
  }

  #plain(type: string): (() => string | number | bigint | boolean) | undefined {
    const number =
      (bytes: number, read: (at: number) => number | bigint): (() => number | bigint) =>
      () => {
        const at = this.#take(bytes)
        return at < 0 ? 0 : read(at)
      }
    switch (type) {
      case 'String':
        return () => this.#text()
      case 'Float64':
        return number(8, (at) => this.#bytes.readDoubleLE(at))
      case 'Float32':
        return number(4, (at) => this.#bytes.readFloatLE(at))
      case 'Int64':
        return number(8, (at) => this.#bytes.readBigInt64LE(at))
      case 'UInt64':
        return number(8, (at) => this.#bytes.readBigUInt64LE(at))
      case 'Int32':
        return number(4, (at) => this.#bytes.readInt32LE(at))
      case 'UInt32':
        return number(4, (at) => this.#bytes.readUInt32LE(at))
      case 'Int16':
        return number(2, (at) => this.#bytes.readInt16LE(at))
      case 'UInt16':
        return number(2, (at) => this.#bytes.readUInt16LE(at))
      case 'Int8':
        return number(1, (at) => this.#bytes.readInt8(at))
      case 'UInt8':
      case 'Bool':
        return number(1, (at) => this.#bytes.readUInt8(at))
      // `Nothing` is the type of a bare NULL; it has no values.
      case 'Nothing':
        return () => 0
      default:
        return undefined
    }
  }

  #enum(type: string): (() => string) | undefined {
    const [, bits] = /^Enum(8|16)\(/u.exec(type) ?? []
    if (bits === undefined) return undefined
    const names = enumNames(type)
    return () => {
      const at = this.#take(Number(bits) / 8)
      return at < 0 ? '' : (names.get(bits === '8' ? this.#bytes.readInt8(at) : this.#bytes.readInt16LE(at)) ?? '')
    }
  }

  /**
   * Advances the read position by a number of bytes and returns the old position; -1 if some of the bytes have not
   * arrived.
   */
  #take(bytes: number): number {
    const at = this.#at
    if (at + bytes > this.#bytes.length) {
      this.#isShort = true
      return -1
    }
    this.#at = at + bytes
    return at
  }

  #varint(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const at = this.#take(1)
      const byte = at < 0 ? 0 : (this.#bytes[at] ?? 0)
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }

  #text(): string {
    const bytes = this.#varint()
    const at = this.#take(bytes)
    if (at >= 0) return this.#bytes.toString('utf8', at, at + bytes)
    // The row is parsed again only after all bytes of this string have arrived.
    this.#budget.room(bytes)
    this.#wantedBytes = bytes
    return ''
  }
}

const CONVERSIONS: { readonly [F in ForeignForm]: (value: string | number | bigint | boolean) => ForeignValue } = {
  text: (value) => (typeof value === 'string' ? value : String(value)),
  json: (value) => (typeof value === 'string' ? value : String(value)),
  double: (value) => (typeof value === 'number' ? value : Number(value)),
  int64: (value) => (typeof value === 'bigint' ? value : BigInt(value)),
  bool: (value) => value !== 0 && value !== 0n && value !== '',
}

export function failed(reason: string): SluiceError {
  return new SluiceError([foreignDiagnostic('statement-failed', { engine: 'ClickHouse', reason }, nowhere)])
}
