import { latin1, type MutableRow } from '../../../data/index.ts'
import { levelOf, logRow, sharedLogFields } from '../logs.ts'
import type { MessageReader } from '../message-reader.ts'
import { otlpType } from '../messages.ts'
import type { SharedFields } from '../sent-records.ts'
import { fieldsByTag } from '../sent-fields.ts'
import { RecordRows } from './record-rows.ts'
import { MAX_LEVEL_BYTES } from '../../tuning.ts'

const LOG_RECORD = otlpType('LogRecord')
const FIELDS = fieldsByTag(LOG_RECORD)

/** The rows of a log export. */
export class OtlpLogRows extends RecordRows {
  readonly #level = this.writer.key('level')
  readonly #traceId = this.writer.key('trace_id')
  readonly #spanId = this.writer.key('span_id')
  readonly #eventName = this.writer.key('event.name')
  readonly #content = this.writer.key('content')

  protected override sharedRow(shared: SharedFields): MutableRow {
    return sharedLogFields(shared)
  }

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

  /** Adds the level of a record. Returns false if it is not ASCII or longer than `MAX_LEVEL_BYTES`. */
  #addLevel(severityNumber: number, start: number, end: number): boolean {
    const { bytes } = this
    if (end - start > MAX_LEVEL_BYTES) return false
    for (let i = start; i < end; i++) if (bytes[i] >= 0x80) return false
    const level = levelOf({ severityNumber, severityText: latin1(bytes, start, end) })
    return level === undefined || this.addWord(this.#level, level)
  }
}
