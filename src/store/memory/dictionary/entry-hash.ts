import { Bytes, FNV_FACTOR, FNV_FIRST } from '../../../base/index.ts'
import {
  decodeText,
  encodeText,
  fold,
  Instant,
  JsonText,
  tagOf,
  valueTag,
  type Dictionary,
  type Value,
} from '../../../data/index.ts'

/** Maps each byte to its folded form: ASCII upper case to lower case, other bytes to themselves. */
export const foldByte = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) foldByte[byte] = byte >= 65 && byte <= 90 ? byte + 32 : byte

export function hashFolded(bytes: Uint8Array, start: number, end: number, tag: number): number {
  let hash = FNV_FIRST ^ tag
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ foldByte[bytes[i]], FNV_FACTOR)
  hash ^= hash >>> 15
  return Math.imul(hash, 0x2c1b3c6d) >>> 0
}

/**
 * Returns the content of a slot: the code in the low bits, the high bits of the hash above them. The low bits of the
 * hash select the slot. A lookup thus compares nearly the whole hash before it reads the entry.
 */
export function slotOf(slots: Uint32Array, code: number, hash: number): number {
  return ((hash & ~codeMask(slots)) | code) >>> 0
}

/** Returns the mask of the bits that hold the code in a slot. */
export function codeMask(slots: Uint32Array): number {
  return slots.length - 1
}

/** True if this many entries need more slots, because less than a third of the slots would be free. */
export function isCrowded(slotCount: number, entries: number): boolean {
  return entries * 3 > slotCount * 2
}

/** Returns the hash of the entry with this text. */
export function hashOfText(bytes: Uint8Array, start: number, end: number): number {
  let all = 0
  for (let i = start; i < end; i++) all |= bytes[i]
  if (all < 0x80) return hashFolded(bytes, start, end, valueTag.text)
  const folded = encodeText(fold(decodeText(Bytes.from(bytes.subarray(start, end)), 0, end - start)))
  return hashFolded(folded, 0, folded.length, valueTag.text)
}

/** Returns type tag, bytes and hash of the entry for a value that is not a text, number or boolean. */
export function encodedOther(value: Exclude<Value, string | number | boolean | null>) {
  const tag = tagOf(value)
  const text = value instanceof Instant ? String(value.ns) : value instanceof JsonText ? value.json : String(value)
  const bytes = encodeText(text)
  return { tag, bytes, hash: hashFolded(bytes, 0, bytes.length, tag) }
}

/** Yields the codes in a range whose folded text equals `folded`; `bytes` is `folded` in UTF-8. */
export function* entriesWithText(
  { tags, bytes: all, offsets }: Pick<Dictionary, 'tags' | 'bytes' | 'offsets'>,
  { from, to }: { readonly from: number; readonly to: number },
  folded: string,
  bytes: Uint8Array,
): Generator<number> {
  for (let code = from; code < to; code++) {
    const start = offsets[code]
    const length = offsets[code + 1] - start
    let i = 0
    while (i < length && i < bytes.length && foldByte[all[start + i]] === bytes[i] && bytes[i] < 0x80) i++
    const isSame = i === length && i === bytes.length
    // Folding a string with non-ASCII characters may change its length.
    const isOpen = i < length && all[start + i] >= 0x80
    if ((!isSame && !isOpen) || tags[code] !== valueTag.text) continue
    if (fold(decodeText(all, start, start + length)) === folded) yield code
  }
}
