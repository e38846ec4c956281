import { SluiceError } from '../../base/index.ts'
import type { PartCount } from '../part-count.ts'
import { resourceFields } from './attributes.ts'
import { MessageReader, type Place } from './message-reader.ts'
import type { KeyValue } from './messages.ts'
import type { SentRecord } from './sent-records.ts'

/** A message with records: what it repeats them in is numbered the same in logs and traces. */
export class RecordsReader<T> extends MessageReader {
  readonly #read: (reader: MessageReader, ...place: Place) => T

  constructor(bytes: Uint8Array, parts: PartCount, read: (reader: MessageReader, ...place: Place) => T) {
    super(bytes, parts)
    this.#read = read
  }

  *records(): Generator<SentRecord<T>> {
    for (const [start, end] of this.messages(0, this.reader.len, 1)) {
      let attributes: readonly KeyValue[] = []
      for (const place of this.messages(start, end, 1)) attributes = this.attributesIn(...place, 1)
      const resource = resourceFields(attributes)
      for (const [from, to] of this.messages(start, end, 2)) {
        let scopeName: string | undefined
        for (const place of this.messages(from, to, 1)) scopeName = this.#scopeName(...place)
        const shared = { resource, scopeName }
        for (const place of this.messages(from, to, 2)) yield { shared, record: this.#record(...place) }
      }
    }
  }

  #scopeName(start: number, end: number): string {
    let name = ''
    this.fields(start, end, (field) => {
      if (field !== 1) return this.unread()
      name = this.reader.string()
      return true
    })
    return name
  }

  #record(start: number, end: number): T | string {
    try {
      return this.#read(this, start, end)
    } catch (error) {
      if (error instanceof SluiceError && error.code === 'ingest/too-many-parts-in-one') return error.message
      throw error
    }
  }
}
