import type { LabelPair } from '../../data/index.ts'
import { MessageReader } from '../otlp/message-reader.ts'
import { LENGTH_DELIMITED, VARINT } from '../protobuf.ts'
import type { Entry, Stream } from './entries.ts'
import { readStreamLabels } from './labels.ts'

/** Reads a push where it lies, stream by stream and line by line. Its streams throw an Error on bytes that are not one. */
export class PushReader extends MessageReader {
  *streams(): Generator<Stream> {
    for (const [start, end] of this.messages(0, this.reader.len, 1)) {
      let labels = ''
      this.fields(start, end, (field, wireType) => {
        if (field !== 1 || wireType !== LENGTH_DELIMITED) return false
        labels = this.reader.string()
        return true
      })
      yield { labels: readStreamLabels(labels), entries: this.#entries(start, end) }
    }
  }

  *#entries(start: number, end: number): Generator<Entry> {
    for (const [from, to] of this.messages(start, end, 2)) yield this.#entry(from, to)
  }

  #entry(start: number, end: number): Entry {
    const metadata: LabelPair[] = []
    let timeNs: bigint | undefined
    let line = ''
    this.fields(start, end, (field, wireType) => {
      if (wireType !== LENGTH_DELIMITED) return false
      if (field === 1) timeNs = this.#time(end)
      else if (field === 2) line = this.reader.string()
      else if (field === 3) metadata.push(this.#pair(end))
      else return false
      return true
    })
    return { timeNs, line, metadata }
  }

  #time(limit: number): bigint | undefined {
    const end = this.end(limit)
    let seconds: { toString(): string } | number = 0
    let nanos = 0
    this.fields(this.reader.pos, end, (field, wireType) => {
      if (wireType !== VARINT) return false
      if (field === 1) seconds = this.reader.int64()
      else if (field === 2) nanos = this.reader.int32()
      else return false
      return true
    })
    const timeNs = BigInt(String(seconds)) * 1_000_000_000n + BigInt(nanos)
    return timeNs === 0n ? undefined : timeNs
  }

  #pair(limit: number): LabelPair {
    const end = this.end(limit)
    this.parts.add()
    let name = ''
    let value = ''
    this.fields(this.reader.pos, end, (field, wireType) => {
      if (wireType !== LENGTH_DELIMITED) return false
      if (field === 1) name = this.reader.string()
      else if (field === 2) value = this.reader.string()
      else return false
      return true
    })
    return [name, value]
  }
}
