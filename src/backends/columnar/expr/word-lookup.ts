import type { Bytes } from '../../../base/index.ts'
import {
  andInto,
  countBits,
  createBitmap,
  encodeText,
  fold,
  isWordCodePoint,
  wordNeeds,
  type Bitmap,
  type ValueTest,
  type WordNeed,
} from '../../../data/index.ts'
import type { Counters } from './counters.ts'
import { countListed } from './mask.ts'
import { addRowsOfWord, maxWordBytes, type FoundWord, type SegmentGroup, type WordIndex } from '../../../store/index.ts'

interface PreparedNeed {
  readonly bytes: Bytes
  readonly isPrefix: boolean
}

/** Words of one segment of which a row needs at least one. */
export interface FoundWords {
  readonly words: readonly FoundWord[]
  /** An upper bound of the rows with one of them. */
  readonly rows: number
}

export function foundWords(words: readonly FoundWord[]): FoundWords {
  let rows = 0
  for (const word of words) rows += word.count
  return { words, rows }
}

/** The word-index search of a test of the text field. */
export interface WordTest {
  /** Whether it is known at little cost that no row passes. */
  isNone(index: WordIndex): boolean
  /**
   * Returns the segments of a group that may contain what the test needs, by position; `undefined` when that cannot be
   * determined.
   */
  segmentsIn(group: SegmentGroup): Bitmap | undefined
  /**
   * Clears rows that lack what the test needs, or with `byRarest` only its rarest part when the others are tested in
   * another way. Returns true when all remaining rows pass.
   */
  narrow(index: WordIndex, mask: Bitmap, byRarest?: boolean): boolean
  /** Returns how many of all rows pass, when that is known without reading rows. */
  count(index: WordIndex): number | undefined
  /** Whether its lookups alone may decide a test. */
  readonly isDecisive: boolean
  /** See `Predicate.readAhead`; with `byRarest` it reads what `narrow` reads. */
  readAhead?(index: WordIndex, step: number, isAlone: boolean, byRarest: boolean): boolean
  /** The estimated cost of one row. */
  readonly cost: number
}

/** Searches whole words and beginnings of words. */
export class WordLookup implements WordTest {
  readonly #needs: readonly PreparedNeed[]
  readonly #hasPrefixes: boolean
  /** Whether the words alone decide the test: rows with them pass. */
  readonly isDecisive: boolean
  readonly #counters: Counters
  /** The index that was searched last with its result, since each segment is searched several times. */
  #searched: WordIndex | undefined
  #found: readonly FoundWords[] | undefined

  constructor(needs: readonly WordNeed[], isDecisive: boolean, counters: Counters) {
    this.#counters = counters
    this.#needs = needs.map((need) => ({
      bytes: encodeText(need.word),
      isPrefix: need.isPrefix,
    }))
    this.#hasPrefixes = needs.some(({ isPrefix }) => isPrefix)
    this.isDecisive = isDecisive && this.#needs.every((need) => need.bytes.length < maxWordBytes)
  }

  /** Returns `undefined` when words cannot help. */
  static of(test: ValueTest, counters: Counters): WordLookup | undefined {
    const needs = wordNeeds(test)
    return needs.length === 0 ? undefined : new WordLookup(needs, isDecidedByWords(test), counters)
  }

  /** Returns the words of each need, those in the fewest rows first; `undefined` when one of them does not occur. */
  #find(index: WordIndex): readonly FoundWords[] | undefined {
    if (index !== this.#searched) {
      this.#found = this.#search(index)
      this.#searched = index
    }
    return this.#found
  }

  #search(index: WordIndex): readonly FoundWords[] | undefined {
    let all: FoundWords[] | undefined
    // Mostly this ends early: nothing is allocated for a segment without the word, and a single need is not sorted.
    for (const need of this.#needs) {
      const words = index.find(need.bytes, need.isPrefix)
      if (words.length === 0) return undefined
      if (this.#needs.length === 1) return [foundWords(words)]
      all ??= []
      all.push(foundWords(words))
    }
    return all?.sort((a, b) => a.rows - b.rows)
  }

  get cost(): number {
    return this.isDecisive ? 0.5 : 5
  }

  isNone(index: WordIndex): boolean {
    if (!this.#hasPrefixes) return this.#find(index) === undefined
    // Many words may begin with a prefix, and mostly the words themselves are not needed.
    return this.#needs.some(({ bytes, isPrefix }) => !index.has(bytes, isPrefix))
  }

  segmentsIn(group: SegmentGroup): Bitmap | undefined {
    let all: Bitmap | undefined
    for (const { bytes, isPrefix } of this.#needs) {
      const some = isPrefix ? undefined : group.withWord(bytes)
      if (some === undefined) continue
      if (all === undefined) all = some
      else for (let i = 0; i < all.length; i++) all[i] &= some[i]
    }
    return all
  }

  readAhead(index: WordIndex, step: number, isAlone: boolean, byRarest: boolean): boolean {
    const isWithAll = !byRarest && (!isAlone || !this.isDecisive || this.#needs.length > 1)
    // The rarest word is known once all of them have been read.
    const rarest = byRarest && step > 1 ? this.#rarest(index) : undefined
    let isAsked = false
    for (const need of this.#needs) {
      const withRows = isWithAll || need === rarest
      if (index.readAhead?.(need.bytes, need.isPrefix, step, withRows) === true) isAsked = true
    }
    return isAsked
  }

  #rarest(index: WordIndex): PreparedNeed {
    const rows = new Map(this.#needs.map((need) => [need, foundWords(index.find(need.bytes, need.isPrefix)).rows]))
    return this.#needs.reduce((a, b) => ((rows.get(b) ?? 0) < (rows.get(a) ?? 0) ? b : a))
  }

  narrow(index: WordIndex, mask: Bitmap, byRarest = false): boolean {
    const found = this.#find(index)
    if (found === undefined) mask.fill(0)
    else for (const words of byRarest ? found.slice(0, 1) : found) narrowByWords(index, words, mask, this.#counters)
    return this.isDecisive && !(byRarest && this.#needs.length > 1)
  }

  count(index: WordIndex): number | undefined {
    if (!this.isDecisive) return undefined
    const found = this.#find(index)
    if (found === undefined) return 0
    if (found.length === 1) return countOfWords(index, found[0])
    const words = found.flatMap((each) => each.words)
    return words.length === found.length ? countOfAll(index, words, this.#counters) : undefined
  }
}

/** Clears the rows that have none of some words. */
export function narrowByWords(index: WordIndex, { words, rows }: FoundWords, mask: Bitmap, counters: Counters): void {
  counters.postingsRead += rows
  if (words.length === 1 && words[0].isFrequent) {
    andInto(mask, index.bitmapOf(words[0]))
    return
  }
  andInto(mask, rowsOfWords(index, words))
}

/** Returns the rows that have one of some words. */
function rowsOfWords(index: WordIndex, words: readonly FoundWord[]): Bitmap {
  const having = createBitmap(index.rowCount)
  for (const word of words) addRowsOfWord(index, word, having)
  return having
}

/** Returns how many rows have one of some words. */
export function countOfWords(index: WordIndex, { words, rows }: FoundWords): number {
  if (words.length <= 1) return rows
  if (words.some((word) => word.isFrequent)) return countBits(rowsOfWords(index, words))
  return countListed(words.map((word) => index.rowsOf(word)))
}

/** Returns how many rows have all of some words. */
function countOfAll(index: WordIndex, words: readonly FoundWord[], counters: Counters): number {
  const all = createBitmap(index.rowCount).fill(-1)
  for (const word of words) {
    counters.postingsRead += word.count
    andInto(all, rowsOfWords(index, [word]))
  }
  return countBits(all)
}

function isWord(text: string): boolean {
  if (text === '') return false
  for (const character of text) if (!isWordCodePoint(character.codePointAt(0) ?? 0)) return false
  return true
}

/** Whether a row passes exactly when it has the words: tests of whole words and word beginnings that ignore case. */
function isDecidedByWords(test: ValueTest): boolean {
  switch (test.kind) {
    case 'phrase':
    case 'phrase-prefix':
      return test.isFolded && isWord(fold(test.text))
    case 'contains-all':
      return test.isFolded && test.phrases.every((phrase) => isWord(fold(phrase)))
    default:
      return false
  }
}
