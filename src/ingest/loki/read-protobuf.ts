import protobuf from 'protobufjs'
import type { LabelPair } from '../../data/index.ts'
import { MessageReader, type ByteRange } from '../otlp/message-reader.ts'
import type { Entry, Stream } from './entries.ts'
import { readStreamLabels } from './labels.ts'

const { root } = protobuf.parse(`
  syntax = "proto3";
  message Stream { string labels = 1; }
  message Entry { Timestamp timestamp = 1; string line = 2; repeated LabelPair structuredMetadata = 3; }
  message Timestamp { int64 seconds = 1; int32 nanos = 2; }
  message LabelPair { string name = 1; string value = 2; }
`)
root.resolveAll()
const STREAM = root.lookupType('Stream')
const ENTRY = root.lookupType('Entry')

/** The decoded fields of an entry. */
interface SentEntry {
  readonly timestamp?: { readonly seconds?: number | bigint; readonly nanos?: number }
  readonly line?: string
  readonly structuredMetadata?: readonly { readonly name?: string; readonly value?: string }[]
}

/**
 * Reads a push directly from its bytes, stream by stream and line by line. Its streams throw an Error when the bytes
 * are not a push.
 */
export class PushReader extends MessageReader {
  *streams(): Generator<Stream> {
    for (const range of this.messages(0, this.reader.len, 1)) {
      const { labels = '' }: { readonly labels?: string } = this.read(STREAM, ...range)
      yield { labels: readStreamLabels(labels), entries: this.#entries(range) }
    }
  }

  *#entries(stream: ByteRange): Generator<Entry> {
    for (const range of this.messages(...stream, 2)) {
      const { timestamp, line = '', structuredMetadata = [] }: SentEntry = this.read(ENTRY, ...range)
      const metadata = structuredMetadata.map(({ name = '', value = '' }): LabelPair => [name, value])
      yield { timeNs: timeOf(timestamp), line, metadata }
    }
  }
}

function timeOf({ seconds = 0, nanos = 0 }: NonNullable<SentEntry['timestamp']> = {}): bigint | undefined {
  const timeNs = BigInt(seconds) * 1_000_000_000n + BigInt(nanos)
  return timeNs === 0n ? undefined : timeNs
}
