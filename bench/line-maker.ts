import { daySeconds, jsonLine, logRecords, markerWord, traceWord, traceWords } from './datasets.ts'
import { Random } from './random.ts'

/** The number of different lines; they repeat with new times and trace ids. */
const POOL_LINES = 262_144
/** The number of rows after which the marker word occurs behind the pool. */
const ROWS_WITHOUT_MARKER = 1_000_000
const TIME_AT = '{"_time":"2026-03-17T'.length
const TRACE_NAME = '"trace_id":"'
const LINE_END = '"}\n'
const MARKED_END = Buffer.from(` ${markerWord}${LINE_END}`)

/** All pairs of decimal digits as 16-bit numbers, the first digit in the lower byte. */
const decimalPairs = Uint16Array.from({ length: 100 }, (_, n) => Buffer.from(String(n).padStart(2, '0')).readUInt16LE())
const hexPairs = Uint16Array.from({ length: 256 }, (_, n) =>
  Buffer.from(n.toString(16).padStart(2, '0')).readUInt16LE(),
)

export interface LineMakerOptions {
  readonly rows: number
  readonly seed: number
  readonly poolLines?: number
}

/**
 * Makes the rows of `logRecords` for very long runs, where making every row separately would take longer than storing
 * it. Messages and fields repeat those of the first lines; times, trace ids and the rows with the marker word do not
 * repeat.
 */
export class LineMaker {
  readonly #rows: number
  readonly #seed: number
  readonly #random: Random
  readonly #pool: Buffer
  /** The offset of each line, with the end of the last one; and the offset of its trace id. */
  readonly #starts: Uint32Array
  readonly #traces: Uint32Array

  constructor({ rows, seed, poolLines = POOL_LINES }: LineMakerOptions) {
    this.#rows = rows
    this.#seed = seed
    this.#random = new Random(seed ^ 0x7157)
    const count = Math.min(rows, poolLines)
    this.#starts = new Uint32Array(count + 1)
    this.#traces = new Uint32Array(count)
    const lines: string[] = []
    for (const record of logRecords({ rows: ROWS_WITHOUT_MARKER, seed })) {
      const i = lines.length
      if (i === count) break
      const line = `${jsonLine(record)}\n`
      this.#traces[i] = this.#starts[i] + Buffer.byteLength(line.slice(0, line.indexOf(TRACE_NAME))) + TRACE_NAME.length
      this.#starts[i + 1] = this.#starts[i] + Buffer.byteLength(line)
      lines.push(line)
    }
    this.#pool = Buffer.from(lines.join(''))
  }

  /** Returns the rows `[from, to)` as JSON lines. Calls must follow the order of the rows. */
  lines(from: number, to: number): Buffer {
    const pieces: Buffer[] = []
    for (let at = from; at < to;) {
      const first = at % (this.#starts.length - 1)
      let end = Math.min(to, at + this.#starts.length - 1 - first)
      const marked = this.#markerFrom(at)
      if (marked < end) end = marked + 1
      const bytes = Buffer.from(this.#pool.subarray(this.#starts[first], this.#starts[first + end - at]))
      for (let row = at; row < end; row++) this.#fill(bytes, first + row - at, this.#starts[first], row)
      if (end === marked + 1) pieces.push(bytes.subarray(0, -LINE_END.length), MARKED_END)
      else pieces.push(bytes)
      at = end
    }
    return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
  }

  /** Returns the first row from `row` on that has the marker word. */
  #markerFrom(row: number): number {
    if (this.#rows < ROWS_WITHOUT_MARKER) return row <= this.#rows >> 1 ? this.#rows >> 1 : Infinity
    return Math.ceil((row - 437_519) / 1_000_000) * 1_000_000 + 437_519
  }

  #fill(bytes: Buffer, line: number, start: number, row: number): void {
    const jitterNs = this.#random.below(1_000_000_000) - 500_000_000
    const offsetNs = Math.floor((row * daySeconds * 1e9) / this.#rows) + jitterNs
    this.#fillTime(bytes, this.#starts[line] - start + TIME_AT, Math.min(daySeconds * 1e9 - 1, Math.max(0, offsetNs)))
    const trace = this.#random.below(Math.max(1, Math.floor(this.#rows / 4)))
    let at = this.#traces[line] - start
    for (let place = 0; place < traceWords; place++) {
      const word = traceWord(this.#seed, trace, place)
      for (let shift = 24; shift >= 0; shift -= 8, at += 2) put(bytes, at, hexPairs[(word >>> shift) & 255])
    }
  }

  /** Writes a time of day as `HH:MM:SS.nnnnnnnnn`. */
  #fillTime(bytes: Buffer, at: number, offsetNs: number): void {
    const second = Math.floor(offsetNs / 1e9)
    const nanos = offsetNs - second * 1e9
    put(bytes, at, decimalPairs[Math.floor(second / 3600)])
    put(bytes, at + 3, decimalPairs[Math.floor(second / 60) % 60])
    put(bytes, at + 6, decimalPairs[second % 60])
    bytes[at + 9] = 48 + Math.floor(nanos / 1e8)
    let rest = nanos % 1e8
    for (let pair = at + 16; pair >= at + 10; pair -= 2) {
      put(bytes, pair, decimalPairs[rest % 100])
      rest = Math.floor(rest / 100)
    }
  }
}

/** Writes two characters. `writeUInt16LE` would take several times as long. */
function put(bytes: Buffer, at: number, pair: number): void {
  bytes[at] = pair
  bytes[at + 1] = pair >>> 8
}
