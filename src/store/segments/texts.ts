import { headBytes } from './layout.ts'
import type { Bytes } from '../../base/index.ts'
import { fromPlanes, toPlanes } from './codings/plane-codings.ts'
import { newBytes, type TakeBytes } from './codings/scratch.ts'

/*
 * A block of texts: how many 4 · bytes of the texts 4 · their lengths 4 each, in planes · the texts.
 */

/** The bytes of a text block aim at so many; a longer text has a block of its own. */
export const TEXT_BLOCK_BYTES = 128 * 1024
/** The same of texts that have nothing in common, such as ids, which longer blocks do not pack better: a row is read with fewer others. */
export const SHORT_TEXT_BLOCK_BYTES = 32 * 1024

/** Texts `[from, to)`. */
export function encodeTexts(
  bytes: Bytes,
  offsets: Uint32Array,
  from: number,
  to: number,
  take: TakeBytes = newBytes,
): Uint8Array {
  const count = to - from
  const start = offsets[from]
  const end = offsets[to]
  const lengths = new Uint32Array(count)
  for (let i = 0; i < count; i++) lengths[i] = offsets[from + i + 1] - offsets[from + i]
  const out = take(headBytes.texts + count * 4 + end - start)
  out.writeUInt32LE(count, 0)
  out.writeUInt32LE(end - start, 4)
  toPlanes(new Uint8Array(lengths.buffer), 4, out.subarray(headBytes.texts))
  bytes.copy(out, headBytes.texts + count * 4, start, end)
  return out
}

export interface DecodedTexts {
  readonly bytes: Bytes
  /** One more than there are texts. */
  readonly offsets: Uint32Array
}

/** Gives where the texts of a block of `count` end, from `offsets[row]` on; their bytes, or `undefined` where it is no such block. */
function decodeOffsets(block: Buffer, count: number, offsets: Uint32Array, row: number): Buffer | undefined {
  if (block.length < headBytes.texts || block.readUInt32LE(0) !== count) return undefined
  const length = block.readUInt32LE(4)
  if (block.length !== headBytes.texts + count * 4 + length) return undefined
  const lengths = new Uint32Array(count)
  fromPlanes(block.subarray(headBytes.texts), 4, new Uint8Array(lengths.buffer))
  let at = offsets[row]
  for (let i = 0; i < count; i++) {
    at += lengths[i]
    offsets[row + i + 1] = at
  }
  return at === offsets[row] + length ? block.subarray(headBytes.texts + count * 4) : undefined
}

/** Reads a block of `count` texts to where `bytes` and `offsets` have room for it; how many bytes of text there were, or `undefined`. */
export function decodeTextsInto(
  block: Buffer,
  count: number,
  { bytes, offsets }: DecodedTexts,
  row: number,
): number | undefined {
  const texts = decodeOffsets(block, count, offsets, row)
  if (texts === undefined || offsets[row] + texts.length > bytes.length) return undefined
  bytes.set(texts, offsets[row])
  return texts.length
}

/** One block alone, over its own bytes, which are not copied. */
export function decodeTexts(block: Buffer, count: number): DecodedTexts | undefined {
  if (block.length < headBytes.texts + count * 4) return undefined
  const offsets = new Uint32Array(count + 1)
  const bytes = decodeOffsets(block, count, offsets, 0)
  return bytes && { bytes, offsets }
}
