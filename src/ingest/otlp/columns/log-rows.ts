import { MAX_KNOWN_LEVELS, sentKind } from '../../../store/index.ts'
import type { MutableRow } from '../../../data/index.ts'
import { levelOf, logRow } from '../logs.ts'
import type { MessageReader } from '../message-reader.ts'
import { otlpType } from '../messages.ts'
import type { SharedFields } from '../sent-records.ts'
import { RecordRows } from './record-rows.ts'
import { MAX_LEVEL_BYTES } from '../../tuning.ts'

const LOG_RECORD = otlpType('LogRecord')

/** A level as it was sent, and as it is kept. */
interface KnownLevel {
  readonly severity: number
  readonly text: Uint8Array
  /** ASCII of the side memory; `undefined` for none. */
  readonly level: { readonly start: number; readonly end: number } | undefined
}

/** Rows of an export of logs. */
export class LogRows extends RecordRows {
  readonly #level = this.writer.key('level')
  readonly #traceId = this.writer.key('trace_id')
  readonly #spanId = this.writer.key('span_id')
  readonly #eventName = this.writer.key('event.name')
  readonly #content = this.writer.key('content')
  readonly #levels: KnownLevel[] = []

  protected override objectOf(reader: MessageReader, start: number, end: number, shared: SharedFields): MutableRow {
    return logRow(reader.read(LOG_RECORD, start, end), shared)
  }

  protected override write(start: number, end: number): boolean {
    const { bytes, writer } = this
    let [timeHigh, timeLow, observedHigh, observedLow] = [0, 0, 0, 0]
    let severity = 0
    // Of texts and ids: where they begin and end, 0 and 0 where there are none.
    let [levelStart, levelEnd, bodyStart, bodyEnd, traceStart, traceEnd] = [0, 0, 0, 0, 0, 0]
    let [spanStart, spanEnd, eventStart, eventEnd] = [0, 0, 0, 0]
    let at = start
    while (at < end) {
      const tag = bytes[at++]
      if ((tag & 7) === 2) {
        this.at = at
        const length = this.length()
        const from = this.at
        const to = from + length
        if (!(to <= end)) return false
        if (tag === 0x32) {
          if (!this.attribute(from, to)) return false
        } else if (tag === 0x1a) [levelStart, levelEnd] = [from, to]
        else if (tag === 0x2a) [bodyStart, bodyEnd] = [from, to]
        else if (tag === 0x4a) [traceStart, traceEnd] = [from, to]
        else if (tag === 0x52) [spanStart, spanEnd] = [from, to]
        else if (tag === 0x62) [eventStart, eventEnd] = [from, to]
        else return false
        at = to
      } else if (tag === 0x09 || tag === 0x59) {
        if (at + 8 > end) return false
        if (tag === 0x09) [timeLow, timeHigh] = [this.word(at), this.word(at + 4)]
        else [observedLow, observedHigh] = [this.word(at), this.word(at + 4)]
        at += 8
      } else if (tag === 0x10) {
        severity = bytes[at++]
        if (severity >= 0x80) return false
      } else if (tag === 0x38) {
        if (bytes[at++] >= 0x80 || !this.unread()) return false
      } else if (tag === 0x45) {
        at += 4
        if (!this.unread()) return false
      } else return false
    }
    if (at !== end) return false
    if (timeHigh === 0 && timeLow === 0) [timeHigh, timeLow] = [observedHigh, observedLow]
    if ((timeHigh !== 0 || timeLow !== 0) && !writer.addTime(timeHigh, timeLow)) return false
    return (
      this.#addLevel(severity, levelStart, levelEnd) &&
      this.id(this.#traceId, traceStart, traceEnd) &&
      this.id(this.#spanId, spanStart, spanEnd) &&
      (eventStart === eventEnd || this.text(this.#eventName, eventStart, eventEnd)) &&
      this.value(this.#content, bodyStart, bodyEnd)
    )
  }

  #addLevel(severity: number, start: number, end: number): boolean {
    const known = this.#knownLevel(severity, start, end)
    if (known === undefined) return false
    const { level } = known
    return level === undefined || this.writer.add(this.#level, sentKind.side, level.start, level.end)
  }

  /** `undefined` for one that is not ASCII. */
  #knownLevel(severity: number, start: number, end: number): KnownLevel | undefined {
    const { bytes, writer } = this
    const length = end - start
    for (const known of this.#levels) {
      if (known.severity !== severity || known.text.length !== length) continue
      let i = 0
      while (i < length && known.text[i] === bytes[start + i]) i++
      if (i === length) return known
    }
    const text = bytes.subarray(start, end)
    if (length > MAX_LEVEL_BYTES || text.some((byte) => byte >= 0x80)) return undefined
    const level = levelOf({ severityNumber: severity, severityText: String.fromCharCode(...text) })
    const at = level === undefined ? 0 : writer.addSide(level)
    const made = { severity, text, level: level === undefined ? undefined : { start: at, end: at + level.length } }
    if (this.#levels.length === MAX_KNOWN_LEVELS) this.#levels.length = 0
    this.#levels.push(made)
    return made
  }
}
