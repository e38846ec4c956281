import { resourceFields } from './attributes.ts'
import { MessageReader, type ByteRange } from './message-reader.ts'
import { otlpType, type Resource, type Scope } from './messages.ts'
import type { SharedFields } from './sent-records.ts'

const RESOURCE = otlpType('Resource')
const SCOPE = otlpType('Scope')

/** The records of a scope: their shared fields, and the byte range that contains their messages (field 2). */
export interface SentScope {
  readonly shared: SharedFields
  readonly range: ByteRange
}

/**
 * Reads the groups of an export of logs or traces. Both use the same field numbers for resources, scopes and records.
 */
export class RecordsReader extends MessageReader {
  *scopes(): Generator<SentScope> {
    for (const group of this.messages(0, this.reader.len, 1)) {
      const { attributes: sentResource = [] }: Resource = this.lastOf(RESOURCE, group, 1)
      const resource = resourceFields(sentResource)
      for (const range of this.messages(...group, 2)) {
        const scope: Scope = this.lastOf(SCOPE, range, 1)
        yield { shared: { resource, sentResource, scope }, range }
      }
    }
  }

  protected override readonly unreadParts = 1
}
