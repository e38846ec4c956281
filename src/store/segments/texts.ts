import { headBytes } from './layout.ts'
import type { Bytes } from '../../base/index.ts'
import { fromPlanes, toPlanes } from './codings/plane-codings.ts'
import { newBytes, type TakeBytes } from './codings/scratch.ts'

/*
 * A block of texts, with lengths in bytes: number of texts 4 · bytes of the texts 4 · length of each text 4, in planes
 * · the texts.
 */

/** Target size of the texts in a block, bytes. A longer text has a block of its own. */
export const TEXT_BLOCK_BYTES = 128 * 1024
/**
 * Target size of a block, bytes, for texts that have little in common, such as ids. Longer blocks would not compress
 * them better, and shorter blocks make reading a row cheaper.
 */
export const SHORT_TEXT_BLOCK_BYTES = 32 * 1024

/** Encodes the texts `[from, to)` as a block. */
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
  /** The start of each text, and the end of the last. */
  readonly offsets: Uint32Array
}

/**
 * Decodes the end offsets of a block of `count` texts. They are relative to `offsets[row]` and stored after it. Returns
 * the bytes of the texts; `undefined` if the block is invalid.
 */
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

/**
 * Decodes a block of `count` texts to `bytes` and `offsets`, starting at row `row`. Returns the number of text bytes;
 * `undefined` if the block is invalid.
 */
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

/** Decodes a single block without copying its bytes. Returns `undefined` if the block is invalid. */
export function decodeTexts(block: Buffer, count: number): DecodedTexts | undefined {
  if (block.length < headBytes.texts + count * 4) return undefined
  const offsets = new Uint32Array(count + 1)
  const bytes = decodeOffsets(block, count, offsets, 0)
  return bytes && { bytes, offsets }
}
