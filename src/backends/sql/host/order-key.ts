import { rankOf, toText, typeClass, type Value } from '../../../data/index.ts'

/**
 * First byte of a sort key, by type rank, so that keys of all types sort by bytes. Empty values have no key, since they
 * are last in both directions.
 */

const RANKS = [0x10, 0x20, 0x30] as const

/** Encodes a double as eight bytes that sort in numeric order. NaN becomes eight times `nanByte`. */
function doubleBytes(value: number, nanByte: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  if (value !== value) return bytes.fill(nanByte)
  bytes.writeDoubleBE(value === 0 ? 0 : value)
  const [first = 0] = bytes
  if ((first & 0x80) === 0) bytes[0] = first | 0x80
  else for (const [i, byte] of bytes.entries()) bytes[i] = ~byte & 0xff
  return bytes
}

function nextBelow(value: number): number {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  const raw = bits.getBigInt64(0)
  bits.setBigInt64(0, value > 0 ? raw - 1n : raw + 1n)
  return bits.getFloat64(0)
}

/**
 * Encodes a number as a sort key: the largest double that is not above the number, then the remaining difference,
 * preceded by its length.
 */
function numberBytes(value: number | bigint, nanByte: number): Buffer {
  if (typeof value === 'number') return Buffer.concat([doubleBytes(value, nanByte), Buffer.alloc(2)])
  let below = Number(value)
  if (BigInt(below) > value) below = nextBelow(below)
  const hex = (value - BigInt(below)).toString(16)
  const rest = hex === '0' ? Buffer.alloc(0) : Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  const length = Buffer.allocUnsafe(2)
  length.writeUInt16BE(rest.length)
  return Buffer.concat([doubleBytes(below, nanByte), length, rest])
}

function timeBytes(ns: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigUInt64BE(BigInt.asUintN(64, ns ^ (1n << 63n)))
  return bytes
}

/** Encodes a string as UTF-8. Unpaired surrogates are encoded too, so that they sort in code point order. */
function textBytes(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text)
  return Buffer.concat(
    Array.from(text, (char) => {
      const code = char.codePointAt(0) ?? 0
      if (code < 0xd800 || code > 0xdfff) return Buffer.from(char)
      return Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)])
    }),
  )
}

/**
 * Returns a key whose byte order is the order of `compareSortKey`; values that compare as equal have equal keys.
 * `direction` is the direction of the statement's order: NaN sorts above all numbers for `asc` and below all for
 * `desc`, so that it comes last. `null` for empty values.
 */
export function sortKey(value: Value, direction: 'asc' | 'desc' = 'asc'): Buffer | null {
  const ranked = rankOf(value)
  switch (ranked.rank) {
    case 0:
      return Buffer.concat([Buffer.from([RANKS[0]]), numberBytes(ranked.key, direction === 'asc' ? 0xff : 0)])
    case 1:
      return Buffer.concat([Buffer.from([RANKS[1]]), timeBytes(ranked.key)])
    case 2:
      return Buffer.concat([Buffer.from([RANKS[2]]), textBytes(ranked.key)])
    case 3:
      return null
  }
}

/**
 * Returns a key whose byte order is the order of `compareGroupKeys`: values with equal sort keys are ordered by string,
 * then by type. `null` for empty values.
 */
export function groupOrderKey(value: Value): Buffer | null {
  const key = sortKey(value)
  if (key === null) return null
  const text = key[0] === RANKS[2] ? Buffer.alloc(0) : textBytes(toText(value))
  // A zero byte ends each string, and zero bytes inside are escaped. Zero sorts below all other UTF-8 bytes, so a
  // prefix sorts first.
  return Buffer.concat([escapeZero(key), escapeZero(text), Buffer.from([typeClass(value)])])
}

function escapeZero(bytes: Buffer): Buffer {
  if (!bytes.includes(0)) return Buffer.concat([bytes, Buffer.alloc(2)])
  const out: number[] = []
  for (const byte of bytes) {
    out.push(byte)
    if (byte === 0) out.push(0xff)
  }
  out.push(0, 0)
  return Buffer.from(out)
}
