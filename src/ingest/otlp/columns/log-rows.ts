import { MAX_KNOWN_LEVELS, sentKind } from '../../../store/index.ts'
import type { MutableRow } from '../../../data/index.ts'
import { levelOf, logRow } from '../logs.ts'
import type { MessageReader } from '../message-reader.ts'
import { otlpType } from '../messages.ts'
import type { SharedFields } from '../sent-records.ts'
import { fieldsByTag } from '../sent-fields.ts'
import { RecordRows } from './record-rows.ts'
import { MAX_LEVEL_BYTES } from '../../tuning.ts'

const LOG_RECORD = otlpType('LogRecord')
const FIELDS = fieldsByTag(LOG_RECORD)

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
    const { writer, from, to } = this
    if (!this.fields(start, end, FIELDS)) return false
    const time = this.isZero(from[1]) ? from[11] : from[1]
    if (!this.isZero(time) && !writer.addTime(this.word(time + 4), this.word(time))) return false
    return (
      this.#addLevel(this.numberOf(2), from[3], to[3]) &&
      this.id(this.#traceId, from[9], to[9]) &&
      this.id(this.#spanId, from[10], to[10]) &&
      (from[12] === to[12] || this.text(this.#eventName, from[12], to[12])) &&
      this.value(this.#content, from[5], to[5])
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
