import protobuf from 'protobufjs'
import type { LabelPair } from '../../data/index.ts'
import type { PartCount } from '../part-count.ts'
import type { Entry, Stream } from './entries.ts'
import { readStreamLabels } from './labels.ts'

const LENGTH_DELIMITED = 2

/** Reads a push where it lies, stream by stream and line by line. Its streams throw an Error on bytes that are not one. */
export class PushReader {
  readonly #reader: protobuf.Reader
  readonly #parts: PartCount

  constructor(bytes: Uint8Array, parts: PartCount) {
    // A reader of a Buffer makes U+FFFD of bytes that are not UTF-8.
    this.#reader = protobuf.Reader.create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    this.#parts = parts
  }

  *streams(): Generator<Stream> {
    for (const [start, end] of this.#messages(0, this.#reader.len, 1)) {
      let labels = ''
      this.#reader.pos = start
      while (this.#reader.pos < end) {
        const tag = this.#reader.uint32()
        if (tag === 10) labels = this.#reader.string()
        else this.#skip(tag)
      }
      yield { labels: readStreamLabels(labels), entries: this.#entries(start, end) }
    }
  }

  *#entries(start: number, end: number): Generator<Entry> {
    for (const [from, to] of this.#messages(start, end, 2)) yield this.#entry(from, to)
  }

  #entry(start: number, end: number): Entry {
    const reader = this.#reader
    const metadata: LabelPair[] = []
    let timeNs: bigint | undefined
    let line = ''
    reader.pos = start
    while (reader.pos < end) {
      const tag = reader.uint32()
      if (tag === 10) timeNs = this.#time(end)
      else if (tag === 18) line = reader.string()
      else if (tag === 26) metadata.push(this.#pair(end))
      else this.#skip(tag)
    }
    if (reader.pos !== end) throw new Error('a field in it is longer than its message')
    return { timeNs, line, metadata }
  }

  #time(limit: number): bigint | undefined {
    const end = this.#end(limit)
    let seconds: { toString(): string } | number = 0
    let nanos = 0
    while (this.#reader.pos < end) {
      const tag = this.#reader.uint32()
      if (tag === 8) seconds = this.#reader.int64()
      else if (tag === 16) nanos = this.#reader.int32()
      else this.#skip(tag)
    }
    const timeNs = BigInt(String(seconds)) * 1_000_000_000n + BigInt(nanos)
    return timeNs === 0n ? undefined : timeNs
  }

  #pair(limit: number): LabelPair {
    const end = this.#end(limit)
    this.#parts.add()
    let name = ''
    let value = ''
    while (this.#reader.pos < end) {
      const tag = this.#reader.uint32()
      if (tag === 10) name = this.#reader.string()
      else if (tag === 18) value = this.#reader.string()
      else this.#skip(tag)
    }
    return [name, value]
  }

  /** Where the messages of one field lie. */
  *#messages(start: number, end: number, wanted: number): Generator<readonly [start: number, end: number]> {
    const reader = this.#reader
    for (let at = start; at < end;) {
      reader.pos = at
      const tag = reader.uint32()
      if (tag !== ((wanted << 3) | LENGTH_DELIMITED)) {
        this.#skip(tag)
        at = reader.pos
        continue
      }
      this.#parts.begin()
      this.#parts.add()
      const to = this.#end(end)
      yield [reader.pos, to]
      at = to
    }
  }

  #end(limit: number): number {
    const end = this.#reader.uint32() + this.#reader.pos
    if (end > limit) throw new Error('a message in it is longer than the one around it')
    return end
  }

  #skip(tag: number): void {
    if (tag >>> 3 === 0) throw new Error('a field in it has no number')
    this.#parts.pass()
    this.#reader.skipType(tag & 7)
  }
}
