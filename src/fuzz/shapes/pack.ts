import { SECOND_NS } from '../../base/index.ts'
/**
 * A value for MessagePack. A `Uint8Array` becomes binary data, an `PackExtension` an extension type, and an integer takes
 * the fewest bytes.
 */
export type Packable =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | PackExtension
  | readonly Packable[]
  | { readonly [key: string]: Packable }

export class PackExtension {
  readonly type: number
  readonly bytes: Uint8Array

  constructor(type: number, bytes: Uint8Array) {
    this.type = type
    this.bytes = bytes
  }
}

/** Encodes a time of the Fluentd forward protocol, in nanoseconds since 1970. */
export function eventTime(ns: bigint): PackExtension {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32BE(Number(ns / SECOND_NS), 0)
  bytes.writeUInt32BE(Number(ns % SECOND_NS), 4)
  return new PackExtension(0, bytes)
}

/**
 * Writes the first byte of a value and its length in 1, 2 or 4 bytes. A first byte of 0 marks a length that MessagePack
 * does not have for the type.
 */
function head(
  length: number,
  short: { readonly first: number; readonly most: number },
  firsts: readonly number[],
): Buffer {
  if (length <= short.most) return Buffer.of(short.first + length)
  const [of8 = 0, of16 = 0, of32 = 0] = firsts
  if (of8 !== 0 && length < 256) return Buffer.of(of8, length)
  const bytes = Buffer.alloc(length < 65_536 ? 3 : 5)
  bytes[0] = length < 65_536 ? of16 : of32
  if (length < 65_536) bytes.writeUInt16BE(length, 1)
  else bytes.writeUInt32BE(length, 1)
  return bytes
}

function packInteger(value: bigint): Buffer {
  if (value >= -32n && value <= 127n) return Buffer.of(Number(value) & 0xff)
  const bytes = Buffer.alloc(9)
  if (value >= 0n && value < 2n ** 32n) {
    bytes[0] = 0xce
    bytes.writeUInt32BE(Number(value), 1)
    return bytes.subarray(0, 5)
  }
  if (value < 0n && value >= -(2n ** 31n)) {
    bytes[0] = 0xd2
    bytes.writeInt32BE(Number(value), 1)
    return bytes.subarray(0, 5)
  }
  bytes[0] = value < 0n ? 0xd3 : 0xcf
  if (value < 0n) bytes.writeBigInt64BE(value, 1)
  else bytes.writeBigUInt64BE(value, 1)
  return bytes
}

function packFloat(value: number): Buffer {
  const bytes = Buffer.alloc(9)
  bytes[0] = 0xcb
  bytes.writeDoubleBE(value, 1)
  return bytes
}

const NONE = { first: 0, most: -1 }

export function pack(value: Packable): Buffer {
  if (value === null) return Buffer.of(0xc0)
  if (typeof value === 'boolean') return Buffer.of(value ? 0xc3 : 0xc2)
  if (typeof value === 'bigint') return packInteger(value)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? packInteger(BigInt(value)) : packFloat(value)
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([head(bytes.length, { first: 0xa0, most: 31 }, [0xd9, 0xda, 0xdb]), bytes])
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(value.length, NONE, [0xc4, 0xc5, 0xc6]), value])
  if (value instanceof PackExtension) {
    const { type, bytes } = value
    const first = bytes.length === 8 ? Buffer.of(0xd7) : head(bytes.length, NONE, [0xc7, 0xc8, 0xc9])
    return Buffer.concat([first, Buffer.of(type & 0xff), bytes])
  }
  if (Array.isArray(value)) {
    const items = (value as readonly Packable[]).map(pack)
    return Buffer.concat([head(items.length, { first: 0x90, most: 15 }, [0, 0xdc, 0xdd]), ...items])
  }
  const members = Object.entries(value as { readonly [key: string]: Packable })
  const packed = members.flatMap(([name, member]) => [pack(name), pack(member)])
  return Buffer.concat([head(members.length, { first: 0x80, most: 15 }, [0, 0xde, 0xdf]), ...packed])
}
