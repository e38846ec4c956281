import type { GeneralReader, RecordFormat, RecordSink } from './general-reader.ts'
import { RecordFramer } from './record-framer.ts'
import type { ReadContext } from '../../record.ts'

/** Reads the records of one input without templates, for callers that need objects. */
export class GeneralRecords {
  readonly #format: RecordFormat
  readonly #reader: GeneralReader
  readonly #framer: RecordFramer

  constructor(format: RecordFormat, sink: RecordSink, context: ReadContext) {
    this.#format = format
    this.#reader = format.reader(sink, context)
    this.#framer = new RecordFramer(sink)
  }

  /** Reads whole lines; stops after a record if `isEnough` returns true. */
  push(chunk: Uint8Array, isEnough: () => boolean = () => false): void {
    const bytes = this.#framer.push(chunk)
    if (bytes === undefined) return
    let start = 0
    while (start < bytes.length && !isEnough()) {
      const end = this.#format.recordEnd(bytes, start, bytes.length)
      if (end === -1) break
      this.#reader.read(bytes, start, end)
      start = end
    }
    this.#framer.keep(bytes.subarray(start))
  }

  /** Stores the open record at the end of the input. */
  flush(): void {
    const rest = this.#framer.end()
    if (rest.length > 0) this.#reader.read(rest, 0, rest.length)
    this.#reader.flush()
  }
}
