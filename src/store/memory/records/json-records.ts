import { Bytes, MAX_JSON_DEPTH } from '../../../base/index.ts'
import {
  isJsonObject,
  isTooDeep,
  parseJsonExact,
  utf8,
  type ExactJson,
  type Instant,
  type MutableRow,
  type Value,
} from '../../../data/index.ts'
import { MAX_ROW_FIELDS, flattenRecord } from '../../record.ts'
import type { GeneralReader, RecordFormat, RecordSink } from './general-reader.ts'
import { noEnvelopes, type Envelopes } from './envelopes.ts'
import { jsonTemplate } from './json-template.ts'
import { lineRecordEnd } from './record-template.ts'

class JsonReader implements GeneralReader {
  readonly #sink: RecordSink
  readonly #envelopes: Envelopes
  readonly #others: GeneralReader | undefined
  /** The last record, not stored yet: the reader of other lines must first learn its time. */
  #last: MutableRow | undefined
  readonly readsAll = false

  constructor(sink: RecordSink, envelopes: Envelopes, others: GeneralReader | undefined) {
    this.#sink = sink
    this.#envelopes = envelopes
    this.#others = others
  }

  get isOpen(): boolean {
    return this.#others?.isOpen === true
  }

  read(bytes: Bytes, start: number, end: number): void {
    const line = utf8(bytes, start, bytes[end - 1] === 10 ? end - 1 : end)
    // In concatenated files, a line may begin with a byte order mark.
    const text = line.charCodeAt(0) === 0xfeff ? line.slice(1) : line
    const isBlank = text.trim() === ''
    const reason = isBlank ? undefined : this.#read(text)
    if (reason !== undefined || (isBlank && this.isOpen)) {
      if (this.#others !== undefined) {
        this.#readOther(this.#others, bytes, start, end)
        return
      }
      if (reason !== undefined) this.#sink.reject(reason, text)
    }
    this.#sink.lines++
  }

  begins(): boolean {
    this.flush()
    return true
  }

  follows(time: Instant | undefined): void {
    this.#last = undefined
    this.#others?.follows?.(time)
  }

  flush(): void {
    this.#last = undefined
    this.#others?.flush()
  }

  #readOther(others: GeneralReader, bytes: Bytes, start: number, end: number): void {
    if (this.#last !== undefined) others.follows?.(this.#sink.timeOf(this.#last))
    this.#last = undefined
    this.#sink.unfoldedLines++
    others.read(bytes, start, end)
  }

  /**
   * Reads a line. Returns the reason if the line is not a record. Faults inside a record are reported through the sink.
   */
  #read(text: string): string | undefined {
    if (isTooDeep(text)) return `nested deeper than ${MAX_JSON_DEPTH} levels`
    let value: ExactJson
    try {
      value = parseJsonExact(text)
    } catch (error) {
      return `not JSON: ${error instanceof Error ? error.message : String(error)}`
    }
    if (!isJsonObject(value)) return 'a JSON line must be an object'
    if (this.isOpen) this.flush()
    const several = this.#envelopes.records(value)
    if (several === undefined) {
      const record: MutableRow = new Map<string, Value>()
      flattenRecord(record, value, MAX_ROW_FIELDS)
      this.#last = record
      this.#sink.record(record, text)
    } else {
      this.#sink.unfoldedLines++
      this.#last = several.at(-1)
      for (const record of several) this.#sink.record(record, text)
    }
    return undefined
  }
}

function isObjectLine(bytes: Bytes, start: number, end: number): boolean {
  try {
    return isJsonObject(parseJsonExact(utf8(bytes, start, end)))
  } catch {
    return false
  }
}

/**
 * Returns the format with one JSON object per line. `others` reads all other lines; without `others` they are rejected.
 */
export function jsonRecords(envelopes: Envelopes = noEnvelopes, others?: RecordFormat): RecordFormat {
  return {
    joins: false,
    recordEnd: lineRecordEnd,
    templateOf: (bytes, start, end) => jsonTemplate(bytes, start, end, envelopes),
    // With `others`, a line that is not a JSON object may continue the previous record.
    beginsAt: (bytes, _, start, end) => others === undefined || isObjectLine(bytes, start, end),
    reader: (sink, context) => new JsonReader(sink, envelopes, others?.reader(sink, context)),
  }
}
