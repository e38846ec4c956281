import { Bytes, MAX_JSON_DEPTH } from '../../../base/index.ts'
import {
  isJsonObject,
  isTooDeep,
  parseJsonExact,
  utf8,
  type ExactJson,
  type ExactJsonObject,
  type MutableRow,
  type Value,
} from '../../../data/index.ts'
import { MAX_ROW_FIELDS, flattenRecord } from '../../record.ts'
import type { GeneralReader, RecordFormat, RecordSink } from './general-reader.ts'
import { jsonTemplate } from './json-template.ts'
import { lineRecordEnd } from './record-template.ts'

/** Objects that hold several records. */
export interface Envelopes {
  /** Members that are lists of records in some objects. */
  readonly lists: ReadonlySet<string>
  /** The records of an object; `undefined` for one that is a record itself. */
  readonly records: (value: ExactJsonObject) => readonly MutableRow[] | undefined
}

const noEnvelopes: Envelopes = { lists: new Set(), records: () => undefined }

class JsonReader implements GeneralReader {
  readonly #sink: RecordSink
  readonly #envelopes: Envelopes
  readonly isOpen = false
  readonly readsAll = false

  constructor(sink: RecordSink, envelopes: Envelopes) {
    this.#sink = sink
    this.#envelopes = envelopes
  }

  read(bytes: Bytes, start: number, end: number): void {
    const text = utf8(bytes, start, bytes[end - 1] === 10 ? end - 1 : end)
    const reason = text.trim() === '' ? undefined : this.#read(text)
    if (reason !== undefined) this.#sink.reject(reason, text)
    this.#sink.lines++
  }

  begins(): boolean {
    return true
  }

  flush(): void {}

  /** Gives why the line is not a record; faults of a record are told by the sink. */
  #read(text: string): string | undefined {
    if (isTooDeep(text)) return `nested deeper than ${MAX_JSON_DEPTH} levels`
    let value: ExactJson
    try {
      value = parseJsonExact(text)
    } catch (error) {
      return `not JSON: ${error instanceof Error ? error.message : String(error)}`
    }
    if (!isJsonObject(value)) return 'a JSON line must be an object'
    const several = this.#envelopes.records(value)
    if (several === undefined) {
      const record: MutableRow = new Map<string, Value>()
      flattenRecord(record, value, MAX_ROW_FIELDS)
      this.#sink.record(record, text)
    } else {
      this.#sink.unfoldedLines++
      for (const record of several) this.#sink.record(record, text)
    }
    return undefined
  }
}

/** One JSON object a line. */
export function jsonRecords(envelopes: Envelopes = noEnvelopes): RecordFormat {
  return {
    joins: false,
    recordEnd: lineRecordEnd,
    templateOf: (bytes, start, end) => jsonTemplate(bytes, start, end, envelopes.lists),
    beginsAt: () => true,
    reader: (sink) => new JsonReader(sink, envelopes),
  }
}
