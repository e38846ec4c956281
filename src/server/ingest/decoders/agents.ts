import { MAX_CACHED } from '../../../base/index.ts'
import {
  BadBulk,
  bulkDocuments,
  checkBulk,
  datadogLogs,
  forwardEntries,
  forwardMessages,
  journalEntries,
  splunkEvents,
  syslogMessages,
  wholeEntries,
  type BulkOutcome,
  type Items,
} from '../../../ingest/agents/index.ts'
import { fault } from '../../errors/http-fault.ts'
import type { IngestDecoder } from '../decoder.ts'
import { itemBatch } from './item-batch.ts'
import { InternedStrings } from '../marks.ts'

/** Returns a decoder for the protocol of an agent, whose records are all logs. */
function agentDecoder(format: string, itemsOf: (payload: Uint8Array) => Items): IngestDecoder {
  return {
    table: 'logs',
    format,
    decode: (payload, nowNs, options) => itemBatch(() => itemsOf(payload), { nowNs, options }),
  }
}

/**
 * Returns the result of one action of the bulk API as JSON text, and a shorter text that is used if the results take
 * too much memory.
 */
function markOf({ name, index, bad }: BulkOutcome): readonly [text: string, plain: string] {
  const status = bad === undefined ? 201 : 400
  const plain = { status, ...(bad === undefined ? {} : { error: { type: 'document_parsing_exception' } }) }
  const result = {
    ...(index === undefined ? {} : { _index: index.slice(0, 255) }),
    status,
    ...(bad === undefined
      ? { result: 'created' }
      : { error: { type: 'document_parsing_exception', reason: bad.reason.slice(0, 300) } }),
  }
  return [JSON.stringify({ [name]: result }), JSON.stringify({ [name]: plain })]
}

const bulkDecoder: IngestDecoder = {
  table: 'logs',
  format: 'elasticsearch-bulk',
  *decode(payload, nowNs, options) {
    try {
      yield* checkBulk(payload)
    } catch (error) {
      if (error instanceof BadBulk) throw fault('bad-payload', { format: 'bulk request', reason: error.message })
      throw error
    }
    const stored = new Map<string, readonly [string, string]>()
    const markOfOutcome = (outcome: BulkOutcome): readonly [string, string] => {
      if (outcome.bad !== undefined) return markOf(outcome)
      const key = `${outcome.name} ${outcome.index}`
      const mark = stored.get(key) ?? markOf(outcome)
      if (stored.size < MAX_CACHED) stored.set(key, mark)
      return mark
    }
    const itemsOf = (marks?: InternedStrings): Items =>
      bulkDocuments(payload, (outcome) => marks?.add(...markOfOutcome(outcome)))
    return yield* itemBatch(itemsOf, { nowNs, options }, () => new InternedStrings())
  },
}

const syslogDecoder: IngestDecoder = {
  table: 'logs',
  format: 'syslog',
  decode: (payload, nowNs, options) =>
    itemBatch(() => syslogMessages(payload, { nowNs, zone: options?.zone }), { nowNs, options }),
}

/**
 * Decoder for messages of the forward protocol. The mark of a message is the reason why the message was not stored, or
 * empty.
 */
const forwardDecoder: IngestDecoder = {
  table: 'logs',
  format: 'forward',
  isBinary: true,
  decode: (payload, nowNs, options) => {
    const itemsOf = (marks?: InternedStrings): Items =>
      forwardMessages(payload, (reason) => marks?.add(reason ?? '', reason === undefined ? '' : 'it has no record'))
    return itemBatch(itemsOf, { nowNs, options }, () => new InternedStrings())
  },
}

/** Decoders for the protocols of log shippers. */
export const agentDecoders: readonly IngestDecoder[] = [
  bulkDecoder,
  agentDecoder('splunk-events', splunkEvents),
  agentDecoder('datadog', datadogLogs),
  { ...agentDecoder('journal', journalEntries), wholeBytes: wholeEntries },
  syslogDecoder,
  forwardDecoder,
  { ...agentDecoder('forward-entries', forwardEntries), isBinary: true },
]
