import { FNV_FACTOR } from '../../base/index.ts'
import type { Kernels } from '../kernels.ts'
import * as layout from '../layout.ts'
import type { Views } from './views.ts'

const ONE_ROW = 1 << layout.Entry.COUNT_SHIFT

function isWordByte(byte: number): boolean {
  return byte > 0x7f || /\w/.test(String.fromCharCode(byte))
}

export function wordKernels({ bytes, words }: Views): Pick<Kernels, 'foldWords' | 'readWords'> {
  const isWord = (bits: number, position: number): boolean =>
    ((bytes[bits + (position >>> 3)] >>> (position & 7)) & 1) === 1

  return {
    foldWords(text, bits, end) {
      bytes.fill(0, bits, bits + ((end - text + 7) >>> 3))
      for (let at = text; at < end; at++) {
        const byte = bytes[at]
        if (isWordByte(byte)) bytes[bits + ((at - text) >>> 3)] |= 1 << ((at - text) & 7)
        if (byte >= 0x41 && byte <= 0x5a) bytes[at] = byte + 0x20
      }
    },
    readWords(text, bits, offsets, row, at, to, state) {
      const [slots, entries, long, stream, ends] = [
        layout.WordsState.SLOTS_AT,
        layout.WordsState.ENTRIES_AT,
        layout.WordsState.LONG_AT,
        layout.WordsState.STREAM_AT,
        layout.WordsState.ENDS_AT,
      ].map((offset) => words[(state + offset) >>> 2])
      const slotShift = words[(state + layout.WordsState.SLOT_SHIFT_AT) >>> 2]
      const slotMask = 0xffff_ffff >>> slotShift
      let count = words[(state + layout.WordsState.COUNT_AT) >>> 2]
      let longEnd = words[(state + layout.WordsState.LONG_END_AT) >>> 2]
      let streamLength = words[(state + layout.WordsState.STREAM_LENGTH_AT) >>> 2]

      const hashOf = (start: number, size: number): number => {
        let hash = size
        for (let k = 0; k < size; k++) hash = Math.imul(hash ^ bytes[start + k], FNV_FACTOR)
        return hash >>> 0
      }
      const isSame = (entry: number, start: number, size: number): boolean => {
        if ((words[(entry + layout.Entry.SIZE_AND_COUNT_AT) >>> 2] & layout.Entry.SIZE_MASK) !== size) return false
        const stored =
          size > layout.Word.HEAD_BYTES
            ? long + words[(entry + layout.Entry.LONG_AT) >>> 2]
            : entry + layout.Entry.HEAD_AT
        for (let k = 0; k < size; k++) if (bytes[stored + k] !== bytes[start + k]) return false
        return true
      }
      const add = (entry: number, start: number, size: number, rowNow: number): void => {
        words[(entry + layout.Entry.SIZE_AND_COUNT_AT) >>> 2] = size | ONE_ROW
        words[(entry + layout.Entry.FIRST_ROW_AT) >>> 2] = rowNow
        words[(entry + layout.Entry.LAST_ROW_AT) >>> 2] = rowNow
        bytes.fill(0, entry + layout.Entry.HEAD_AT, entry + layout.Entry.BYTES)
        bytes.copyWithin(entry + layout.Entry.HEAD_AT, start, start + Math.min(size, layout.Word.HEAD_BYTES))
        if (size <= layout.Word.HEAD_BYTES) return
        const stored = Math.ceil(size / layout.Word.HEAD_BYTES) * layout.Word.HEAD_BYTES
        words[(entry + layout.Entry.LONG_AT) >>> 2] = longEnd
        bytes.fill(0, long + longEnd, long + longEnd + stored)
        bytes.copyWithin(long + longEnd, start, start + size)
        longEnd += stored
      }
      /** Finds the entry of a word, and adds one if the word is new. */
      const see = (start: number, size: number, rowNow: number): void => {
        const hash = hashOf(start, size)
        for (let slot = hash >>> slotShift; ; slot = (slot + 1) & slotMask) {
          const word = (slots + slot * layout.Slot.BYTES) >>> 2
          if (words[word] === 0) {
            add(entries + count * layout.Entry.BYTES, start, size, rowNow)
            words[word] = ++count
            words[word + 1] = hash
            return
          }
          const entry = entries + (words[word] - 1) * layout.Entry.BYTES
          if (words[word + 1] !== hash || !isSame(entry, start, size)) continue
          if (words[(entry + layout.Entry.LAST_ROW_AT) >>> 2] === rowNow) return
          words[(entry + layout.Entry.LAST_ROW_AT) >>> 2] = rowNow
          words[(entry + layout.Entry.SIZE_AND_COUNT_AT) >>> 2] += ONE_ROW
          words[(stream >>> 2) + streamLength++] = words[word] - 1
          return
        }
      }

      let next = at
      for (; next < to; next++) {
        const [from, end] = [0, 1].map((k) => words[(offsets >>> 2) + next + k] - words[offsets >>> 2])
        const mostWords = (end - from + 1) >>> 1
        if (
          count + mostWords > words[(state + layout.WordsState.MAX_COUNT_AT) >>> 2] ||
          streamLength + mostWords > words[(state + layout.WordsState.MAX_STREAM_AT) >>> 2] ||
          longEnd + (end - from) * 2 > words[(state + layout.WordsState.MAX_LONG_AT) >>> 2]
        )
          break
        for (let position = from; position < end; position++) {
          if (!isWord(bits, position)) continue
          const start = position
          while (position < end && isWord(bits, position)) position++
          see(text + start, Math.min(position - start, layout.Word.MAX_BYTES), row + next)
        }
        words[(ends >>> 2) + row + next] = streamLength
      }
      words[(state + layout.WordsState.COUNT_AT) >>> 2] = count
      words[(state + layout.WordsState.LONG_END_AT) >>> 2] = longEnd
      words[(state + layout.WordsState.STREAM_LENGTH_AT) >>> 2] = streamLength
      words[(state + layout.WordsState.NEXT_AT) >>> 2] = next
    },
  }
}
