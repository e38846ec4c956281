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

/** Some words that occur in a segment. A passing row contains at least one of them. */
export interface FoundWords {
  readonly words: readonly FoundWord[]
  /** An upper bound of the number of rows with at least one of the words. */
  readonly rows: number
}

export function foundWords(words: readonly FoundWord[]): FoundWords {
  let rows = 0
  for (const word of words) rows += word.count
  return { words, rows }
}

/** A test of a string field by the word index of a segment. */
export interface WordTest {
  /** True if the index shows at little cost that no row of the segment passes. False when it is unknown. */
  isNone(index: WordIndex): boolean
  /**
   * Returns a bitmap of the segments in a group, by index, that may contain the required words. `undefined` if this
   * cannot be determined.
   */
  segmentsIn(group: SegmentGroup): Bitmap | undefined
  /**
   * Clears rows without the required words; returns true if all remaining rows pass. With `byRarest`, only the rarest
   * word is looked up, because the caller tests the other words in another way.
   */
  narrow(index: WordIndex, mask: Bitmap, byRarest?: boolean): boolean
  /** Returns the number of passing rows in the segment; `undefined` when rows must be read to know it. */
  count(index: WordIndex): number | undefined
  /** True if the index alone can decide the test, without reading strings. */
  readonly isDecisive: boolean
  /** Prefetches index data as described at `Predicate.readAhead`. `byRarest` has the same meaning as in `narrow`. */
  readAhead?(index: WordIndex, step: number, isAlone: boolean, byRarest: boolean): boolean
  /** The estimated cost of testing one row. */
  readonly cost: number
}

/** Looks up whole words, and prefixes of words, in the word index of a segment. */
export class WordLookup implements WordTest {
  readonly #needs: readonly PreparedNeed[]
  readonly #hasPrefixes: boolean
  /** True if the words alone decide the test: every row that contains them passes. */
  readonly isDecisive: boolean
  readonly #counters: Counters
  /** The word index of the last search. Its result is cached, since each segment is searched several times. */
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

  /** Makes the lookup for a test. Returns `undefined` when the test does not require words. */
  static of(test: ValueTest, counters: Counters): WordLookup | undefined {
    const needs = wordNeeds(test)
    return needs.length === 0 ? undefined : new WordLookup(needs, isDecidedByWords(test), counters)
  }

  /**
   * Returns the index words for each searched word or prefix, ordered by number of rows, fewest first. `undefined` when
   * one of them does not occur.
   */
  #find(index: WordIndex): readonly FoundWords[] | undefined {
    if (index !== this.#searched) {
      this.#found = this.#search(index)
      this.#searched = index
    }
    return this.#found
  }

  #search(index: WordIndex): readonly FoundWords[] | undefined {
    let all: FoundWords[] | undefined
    // Most searches end at the first word that does not occur, so nothing is allocated before that. A single word needs
    // no sorting.
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
    // Only checks existence: a prefix may match many words, which this check does not need.
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
    // The rarest word is known only after step 1 has read all words.
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

/** Clears the rows of `mask` that contain none of these words. */
export function narrowByWords(index: WordIndex, { words, rows }: FoundWords, mask: Bitmap, counters: Counters): void {
  counters.postingsRead += rows
  if (words.length === 1 && words[0].isFrequent) {
    andInto(mask, index.bitmapOf(words[0]))
    return
  }
  andInto(mask, rowsOfWords(index, words))
}

/** Returns a bitmap of the rows that contain at least one of these words. */
function rowsOfWords(index: WordIndex, words: readonly FoundWord[]): Bitmap {
  const having = createBitmap(index.rowCount)
  for (const word of words) addRowsOfWord(index, word, having)
  return having
}

/** Returns the number of rows that contain at least one of these words. */
export function countOfWords(index: WordIndex, { words, rows }: FoundWords): number {
  if (words.length <= 1) return rows
  if (words.some((word) => word.isFrequent)) return countBits(rowsOfWords(index, words))
  return countListed(words.map((word) => index.rowsOf(word)))
}

/** Returns the number of rows that contain all of these words. */
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

/**
 * True if the words alone decide the test: a row passes if and only if it contains them. This holds for tests of whole
 * words, and of word prefixes that ignore case.
 */
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
