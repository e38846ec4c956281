import { ITEMS_PER_CHECKPOINT, type Bytes, type StepwiseTask } from '../../base/index.ts'
import { decodeText, encodeText, fold, hasBit, valueTag, type Dictionary, type TextColumn } from '../../data/index.ts'
import { foldByte } from '../memory/index.ts'

/** Receives a folded text. The array may be overwritten by the next text. */
export type TakeText = (folded: Uint8Array, start: number, end: number) => void

/** Folds texts one by one in a reusable buffer. */
class Folding {
  #folded = new Uint8Array(256)

  give(bytes: Bytes, start: number, end: number, take: TakeText): void {
    if (this.#folded.length < end - start) this.#folded = new Uint8Array((end - start) * 2)
    const folded = this.#folded
    for (let i = start; i < end; i++) {
      const byte = bytes[i]
      if (byte >= 0x80) {
        const text = encodeText(fold(decodeText(bytes, start, end)))
        return take(text, 0, text.length)
      }
      folded[i - start] = foldByte[byte]
    }
    return take(folded, 0, end - start)
  }
}

/** Passes each text of a column, case-folded, to `take`. Rows without a value are skipped. */
export function* eachFoldedText({ length, bytes, offsets, validity }: TextColumn, take: TakeText): StepwiseTask<void> {
  const folding = new Folding()
  for (let row = 0; row < length; row++) {
    if (row % ITEMS_PER_CHECKPOINT === ITEMS_PER_CHECKPOINT - 1) yield
    const start = offsets[row]
    const end = offsets[row + 1]
    if (start === end && validity !== undefined && !hasBit(validity, row)) continue
    folding.give(bytes, start, end, take)
  }
}

/**
 * Passes the texts of a dictionary, case-folded, to `take`: the entries at `indexes`, or all entries. Returns true if
 * some of these entries are not texts.
 */
export function* eachFoldedEntry(
  { tags, bytes, offsets }: Pick<Dictionary, 'tags' | 'bytes' | 'offsets'>,
  indexes: Uint32Array | undefined,
  take: TakeText,
): StepwiseTask<boolean> {
  const folding = new Folding()
  const count = indexes?.length ?? tags.length
  let hasOthers = false
  for (let i = 0; i < count; i++) {
    if (i % ITEMS_PER_CHECKPOINT === ITEMS_PER_CHECKPOINT - 1) yield
    const at = indexes === undefined ? i : indexes[i]
    if (tags[at] === valueTag.text) folding.give(bytes, offsets[at], offsets[at + 1], take)
    else hasOthers = true
  }
  return hasOthers
}
