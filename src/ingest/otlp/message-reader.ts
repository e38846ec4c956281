import protobuf from 'protobufjs'
import { Bytes } from '../../base/index.ts'
import type { PartCount } from '../part-count.ts'
import { LENGTH_DELIMITED } from '../protobuf.ts'
import { MAX_OTLP_DEPTH } from '../tuning.ts'

/** Where a message lies in the body. */
export type Place = readonly [start: number, end: number]

/** Messages within each other in a record: an attribute, and a list and its item for each level of its value. */
const MAX_MESSAGE_DEPTH = 2 * MAX_OTLP_DEPTH + 2

const WIRE_TYPES: Readonly<Record<string, number | undefined>> = protobuf.types.basic
const PACKED: Readonly<Record<string, number | undefined>> = protobuf.types.packed

/** Halves of this size and less make a number that is exact. */
const SAFE_HIGH = 2 ** 20

/** A 64-bit integer as the reader gives it, as a number where that is exact. */
export function exactInteger({ high, low, unsigned }: protobuf.Long): number | bigint {
  const top = unsigned ? high >>> 0 : high
  if (top < SAFE_HIGH && top >= -SAFE_HIGH) return top * 2 ** 32 + (low >>> 0)
  return (BigInt(top) << 32n) | BigInt(low >>> 0)
}

/** Reads a message where it lies: nothing is made before it is asked for, and everything made is counted. */
export class MessageReader {
  readonly reader: protobuf.Reader
  readonly parts: PartCount
  /** Parts that each field counts as whose message is read and it is not. */
  protected readonly unreadParts: number = 0

  constructor(bytes: Uint8Array, parts: PartCount) {
    // On Node a reader of a Buffer, which makes U+FFFD of bytes that are not UTF-8.
    this.reader = protobuf.Reader.create(Bytes.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    this.parts = parts
  }

  /** The end of the message that begins here. */
  end(limit: number): number {
    const end = this.reader.uint32() + this.reader.pos
    if (end > limit) throw new Error('a message in it is longer than the one around it')
    return end
  }

  /**
   * The members of the message at `[start, end)` that were sent, under their names in JSON: integers beyond 2^53 as `bigint`, bytes as they
   * lie in the body. What is of another wire type, or nested too deep, is passed over as fields that the type lacks are.
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
        // Of several members that exclude each other the last one counts.
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

  /** The last message of one field, whose members are read; none where there is none. */
  lastOf(type: protobuf.Type, [start, end]: Place, wanted: number): Readonly<Record<string, unknown>> {
    let last = {}
    for (const place of this.messages(start, end, wanted)) last = this.read(type, ...place)
    return last
  }
}

/** How a value of a field is written; that of a list may be packed. */
export function wireTypeOf({ type }: protobuf.Field): number {
  return WIRE_TYPES[type] ?? LENGTH_DELIMITED
}
