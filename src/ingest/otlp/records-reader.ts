import { resourceFields } from './attributes.ts'
import { MessageReader, type Place } from './message-reader.ts'
import { otlpType, type Resource, type Scope } from './messages.ts'
import type { SharedFields } from './sent-records.ts'

const RESOURCE = otlpType('Resource')
const SCOPE = otlpType('Scope')

/** The records of a scope: what they share, and where their messages, of field 2, lie. */
export interface SentScope {
  readonly shared: SharedFields
  readonly place: Place
}

/** A message with records: what it repeats them in is numbered the same in logs and traces. */
export class RecordsReader extends MessageReader {
  *scopes(): Generator<SentScope> {
    for (const group of this.messages(0, this.reader.len, 1)) {
      const { attributes }: Resource = this.lastOf(RESOURCE, group, 1)
      const resource = resourceFields(attributes)
      for (const place of this.messages(...group, 2)) {
        const { name: scopeName }: Scope = this.lastOf(SCOPE, place, 1)
        yield { shared: { resource, scopeName }, place }
      }
    }
  }

  protected override readonly unreadParts = 1
}
