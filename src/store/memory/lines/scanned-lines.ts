import { type Bytes, clampNs } from '../../../base/index.ts'
import { latin1, numberOfJson, utf8, type TimeContext, type Value } from '../../../data/index.ts'
import { layout } from '../../../kernels/index.ts'
import type { PlacingTable } from '../../shapes/index.ts'
import { EpochClock } from '../intake/epoch-clock.ts'
import { LineColumns, type PlacedLine } from '../intake/placed-line.ts'
import type { RowBuilder } from '../table/row-builder.ts'
import { epochTimeOf, isEarlier, type EpochTime } from '../segment.ts'
import { TimeReader } from '../intake/time-bytes.ts'
import type { ScannedTemplate } from './line-scanner.ts'

/** Records of a scanner, `[from, to)` of the words of its memory. */
export interface ScannedLines {
  readonly bytes: Bytes
  readonly words: Uint32Array
  readonly from: number
  readonly to: number
  readonly templates: readonly ScannedTemplate[]
  /** What to add to where a line begins in `bytes` to get its place, for tables that keep places; 0 unless given. */
  readonly origin?: number
}

/** Half-open, as the parts that a tail keeps. */
interface KeptTimes {
  readonly start: EpochTime
  readonly end: EpochTime
}

const POSITION_MASK = 2 ** layout.TEMPLATE_SHIFT - 1
const END_MASK = 2 ** layout.KIND_SHIFT - 1
const POWERS = Array.from({ length: 16 }, (_, n) => 10 ** n)

/** Reads a line in the general way; gives what is wrong with it, `''` for a blank one, `undefined` when it became a row. */
export type GeneralReader = (bytes: Bytes, start: number, end: number) => string | undefined

export interface LineTally {
  line(reason: string | undefined, bytes: Bytes, start: number, end: number): void
  goodLine(): void
}

/** Puts scanned lines into the columns of a table's tail. */
export class ScannedLineAppender {
  readonly #sink: RowBuilder
  readonly #columns: LineColumns
  readonly #templates = new WeakMap<ScannedTemplate, PlacedLine>()
  readonly #time = new TimeReader()
  readonly #clock = new EpochClock()
  readonly #keptTimes: KeptTimes | undefined

  constructor(sink: RowBuilder, table: PlacingTable) {
    this.#sink = sink
    this.#columns = new LineColumns(sink, table)
    const range = sink.keptRange
    this.#keptTimes =
      range === undefined ? undefined : { start: epochTimeOf(range.startNs), end: epochTimeOf(range.endNs) }
  }

  append(lines: ScannedLines, context: TimeContext, general: GeneralReader, tally: LineTally): void {
    const { bytes, words, to, origin = 0 } = lines
    const sink = this.#sink
    const templates = lines.templates.map((template) => this.#template(template))
    for (let at = lines.from; at < to;) {
      const start = words[at] & POSITION_MASK
      const kind = words[at] >>> layout.TEMPLATE_SHIFT
      at++
      sink.place = origin + start
      if (kind === layout.RECORD_DROPPED) {
        sink.skipRow()
        tally.goodLine()
        continue
      }
      if (kind === layout.RECORD_GENERAL) {
        const end = words[at++]
        tally.line(general(bytes, start, end), bytes, start, end)
        continue
      }
      const line = templates[kind]
      if (line !== undefined && this.#place(bytes, words, at, line, context)) tally.goodLine()
      else {
        const end = bytes.indexOf(10, start)
        tally.line(general(bytes, start, end), bytes, start, end)
      }
      at += lines.templates[kind].members.length * 2
    }
  }

  #place(
    bytes: Bytes,
    words: Uint32Array,
    at: number,
    { members, timeAt: time, deciding, defaultLevel }: PlacedLine,
    context: TimeContext,
  ): boolean {
    for (const i of deciding) if (words[at + i * 2 + 1] >>> layout.KIND_SHIFT === layout.KIND_NULL) return false
    let rowTime: EpochTime = this.#clock
    if (time === -1) rowTime = epochTimeOf(clampNs(context.nowNs))
    else {
      const end = words[at + time * 2 + 1]
      const kind = end >>> layout.KIND_SHIFT
      if (kind !== layout.KIND_ASCII && kind !== layout.KIND_NUMBER) return false
      if (!this.#time.read(bytes, words[at + time * 2], end & END_MASK, context)) return false
      this.#clock.set(this.#time.parts.seconds, this.#time.parts.nanos)
    }
    const kept = this.#keptTimes
    if (kept !== undefined && (isEarlier(rowTime, kept.start) || !isEarlier(rowTime, kept.end))) {
      this.#sink.skipRow()
      return true
    }
    const tail = this.#sink.beginRowAt(rowTime)
    const row = tail.rowCount
    for (let i = 0; i < members.length; i++) {
      if (i === time) continue
      const { columns, level } = members[i]
      const end = words[at + i * 2 + 1]
      const kind = end >>> layout.KIND_SHIFT
      if (kind === layout.KIND_NULL) continue
      const start = words[at + i * 2]
      if (kind === layout.KIND_ASCII) {
        for (let k = 0; k < columns.length; k++) columns[k].of(tail).addAscii(row, bytes, start, end)
        level?.addAscii(tail, row, bytes, start, end)
        continue
      }
      const value =
        kind === layout.KIND_NUMBER
          ? readNumber(bytes, start, end & END_MASK)
          : scalarOf(bytes, start, end & END_MASK, kind)
      for (let k = 0; k < columns.length; k++) {
        const builder = columns[k].of(tail)
        if (typeof value === 'number') builder.addNumber(row, value)
        else builder.add(row, value)
      }
      level?.add(tail, row, value)
    }
    if (defaultLevel !== undefined) defaultLevel.column.of(tail).add(row, defaultLevel.level)
    this.#sink.endRow(tail)
    return true
  }

  /** `undefined` where the table has no column left for a member: such a line goes to the general reader. */
  #template(scanned: ScannedTemplate): PlacedLine | undefined {
    const known = this.#templates.get(scanned)
    if (known !== undefined) return known
    const made = this.#columns.line(scanned)
    if (made !== undefined) this.#templates.set(scanned, made)
    return made
  }
}

function scalarOf(bytes: Bytes, start: number, end: number, kind: number): Value {
  if (kind === layout.KIND_TRUE) return true
  if (kind === layout.KIND_FALSE) return false
  const text = (kind & layout.KIND_WIDE) === 0 ? latin1(bytes, start, end) : utf8(bytes, start, end)
  return (kind & layout.KIND_ESCAPED) === 0 ? text : (JSON.parse(`"${text}"`) as string)
}

/** A number without exponent. */
function readNumber(bytes: Bytes, start: number, end: number): Value {
  const isNegative = bytes[start] === 45
  let mantissa = 0
  let digits = 0
  let point = end
  for (let i = isNegative ? start + 1 : start; i < end; i++) {
    const byte = bytes[i]
    if (byte === 46) point = i
    else {
      mantissa = mantissa * 10 + byte - 48
      digits++
    }
  }
  const fraction = point === end ? 0 : end - point - 1
  const keepsText = (fraction > 0 && bytes[end - 1] === 48) || (isNegative && mantissa === 0)
  // Up to 15 digits both halves of the quotient are exact, so that it is rounded once.
  if (digits <= 15 && !keepsText) {
    const value = fraction === 0 ? mantissa : mantissa / POWERS[fraction]
    return isNegative ? -value : value
  }
  return numberOfJson(latin1(bytes, start, end))
}
