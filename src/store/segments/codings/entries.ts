import { headBytes } from '../layout.ts'
import { Bytes } from '../../../base/index.ts'
import { valueTag, type Dictionary } from '../../../data/index.ts'
import type { GrowingDictionary } from '../../memory/index.ts'
import { bytesOf } from './elements.ts'
import { fromPlanes, toPlanes } from './plane-codings.ts'
import { newBytes, type TakeBytes } from './scratch.ts'

/** Dictionary entries and their codes. */
export interface Entries {
  readonly codes: Uint32Array
  readonly tags: Uint8Array
  /** The values of entries that are numbers or booleans; empty if all entries are texts. */
  readonly numbers: Float64Array
  readonly bytes: Bytes
  /** The start of each entry's bytes, and the end of the last. */
  readonly offsets: Uint32Array
}

const NOTHING_BYTES = 5

/**
 * Returns the bytes of the placeholder for a code that no row has. They are not valid UTF-8, so no lookup finds them.
 */
export function nothingUnder(code: number): Buffer {
  const bytes = Buffer.alloc(NOTHING_BYTES, 0xff)
  bytes.writeUInt32LE(code, 1)
  return bytes
}

/** Returns the entries with these codes, with placeholders for removed values; `undefined` if no value was removed. */
function remembered(dictionary: GrowingDictionary, codes: Uint32Array): Entries | undefined {
  if (!codes.some((code) => dictionary.isForgotten(code))) return undefined
  const { tags, numbers, bytes, offsets } = dictionary
  const pieces: Buffer[] = []
  const kept = { tags: Uint8Array.from(codes, (code) => tags[code]), offsets: new Uint32Array(codes.length + 1) }
  for (const [i, code] of codes.entries()) {
    const isForgotten = dictionary.isForgotten(code)
    if (isForgotten) kept.tags[i] = valueTag.text
    const piece = isForgotten ? nothingUnder(code) : Buffer.from(bytes.subarray(offsets[code], offsets[code + 1]))
    pieces.push(piece)
    kept.offsets[i + 1] = kept.offsets[i] + piece.length
  }
  const ownNumbers = Float64Array.from(codes, (code) => numbers[code] ?? 0)
  return { codes, ...kept, numbers: ownNumbers, bytes: Bytes.from(Buffer.concat(pieces)) }
}

/** Encodes dictionary entries with these ascending codes. Removed values get placeholders. */
export function encodeRemembered(dictionary: GrowingDictionary, codes: Uint32Array): Uint8Array {
  const kept = remembered(dictionary, codes)
  if (kept === undefined) return encodeEntries(dictionary, codes)
  return encoded(
    kept,
    Uint32Array.from(codes, (_, i) => i),
    codes,
  )
}

/** Encodes dictionary entries with these ascending codes. */
export function encodeEntries(dictionary: Dictionary, codes: Uint32Array, take?: TakeBytes): Uint8Array {
  return encoded(dictionary, codes, codes, take)
}

/** Encodes the entries at `indexes`. `codes` has the code of each. */
function encoded(
  { tags, numbers, bytes, offsets }: Pick<Dictionary, 'tags' | 'numbers' | 'bytes' | 'offsets'>,
  indexes: Uint32Array,
  codes: Uint32Array,
  take: TakeBytes = newBytes,
): Uint8Array {
  const count = codes.length
  const steps = new Uint32Array(count)
  const lengths = new Uint32Array(count)
  let textBytes = 0
  let hasNumbers = false
  for (let i = 0; i < count; i++) {
    const at = indexes[i]
    steps[i] = i === 0 ? codes[i] : codes[i] - codes[i - 1]
    lengths[i] = offsets[at + 1] - offsets[at]
    textBytes += lengths[i]
    if (tags[at] === valueTag.number || tags[at] === valueTag.bool) hasNumbers = true
  }
  const out = take(headBytes.entries + count * (hasNumbers ? 17 : 9) + textBytes)
  out.writeUInt32LE(count, 0)
  out.writeUInt32LE(textBytes, 4)
  out.writeUInt32LE(hasNumbers ? 1 : 0, 8)
  toPlanes(bytesOf(steps), 4, out.subarray(headBytes.entries))
  toPlanes(bytesOf(lengths), 4, out.subarray(headBytes.entries + count * 4))
  let at = headBytes.entries + count * 8
  for (let i = 0; i < count; i++) out[at++] = tags[indexes[i]]
  if (hasNumbers) for (let i = 0; i < count; i++) at = out.writeDoubleLE(numbers[indexes[i]] ?? 0, at)
  for (let i = 0; i < count; i++) at += bytes.copy(out, at, offsets[indexes[i]], offsets[indexes[i] + 1])
  return out
}

/** Decodes entries; returns `undefined` if the lengths do not add up. */
export function decodeEntries(bytes: Buffer): Entries | undefined {
  if (bytes.length < headBytes.entries) return undefined
  const count = bytes.readUInt32LE(0)
  const textBytes = bytes.readUInt32LE(4)
  const hasNumbers = bytes[8] === 1
  if (bytes.length !== headBytes.entries + count * (hasNumbers ? 17 : 9) + textBytes) return undefined
  const codes = new Uint32Array(count)
  const offsets = new Uint32Array(count + 1)
  const lengths = offsets.subarray(1)
  fromPlanes(bytes.subarray(headBytes.entries), 4, new Uint8Array(codes.buffer))
  fromPlanes(bytes.subarray(headBytes.entries + count * 4), 4, new Uint8Array(offsets.buffer, 4))
  for (let i = 1; i < count; i++) codes[i] += codes[i - 1]
  let sum = 0
  for (let i = 0; i < count; i++) {
    sum += lengths[i]
    lengths[i] = sum
  }
  if (sum !== textBytes) return undefined
  let at = headBytes.entries + count * 8
  const tags = Uint8Array.from(bytes.subarray(at, at + count))
  at += count
  const numbers = new Float64Array(hasNumbers ? count : 0)
  for (let i = 0; i < numbers.length; i++, at += 8) numbers[i] = bytes.readDoubleLE(at)
  return { codes, tags, numbers, bytes: Bytes.from(bytes.subarray(at)), offsets }
}
