import { localsNamed, moduleOf, wasm as w, type Code } from '../../base/index.ts'
import { wordByte } from './tokenize.ts'
import { maxWordBytes } from './word-index.ts'

/** A vector, which is how much of a word lies with what is known of it. */
export const HEAD_BYTES = 16
/** Bytes of all ones, then of zeros: from `maxWordBytes - n` on `n` of ones, of which a vector has the first ones. */
export const MASK_BYTES = maxWordBytes + HEAD_BYTES
export const MASK_AT = 0
export const STATE_AT = 160

/** What the kernel is told and leaves at `STATE_AT`, in numbers of four bytes; the last five are addresses. */
export const stateAt = {
  wordCount: 0,
  longEnd: 1,
  streamLength: 2,
  /** The first row of the batch that is not read. */
  next: 3,
  mostWords: 4,
  mostLong: 5,
  mostStream: 6,
  slotShift: 7,
  slots: 8,
  entries: 9,
  long: 10,
  stream: 11,
  ends: 12,
} as const

/** What is known of a word, in numbers of four bytes; its first bytes follow, zeros behind the last. */
export const entryAt = {
  /** How many bytes it has, and from the ninth bit on how many rows have it. */
  sizeAndCount: 0,
  /** Where a word that is longer than its head lies whole, with zeros up to the next multiple of the head. */
  long: 1,
  /** The first row that has it, and the last so far. Most words are in one row, which is all that has to be known of them. */
  firstRow: 2,
  lastRow: 3,
  head: 4,
} as const
export const ENTRY_BYTES = 32
export const SIZE_MASK = 0xff
export const COUNT_SHIFT = 8
const ONE_ROW = 1 << COUNT_SHIFT
/** A slot has the number of a word plus one, and its hash. */
export const SLOT_BYTES = 8

interface ByteRange {
  readonly first: number
  readonly length: number
  /** What folding adds. */
  readonly more: number
}

/** Bytes of words that follow each other and are folded alike. */
function rangesOfWords(): readonly ByteRange[] {
  const ranges: ByteRange[] = []
  for (let first = 0; first < wordByte.length;) {
    const more = wordByte[first] - first
    let end = first
    while (end < wordByte.length && wordByte[end] !== 0 && wordByte[end] - end === more) end++
    if (end > first) ranges.push({ first, length: end - first, more })
    first = Math.max(end, first + 1)
  }
  return ranges
}

const fold = localsNamed(['text', 'bits', 'end', 'bytes', 'isWord', 'folded', 'inRange'])

/**
 * Folds the ASCII letters from `text` up to `end`, 16 bytes at a time, and sets in `bits` the bit of each byte that belongs to a
 * word. All bytes beyond ASCII do.
 */
export const foldTextModule = (): Uint8Array =>
  moduleOf(3, { i32: 0, v128: 4 }, [
    ...w.block(
      w.loop(
        // 0: the next 16 bytes, 1: all are folded
        w.brIf(1, w.leU(fold.end.get, fold.text.get)),
        fold.bytes.set(w.v128Load(fold.text.get)),
        fold.folded.set(fold.bytes.get),
        fold.isWord.set(fold.bytes.get),
        rangesOfWords().flatMap(({ first, length, more }) => [
          ...fold.inRange.set(w.i8x16LtU(w.i8x16Sub(fold.bytes.get, w.i8x16(first)), w.i8x16(length))),
          ...fold.isWord.set(w.v128Or(fold.isWord.get, fold.inRange.get)),
          ...(more === 0
            ? []
            : fold.folded.set(w.i8x16Add(fold.folded.get, w.v128And(fold.inRange.get, w.i8x16(more))))),
        ]),
        w.v128Store(fold.text.get, fold.folded.get),
        w.store16(fold.bits.get, w.i8x16Bitmask(fold.isWord.get)),
        fold.text.set(w.add(fold.text.get, w.i32(16))),
        fold.bits.set(w.add(fold.bits.get, w.i32(2))),
        w.br(0),
      ),
    ),
  ])

const addresses = ['slots', 'entries', 'long', 'stream'] as const
const numbers = ['wordCount', 'longEnd', 'streamLength', 'slotShift'] as const
const vectors = ['head'] as const
const read = localsNamed([
  'text',
  'bits',
  'offsets',
  'row',
  'at',
  'to',
  ...addresses,
  ...numbers,
  'position',
  'end',
  'found',
  'start',
  'size',
  'hash',
  'slot',
  'entry',
  'place',
  'from',
  ...vectors,
])

const state = (name: keyof typeof stateAt): Code => w.load32(w.i32(STATE_AT), stateAt[name] * 4)
const keep = (name: keyof typeof stateAt, value: Code): Code => w.store32(w.i32(STATE_AT), value, stateAt[name] * 4)
const known = (name: keyof typeof entryAt): Code => w.load32(read.entry.get, entryAt[name] * 4)
const know = (name: keyof typeof entryAt, value: Code): Code => w.store32(read.entry.get, value, entryAt[name] * 4)
const plus = (a: Code, by: number): Code => w.add(a, w.i32(by))
const isLong = w.gtU(read.size.get, w.i32(HEAD_BYTES))

/** Bits of the bytes from `position` on, 25 at least; zeros behind them. */
const bitsFrom = w.shrU(
  w.load32(w.add(read.bits.get, w.shrU(read.position.get, w.i32(3)))),
  w.and(read.position.get, w.i32(7)),
)
const SURE_BITS = 25

/** Sixteen bytes of the word from `start + offset` on, zeros behind its last one. */
const bytesOfWord = (offset: Code): Code =>
  w.v128And(
    w.v128Load(w.add(w.add(read.text.get, read.start.get), offset)),
    w.v128Load(w.sub(plus(offset, MASK_AT + maxWordBytes), read.size.get)),
  )

/** The upper half of the sum of both halves of a vector, each multiplied by an odd number. */
const mixed = (vector: Code): Code =>
  w.i32OfI64(
    w.i64ShrU(
      w.i64Add(
        w.i64Mul(w.i64Of(vector, 0), w.i64(0x9e37_79b9_7f4a_7c15n)),
        w.i64Mul(w.i64Of(vector, 1), w.i64(0xc2b2_ae3d_27d4_eb4fn)),
      ),
      w.i64(32n),
    ),
  )

/** Runs once for each vector of a long word behind its head, from `from` on. */
const eachRest = (...body: readonly Code[]): Code => [
  ...read.from.set(w.i32(HEAD_BYTES)),
  ...w.loop(...body, read.from.set(plus(read.from.get, HEAD_BYTES)), w.brIf(0, w.ltU(read.from.get, read.size.get))),
]

const hashWord: Code = [
  ...read.head.set(bytesOfWord(w.i32(0))),
  ...read.hash.set(mixed(read.head.get)),
  ...w.when(
    isLong,
    eachRest(read.hash.set(w.add(w.mul(read.hash.get, w.i32(0x9e37_79b1 | 0)), mixed(bytesOfWord(read.from.get))))),
    read.hash.set(w.mul(read.hash.get, w.i32(0x85eb_ca77 | 0))),
  ),
]

/** Puts the number of the word behind those of the rows. */
const putInStream: Code = [
  ...w.store32(
    w.add(read.stream.get, w.shl(read.streamLength.get, w.i32(2))),
    w.shrU(w.sub(read.entry.get, read.entries.get), w.i32(Math.log2(ENTRY_BYTES))),
  ),
  ...read.streamLength.set(plus(read.streamLength.get, 1)),
]

const rowNow = w.add(read.row.get, read.at.get)

/** A word that is known stands in this row, too. Stands in the loop over slots. */
const seeKnown: Code = [
  ...w.when(
    w.ne(known('lastRow'), rowNow),
    know('lastRow', rowNow),
    know('sizeAndCount', plus(known('sizeAndCount'), ONE_ROW)),
    putInStream,
  ),
]

const addWord: Code = [
  ...read.entry.set(w.add(read.entries.get, w.mul(read.wordCount.get, w.i32(ENTRY_BYTES)))),
  ...read.wordCount.set(plus(read.wordCount.get, 1)),
  ...w.store32(read.slot.get, read.wordCount.get),
  ...w.store32(read.slot.get, read.hash.get, 4),
  ...know('sizeAndCount', w.or(read.size.get, w.i32(ONE_ROW))),
  ...know('firstRow', rowNow),
  ...know('lastRow', rowNow),
  ...w.v128Store(read.entry.get, read.head.get, entryAt.head * 4),
  ...w.when(
    isLong,
    know('long', read.longEnd.get),
    read.place.set(w.add(read.long.get, read.longEnd.get)),
    w.v128Store(read.place.get, read.head.get),
    eachRest(w.v128Store(w.add(read.place.get, read.from.get), bytesOfWord(read.from.get))),
    read.longEnd.set(w.add(read.longEnd.get, read.from.get)),
  ),
]

/** Looks up the word, and adds it where it is new. */
const seeWord: Code = [
  ...hashWord,
  ...read.slot.set(w.shrU(read.hash.get, read.slotShift.get)),
  ...w.block(
    w.loop(
      // 0: the next slot, 1: the word is seen
      read.place.set(read.slot.get),
      read.slot.set(w.add(read.slots.get, w.mul(read.slot.get, w.i32(SLOT_BYTES)))),
      read.found.set(w.load32(read.slot.get)),
      w.when(w.eqz(read.found.get), addWord, w.br(2)),
      w.block(
        // 0: another word
        w.brIf(0, w.ne(w.load32(read.slot.get, 4), read.hash.get)),
        read.entry.set(w.add(read.entries.get, w.mul(w.sub(read.found.get, w.i32(1)), w.i32(ENTRY_BYTES)))),
        w.brIf(0, w.ne(w.and(known('sizeAndCount'), w.i32(SIZE_MASK)), read.size.get)),
        w.brIf(0, w.v128AnyTrue(w.v128Xor(read.head.get, w.v128Load(read.entry.get, entryAt.head * 4)))),
        w.when(
          isLong,
          read.slot.set(w.add(read.long.get, known('long'))),
          eachRest(
            // 0: the next vector, 1: what is done with long words, 2: another word
            w.brIf(
              2,
              w.v128AnyTrue(w.v128Xor(bytesOfWord(read.from.get), w.v128Load(w.add(read.slot.get, read.from.get)))),
            ),
          ),
        ),
        seeKnown,
        w.br(2),
      ),
      read.slot.set(w.and(plus(read.place.get, 1), w.shrU(w.i32(-1), read.slotShift.get))),
      w.br(0),
    ),
  ),
]

const SIZES = {
  bytes: w.sub(read.end.get, read.position.get),
  words: w.shrU(plus(w.sub(read.end.get, read.position.get), 1), w.i32(1)),
}
const hasRoom = w.and(
  w.and(
    w.leU(w.add(read.wordCount.get, SIZES.words), state('mostWords')),
    w.leU(w.add(read.streamLength.get, SIZES.words), state('mostStream')),
  ),
  w.leU(w.add(read.longEnd.get, w.shl(SIZES.bytes, w.i32(1))), state('mostLong')),
)

/**
 * Reads the words of the rows `[at, to)` of a batch whose first row is `row`, of folded texts with their bits; text `i` lies between
 * the offsets `i` and `i + 1`, less the first of them. Stops before a row for whose words there may be no room.
 */
export const readWordsModule = (): Uint8Array =>
  moduleOf(6, { i32: addresses.length + numbers.length + 10, v128: vectors.length }, [
    ...[...addresses, ...numbers].flatMap((name) => read[name].set(state(name))),
    ...w.block(
      w.loop(
        // 0: the next row, 1: all are read, or there is no room
        w.brIf(1, w.leU(read.to.get, read.at.get)),
        read.from.set(w.add(read.offsets.get, w.shl(read.at.get, w.i32(2)))),
        read.position.set(w.sub(w.load32(read.from.get), w.load32(read.offsets.get))),
        read.end.set(w.sub(w.load32(read.from.get, 4), w.load32(read.offsets.get))),
        w.brIf(1, w.eqz(hasRoom)),
        w.block(
          w.loop(
            // 0: the next word, 1: the row is read
            w.brIf(1, w.leU(read.end.get, read.position.get)),
            read.found.set(bitsFrom),
            w.when(w.eqz(read.found.get), read.position.set(plus(read.position.get, SURE_BITS)), w.br(1)),
            read.start.set(w.add(read.position.get, w.ctz(read.found.get))),
            w.brIf(1, w.leU(read.end.get, read.start.get)),
            read.position.set(read.start.get),
            w.loop(
              read.found.set(w.ctz(w.xor(bitsFrom, w.i32(-1)))),
              read.position.set(w.add(read.position.get, read.found.get)),
              w.brIf(0, w.and(w.leU(w.i32(SURE_BITS), read.found.get), w.ltU(read.position.get, read.end.get))),
            ),
            // The next text may go on with a word.
            w.when(w.gtU(read.position.get, read.end.get), read.position.set(read.end.get)),
            read.size.set(w.sub(read.position.get, read.start.get)),
            w.when(w.gtU(read.size.get, w.i32(maxWordBytes)), read.size.set(w.i32(maxWordBytes))),
            seeWord,
            w.br(0),
          ),
        ),
        w.store32(w.add(state('ends'), w.shl(rowNow, w.i32(2))), read.streamLength.get),
        read.at.set(plus(read.at.get, 1)),
        w.br(0),
      ),
    ),
    ...keep('wordCount', read.wordCount.get),
    ...keep('longEnd', read.longEnd.get),
    ...keep('streamLength', read.streamLength.get),
    ...keep('next', read.at.get),
  ])
