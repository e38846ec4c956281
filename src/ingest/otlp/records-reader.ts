import { resourceFields } from './attributes.ts'
import { MessageReader, type Place } from './message-reader.ts'
import type { KeyValue } from './messages.ts'
import type { SharedFields } from './sent-records.ts'

/** The records of a scope: what they share, and where their messages, of field 2, lie. */
export interface SentScope {
  readonly shared: SharedFields
  readonly place: Place
}

/** A message with records: what it repeats them in is numbered the same in logs and traces. */
export class RecordsReader extends MessageReader {
  *scopes(): Generator<SentScope> {
    for (const [start, end] of this.messages(0, this.reader.len, 1)) {
      let attributes: readonly KeyValue[] = []
      for (const place of this.messages(start, end, 1)) attributes = this.attributesIn(...place, 1)
      const resource = resourceFields(attributes)
      for (const [from, to] of this.messages(start, end, 2)) {
        let scopeName: string | undefined
        for (const place of this.messages(from, to, 1)) scopeName = this.#scopeName(...place)
        yield { shared: { resource, scopeName }, place: [from, to] }
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
}
