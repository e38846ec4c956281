import { invariant, type Turns } from '../../base/index.ts'
import type { TextColumn } from '../../data/index.ts'
import { WordsInMemory, type Segment, type WordArrays } from '../memory/index.ts'
import type { StoredColumnContents } from './layout.ts'
import type { NotedHashes } from './noted-hashes.ts'
import type { StoredSegment } from './open-segment.ts'
import { DigitSorter } from './digit-sorter.ts'
import { eachFoldedEntry, eachFoldedText } from './folded-texts.ts'
import { wordsOfGroup } from './stored-words.ts'
import { usedCodes } from './used-codes.ts'
import { highOfBytes, mixed } from './word-filter.ts'

/*
 * What a group of segments is asked for, as 32-bit hashes. Different things may have the same hash; then a segment is looked into
 * in vain.
 */

export function hashOfWord(word: Uint8Array, start = 0, end = word.length): number {
  return highOfBytes(word, start, end)
}

/** What a hash says of a field. */
const about = {
  text: 0x6c8e9cf5,
  /** It has values that have no hashes. */
  isOther: 0x7f4a7c15,
} as const

/** Of the things that are said of one field. */
export interface FieldHashes {
  readonly isOther: number
  /** Of a folded text. */
  ofText(folded: Uint8Array, start?: number, end?: number): number
  /** Of a folded text that has this `highOfBytes`. */
  ofHigh(high: number): number
}

export function fieldHashes(field: string): FieldHashes {
  const name = highOfBytes(Buffer.from(field))
  const textSeed = mixed(name ^ about.text)
  const ofHigh = (high: number): number => mixed(high ^ textSeed)
  return {
    isOther: mixed(name ^ about.isOther),
    ofText: (folded, start, end) => ofHigh(highOfBytes(folded, start, end)),
    ofHigh,
  }
}

/** Hashes are sorted so many at once, which takes a fifth of a millisecond. */
const SORTED_AT_ONCE = 16_384

/** Texts of a column are read at once; longer ones have no hashes. */
const MOST_TEXT_BYTES = 32 * 1024 * 1024

/** Collects hashes as sorted arrays. */
class Sorted {
  readonly arrays: Uint32Array<ArrayBuffer>[] = []
  readonly #sorter = new DigitSorter()
  #next = new Uint32Array(SORTED_AT_ONCE)
  #count = 0

  add(hash: number): void {
    this.#next[this.#count++] = hash
    if (this.#count === SORTED_AT_ONCE) this.end()
  }

  /** What is left over is an array, too. */
  end(): readonly Uint32Array<ArrayBuffer>[] {
    if (this.#count > 0) {
      const array = this.#count === SORTED_AT_ONCE ? this.#next : this.#next.slice(0, this.#count)
      this.#sorter.sort(array)
      this.arrays.push(array)
    }
    this.#next = new Uint32Array(SORTED_AT_ONCE)
    this.#count = 0
    return this.arrays
  }
}

function addTexts(sorted: Sorted, hashes: FieldHashes): (folded: Uint8Array, start: number, end: number) => void {
  return (folded, start, end) => sorted.add(hashes.ofText(folded, start, end))
}

/**
 * The hashes of all that a segment may be asked for, in sorted arrays; in one turn about a block. Read past the cache, as nobody
 * needs it again. Throws SluiceError `durable/damaged`.
 */
export function* itemsOfSegment(segment: StoredSegment): Turns<readonly Uint32Array<ArrayBuffer>[]> {
  const { file, textField } = segment
  const open = file.open()
  const { columns, words } = open.contents
  const sorted = new Sorted()
  if (words !== undefined) {
    for (let group = 0; group < words.groups; group++) {
      const { bytes, offsets, counts } = wordsOfGroup(file, open, words, group)
      for (let word = 0; word < counts.length; word++) sorted.add(hashOfWord(bytes, offsets[word], offsets[word + 1]))
      yield
    }
  }
  for (const { name, column } of columns) {
    const hashes = fieldHashes(name)
    if (name === textField && words !== undefined) continue
    if (codesIn(column)) {
      for (const [, entries] of file.entries(open, name)) {
        if (yield* eachFoldedEntry(entries, undefined, addTexts(sorted, hashes))) sorted.add(hashes.isOther)
      }
    } else if (column.kind === 'text' && column.texts.bytes <= MOST_TEXT_BYTES) {
      const texts = segment.columns.get(name)?.column as TextColumn
      yield
      yield* eachFoldedText(texts, addTexts(sorted, hashes))
    } else sorted.add(hashes.isOther)
    yield
  }
  return sorted.end()
}

/** Whether every value of a field has a code. */
function codesIn(column: StoredColumnContents): boolean {
  return column.kind === 'dictionary' || (column.kind === 'sparse' && column.present.kind === 'dictionary')
}

/** Words between two turns. */
const WORDS_AT_ONCE = 16_384

function* addWords(sorted: Sorted, { bytes, lengths, wordCount }: WordArrays): Turns<void> {
  for (let word = 0, at = 0; word < wordCount; at += lengths[word++]) {
    if (word % WORDS_AT_ONCE === WORDS_AT_ONCE - 1) yield
    sorted.add(hashOfWord(bytes, at, at + lengths[word]))
  }
}

/** The same of a segment in memory, for which no file is read; `noted` when its file was written. */
export function* itemsOfMemory(
  { columns, words, textField }: Segment,
  noted?: NotedHashes,
): Turns<readonly Uint32Array<ArrayBuffer>[]> {
  const sorted = new Sorted()
  if (noted?.words !== undefined) for (const hash of noted.words) sorted.add(hash)
  else if (words !== undefined) {
    invariant(words instanceof WordsInMemory, 'a segment of memory')
    yield* addWords(sorted, words.arrays)
  }
  for (const [name, { column }] of columns) {
    if (name === textField && words !== undefined) continue
    yield
    const hashes = fieldHashes(name)
    const coded = column.kind === 'sparse' ? column.present : column
    if (coded.kind === 'dictionary') {
      if (yield* eachFoldedEntry(coded.dictionary, usedCodes(coded.codes), addTexts(sorted, hashes)))
        sorted.add(hashes.isOther)
    } else if (column.kind === 'text' && column.offsets[column.length] <= MOST_TEXT_BYTES) {
      const known = noted?.texts.get(name)
      if (known !== undefined) for (const high of known) sorted.add(hashes.ofHigh(high))
      else yield* eachFoldedText(column, addTexts(sorted, hashes))
    } else sorted.add(hashes.isOther)
  }
  return sorted.end()
}
