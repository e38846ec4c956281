import protobuf from 'protobufjs'
import { Bytes } from '../../base/index.ts'
import type { PartCount } from '../part-count.ts'
import { LENGTH_DELIMITED } from '../protobuf.ts'
import { MAX_OTLP_DEPTH } from '../tuning.ts'

/** The byte range of a message in the body. */
export type ByteRange = readonly [start: number, end: number]

/** The maximum nesting of messages in a record: an attribute, and a list and its item for each level of its value. */
const MAX_MESSAGE_DEPTH = 2 * MAX_OTLP_DEPTH + 2

const WIRE_TYPES: Readonly<Record<string, number | undefined>> = protobuf.types.basic
const PACKED: Readonly<Record<string, number | undefined>> = protobuf.types.packed

/** The limit of the high half up to which a 64-bit integer is exact as a number. */
const SAFE_HIGH = 2 ** 20

/** Returns a 64-bit integer from the reader, as a number if that is exact. */
export function exactInteger({ high, low, unsigned }: protobuf.Long): number | bigint {
  const top = unsigned ? high >>> 0 : high
  if (top < SAFE_HIGH && top >= -SAFE_HIGH) return top * 2 ** 32 + (low >>> 0)
  return (BigInt(top) << 32n) | BigInt(low >>> 0)
}

/**
 * Reads messages directly from the bytes of a body. Only the requested messages are decoded to objects; each of them is
 * counted.
 */
export class MessageReader {
  readonly reader: protobuf.Reader
  readonly parts: PartCount
  /** The number of parts as which a skipped field of a decoded message counts. */
  protected readonly unreadParts: number = 0

  constructor(bytes: Uint8Array, parts: PartCount) {
    // On Node this makes a reader of a Buffer, which decodes bytes that are not UTF-8 as U+FFFD.
    this.reader = protobuf.Reader.create(Bytes.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    this.parts = parts
  }

  /** Reads the length of a message and returns the offset of its end. */
  end(limit: number): number {
    const end = this.reader.uint32() + this.reader.pos
    if (end > limit) throw new Error('a message in it is longer than the one around it')
    return end
  }

  /**
   * Returns the sent members of the message at `[start, end)` under their JSON names. Integers beyond 2^53 are
   * `bigint`; bytes are views of the body. Fields with an unexpected wire type or nested too deep are skipped like
   * unknown fields.
   */
  read(type: protobuf.Type, start: number, end: number, depth = 0): Readonly<Record<string, unknown>> {
    const { reader } = this
    const members: Record<string, unknown> = {}
    reader.pos = start
    while (reader.pos < end) {
      const tag = reader.uint32()
      const field = type.fieldsById[tag >>> 3]
      const wireType = tag & 7
      const isPacked = field?.repeated === true && wireType === LENGTH_DELIMITED && PACKED[field.type] !== undefined
      if (field === undefined || depth > MAX_MESSAGE_DEPTH || (!isPacked && wireType !== wireTypeOf(field))) {
        this.parts.add(this.unreadParts)
        this.#skip(tag)
        continue
      }
      if (!field.repeated) {
        // If several mutually exclusive members were sent, the last one counts.
        for (const other of field.partOf?.oneof ?? []) delete members[other]
        members[field.name] = this.#value(field, end, depth)
        continue
      }
      const list = (members[field.name] ??= []) as unknown[]
      const listEnd = isPacked ? this.end(end) : reader.pos + 1
      while (reader.pos < listEnd) {
        this.parts.add()
        list.push(this.#value(field, end, depth))
      }
    }
    if (reader.pos !== end) throw new Error('a field in it is longer than its message')
    return members
  }

  #value({ resolvedType, type }: protobuf.Field, limit: number, depth: number): unknown {
    const { reader } = this
    if (resolvedType instanceof protobuf.Type) {
      const end = this.end(limit)
      return this.read(resolvedType, reader.pos, end, depth + 1)
    }
    const value: unknown = reader[type as 'string']()
    return value instanceof protobuf.util.Long ? exactInteger(value) : value
  }

  #skip(tag: number): void {
    if (tag >>> 3 === 0) throw new Error('a field in it has no number')
    this.parts.pass()
    this.reader.skipType(tag & 7)
  }

  /**
   * Reads the field at `at` in a message that ends at `end`. For the wanted field, returns the end of the field's
   * message and leaves the reader at the beginning of this message. For another field, returns -1 and leaves the reader
   * after the field.
   */
  message(at: number, end: number, wanted: number): number {
    const reader = this.reader
    reader.pos = at
    const tag = reader.uint32()
    if (tag !== ((wanted << 3) | 2)) {
      // Fields with higher numbers, such as schema URLs, occur once. They are skipped but counted.
      if (tag >>> 3 > 2) this.parts.add()
      this.#skip(tag)
      return -1
    }
    this.parts.begin()
    this.parts.add()
    return this.end(end)
  }

  /** Yields the byte ranges of the messages of one field. */
  *messages(start: number, end: number, wanted: number): Generator<ByteRange> {
    for (let at = start; at < end;) {
      const to = this.message(at, end, wanted)
      if (to !== -1) yield [this.reader.pos, to]
      at = to === -1 ? this.reader.pos : to
    }
  }

  /** Returns the members of the last message of one field; an empty object when there is none. */
  lastOf(type: protobuf.Type, [start, end]: ByteRange, wanted: number): Readonly<Record<string, unknown>> {
    let last = {}
    for (const range of this.messages(start, end, wanted)) last = this.read(type, ...range)
    return last
  }
}

/** Returns the wire type of a field's value. Values of a list may also be packed. */
export function wireTypeOf({ type }: protobuf.Field): number {
  return WIRE_TYPES[type] ?? LENGTH_DELIMITED
}
