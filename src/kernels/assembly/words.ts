import * as layout from '../layout'

const ONE_ROW: u32 = 1 << layout.Entry.COUNT_SHIFT
/** Unsigned copy of `HEAD_BYTES`, since sizes are unsigned. */
const HEAD: u32 = layout.Word.HEAD_BYTES
/** A 32-bit load at a byte boundary has at least this many bits after any bit offset within the byte. */
const SURE_BITS: u32 = 25

/** Returns a mask of the bytes, among sixteen, in `[first, first + length)`. */
function inRange(bytes: v128, first: u8, length: u8): v128 {
  return i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(first)), i8x16.splat(length))
}

/** See `Kernels.foldWords`. */
export function foldWords(text: usize, bits: usize, end: usize): void {
  for (; text < end; text += 16, bits += 2) {
    const bytes = v128.load(text)
    const isCapital = inRange(bytes, 0x41, 26)
    const isLetter = v128.or(isCapital, inRange(bytes, 0x61, 26))
    const isOther = v128.or(inRange(bytes, 0x30, 10), i8x16.eq(bytes, i8x16.splat(0x5f)))
    // Bytes beyond ASCII have the sign bit set and belong to words.
    const isWord = v128.or(bytes, v128.or(isLetter, isOther))
    v128.store(text, i8x16.add(bytes, v128.and(isCapital, i8x16.splat(0x20))))
    store<u16>(bits, u16(i8x16.bitmask(isWord)))
  }
}

/** Returns the bits from `position` on, at least `SURE_BITS` of them; the remaining bits are 0. */
function bitsFrom(bits: usize, position: u32): u32 {
  return load<u32>(bits + (position >> 3)) >> (position & 7)
}

/** Returns sixteen bytes of a word from `offset` on; bytes after its end are 0. */
function bytesOfWord(word: usize, size: u32, offset: u32): v128 {
  return v128.and(v128.load(word + offset), v128.load(layout.Word.MAX_BYTES + offset - size))
}

/** Mixes sixteen bytes into 32 bits: multiplies both halves by odd constants and returns the upper half of the sum. */
function mixed(bytes: v128): u32 {
  const low = i64x2.extract_lane(bytes, 0) * 0x9e37_79b9_7f4a_7c15
  const high = i64x2.extract_lane(bytes, 1) * 0xc2b2_ae3d_27d4_eb4f
  return u32((u64(low) + u64(high)) >> 32)
}

function hashOf(word: usize, size: u32, head: v128): u32 {
  let hash = mixed(head)
  if (size <= HEAD) return hash
  for (let from: u32 = HEAD; from < size; from += HEAD) hash = hash * 0x9e37_79b1 + mixed(bytesOfWord(word, size, from))
  return hash * 0x85eb_ca77
}

/** Returns whether the bytes of a long word after its head equal those at `stored`. */
function isSameRest(word: usize, size: u32, stored: usize): bool {
  for (let from: u32 = HEAD; from < size; from += HEAD)
    if (v128.any_true(v128.xor(bytesOfWord(word, size, from), v128.load(stored + from)))) return false
  return true
}

/** See `Kernels.readWords`. */
export function readWords(text: usize, bits: usize, offsets: usize, row: u32, at: u32, to: u32, state: usize): void {
  const slots = load<usize>(state, layout.WordsState.SLOTS_AT)
  const entries = load<usize>(state, layout.WordsState.ENTRIES_AT)
  const long = load<usize>(state, layout.WordsState.LONG_AT)
  const stream = load<usize>(state, layout.WordsState.STREAM_AT)
  const slotShift = load<u32>(state, layout.WordsState.SLOT_SHIFT_AT)
  const slotMask = u32(-1) >> slotShift
  const base = load<u32>(offsets)
  let count = load<u32>(state, layout.WordsState.COUNT_AT)
  let longEnd = load<u32>(state, layout.WordsState.LONG_END_AT)
  let streamLength = load<u32>(state, layout.WordsState.STREAM_LENGTH_AT)
  for (; at < to; at++) {
    const rowNow = row + at
    let position = load<u32>(offsets + (at << 2)) - base
    const end = load<u32>(offsets + (at << 2), 4) - base
    // The maximum number of words in the text. A row is started only if this many words fit.
    const mostWords = (end - position + 1) >> 1
    if (
      count + mostWords > load<u32>(state, layout.WordsState.MAX_COUNT_AT) ||
      streamLength + mostWords > load<u32>(state, layout.WordsState.MAX_STREAM_AT) ||
      longEnd + ((end - position) << 1) > load<u32>(state, layout.WordsState.MAX_LONG_AT)
    )
      break
    while (position < end) {
      const found = bitsFrom(bits, position)
      if (found == 0) {
        position += SURE_BITS
        continue
      }
      const start = position + ctz(found)
      if (start >= end) break
      position = start
      let run: u32
      do {
        run = ctz(~bitsFrom(bits, position))
        position += run
      } while (run >= SURE_BITS && position < end)
      // The run of word bytes may continue into the next text.
      position = min(position, end)
      const size = min<u32>(position - start, layout.Word.MAX_BYTES)
      const word = text + start
      const head = bytesOfWord(word, size, 0)
      const hash = hashOf(word, size, head)
      let slotNumber = hash >> slotShift
      for (;;) {
        const slot = slots + slotNumber * layout.Slot.BYTES
        const number = load<u32>(slot)
        if (number == 0) {
          const entry = entries + count * layout.Entry.BYTES
          count++
          store<u32>(slot, count)
          store<u32>(slot, hash, layout.Slot.HASH_AT)
          store<u32>(entry, size | ONE_ROW, layout.Entry.SIZE_AND_COUNT_AT)
          store<u32>(entry, rowNow, layout.Entry.FIRST_ROW_AT)
          store<u32>(entry, rowNow, layout.Entry.LAST_ROW_AT)
          v128.store(entry, head, layout.Entry.HEAD_AT)
          if (size > HEAD) {
            store<u32>(entry, longEnd, layout.Entry.LONG_AT)
            v128.store(long + longEnd, head)
            let from: u32 = HEAD
            for (; from < size; from += HEAD) v128.store(long + longEnd + from, bytesOfWord(word, size, from))
            longEnd += from
          }
          break
        }
        const entry = entries + (number - 1) * layout.Entry.BYTES
        if (
          load<u32>(slot, layout.Slot.HASH_AT) == hash &&
          (load<u32>(entry, layout.Entry.SIZE_AND_COUNT_AT) & layout.Entry.SIZE_MASK) == size &&
          !v128.any_true(v128.xor(head, v128.load(entry, layout.Entry.HEAD_AT))) &&
          (size <= HEAD || isSameRest(word, size, long + load<u32>(entry, layout.Entry.LONG_AT)))
        ) {
          // Each word is written once per row. Its first row is stored in the entry only.
          if (load<u32>(entry, layout.Entry.LAST_ROW_AT) != rowNow) {
            store<u32>(entry, rowNow, layout.Entry.LAST_ROW_AT)
            store<u32>(
              entry,
              load<u32>(entry, layout.Entry.SIZE_AND_COUNT_AT) + ONE_ROW,
              layout.Entry.SIZE_AND_COUNT_AT,
            )
            store<u32>(stream + (streamLength << 2), number - 1)
            streamLength++
          }
          break
        }
        slotNumber = (slotNumber + 1) & slotMask
      }
    }
    store<u32>(load<usize>(state, layout.WordsState.ENDS_AT) + (rowNow << 2), streamLength)
  }
  store<u32>(state, count, layout.WordsState.COUNT_AT)
  store<u32>(state, longEnd, layout.WordsState.LONG_END_AT)
  store<u32>(state, streamLength, layout.WordsState.STREAM_LENGTH_AT)
  store<u32>(state, at, layout.WordsState.NEXT_AT)
}
