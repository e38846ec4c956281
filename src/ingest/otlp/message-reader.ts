import protobuf from 'protobufjs'
import type { PartCount } from '../part-count.ts'
import { LENGTH_DELIMITED } from '../protobuf.ts'
import type { AnyValue, KeyValue } from './messages.ts'
import { MAX_OTLP_DEPTH } from '../tuning.ts'
import { asBuffer } from '../as-buffer.ts'

/** Where a message lies in the body. */
export type Place = readonly [start: number, end: number]

/** Reads a message where it lies: nothing is made before it is asked for, and everything made is counted. */
export class MessageReader {
  readonly reader: protobuf.Reader
  readonly parts: PartCount

  constructor(bytes: Uint8Array, parts: PartCount) {
    // A reader of a Buffer makes U+FFFD of bytes that are not UTF-8.
    this.reader = protobuf.Reader.create(asBuffer(bytes))
    this.parts = parts
  }

  /** The end of the message that begins here. */
  end(limit: number): number {
    const end = this.reader.uint32() + this.reader.pos
    if (end > limit) throw new Error('a message in it is longer than the one around it')
    return end
  }

  /** Calls back at each field of a message; what is not read of a field is passed over. */
  fields(start: number, end: number, read: (field: number, wireType: number) => boolean): void {
    const reader = this.reader
    reader.pos = start
    while (reader.pos < end) {
      const tag = reader.uint32()
      if (!read(tag >>> 3, tag & 7)) this.#skip(tag)
    }
    if (reader.pos !== end) throw new Error('a field in it is longer than its message')
  }

  /** For a field that is not read, where there should be few of those: counted, and passed over. */
  unread(): false {
    this.parts.add()
    return false
  }

  /** Unix nanoseconds of a fixed64. */
  fixed64(): bigint {
    const low = this.reader.fixed32()
    return (BigInt(this.reader.fixed32()) << 32n) | BigInt(low)
  }

  #skip(tag: number): void {
    if (tag >>> 3 === 0) throw new Error('a field in it has no number')
    this.parts.pass()
    this.reader.skipType(tag & 7)
  }

  /**
   * At `at` in a message that ends at `end`: the end of the message of the wanted field that lies there, whose beginning the reader is at;
   * -1 where there is another field, which the reader is behind of then.
   */
  message(at: number, end: number, wanted: number): number {
    const reader = this.reader
    reader.pos = at
    const tag = reader.uint32()
    if (tag !== ((wanted << 3) | 2)) {
      // What stands beside the messages that hold others comes once, and is not read.
      if (tag >>> 3 > 2) this.parts.add()
      this.#skip(tag)
      return -1
    }
    this.parts.begin()
    this.parts.add()
    return this.end(end)
  }

  /** Where the messages of one field lie. */
  *messages(start: number, end: number, wanted: number): Generator<Place> {
    for (let at = start; at < end;) {
      const to = this.message(at, end, wanted)
      if (to !== -1) yield [this.reader.pos, to]
      at = to === -1 ? this.reader.pos : to
    }
  }

  /** The attributes that a field of a message repeats. */
  attributesIn(start: number, end: number, wanted: number): { readonly key: string; readonly value: AnyValue }[] {
    const attributes: { key: string; value: AnyValue }[] = []
    this.fields(start, end, (field, wireType) => {
      if (field !== wanted || wireType !== LENGTH_DELIMITED) return false
      attributes.push(this.attribute(end))
      return true
    })
    return attributes
  }

  /** The attribute that begins here. */
  attribute(limit: number, depth = 0): { readonly key: string; readonly value: AnyValue } {
    const reader = this.reader
    const end = this.end(limit)
    this.parts.add()
    let key = ''
    let value: AnyValue = {}
    // Not by `#fields`: most of what a body holds are attributes.
    while (reader.pos < end) {
      const tag = reader.uint32()
      if (tag === 10) key = reader.string()
      else if (tag === 18) value = this.value(end, depth)
      else reader.skipType(tag & 7)
    }
    if (reader.pos !== end) throw new Error('a field in it is longer than its message')
    return { key, value }
  }

  /** The value that begins here. */
  value(limit: number, depth = 0): AnyValue {
    const reader = this.reader
    const end = this.end(limit)
    let value: AnyValue = {}
    while (reader.pos < end) {
      const tag = reader.uint32()
      const field = tag >>> 3
      if (field === 1) value = { stringValue: reader.string() }
      else if (field === 2) value = { boolValue: reader.bool() }
      else if (field === 3) value = { intValue: reader.int64() }
      else if (field === 4) value = { doubleValue: reader.double() }
      else if ((field === 5 || field === 6) && depth < MAX_OTLP_DEPTH) value = this.#list(field, end, depth + 1)
      else if (field === 7) value = { bytesValue: reader.bytes() }
      else reader.skipType(tag & 7)
    }
    if (reader.pos !== end) throw new Error('a field in it is longer than its message')
    return value
  }

  #list(field: 5 | 6, limit: number, depth: number): AnyValue {
    const reader = this.reader
    const end = this.end(limit)
    const values: AnyValue[] = []
    const members: KeyValue[] = []
    while (reader.pos < end) {
      const tag = reader.uint32()
      this.parts.add()
      if (tag !== 10) reader.skipType(tag & 7)
      else if (field === 5) values.push(this.value(end, depth))
      else members.push(this.attribute(end, depth))
    }
    if (reader.pos !== end) throw new Error('a field in it is longer than its message')
    return field === 5 ? { arrayValue: { values } } : { kvlistValue: { values: members } }
  }
}
