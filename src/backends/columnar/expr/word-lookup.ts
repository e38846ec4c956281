import type { Bytes } from '../../../base/index.ts'
import {
  andInto,
  encodeText,
  fold,
  isWordCodePoint,
  wordNeeds,
  type Bitmap,
  type ValueTest,
  type WordNeed,
} from '../../../data/index.ts'
import type { Counters } from './counters.ts'
import { isShortList, keepListed } from './mask.ts'
import { addRowsOfWord, maxWordBytes, type FoundWord, type SegmentGroup, type WordIndex } from '../../../store/index.ts'

interface PreparedNeed {
  readonly bytes: Bytes
  readonly isPrefix: boolean
  /** Whether the segment that was looked at last has it: then the next one is likely to. */
  wasFound: boolean
}

/** Words of one segment, any of which will do. */
export interface FoundWords {
  readonly words: readonly FoundWord[]
  /** At most so many rows have one of them. */
  readonly rows: number
}

export function foundWords(words: readonly FoundWord[]): FoundWords {
  let rows = 0
  for (const word of words) rows += word.count
  return { words, rows }
}

/** What a test of the text field asks of the word index. */
export interface WordTest {
  /** Whether no row passes, when that is known at little cost. */
  isNone(index: WordIndex): boolean
  /** The rows that pass, where they stand in one list. */
  rows?(index: WordIndex): Uint16Array | undefined
  /** Segments of a group that may have what the test needs, by their places; `undefined` where that cannot be told. */
  segmentsIn(group: SegmentGroup): Bitmap | undefined
  /** Clears rows that lack what the test needs; true when all that are left pass. */
  narrow(index: WordIndex, mask: Bitmap): boolean
  /** How many of all rows pass, when that is known without looking at rows. */
  count(index: WordIndex): number | undefined
  /** Whether what it looks up alone may decide a test. */
  readonly isDecisive: boolean
  /** As of a `Predicate`. */
  readAhead?(index: WordIndex, step: number, isAlone: boolean): boolean
  /** Roughly what one row costs. */
  readonly cost: number
}

const NO_ROWS = new Uint16Array(0)

/** More words than this are not read ahead. */
const MOST_AHEAD = 8

/** Whole words and beginnings of words. */
export class WordLookup implements WordTest {
  readonly #needs: readonly PreparedNeed[]
  readonly #hasPrefixes: boolean
  /** Whether the words alone decide the test: rows that have them pass. */
  readonly isDecisive: boolean
  readonly #counters: Counters
  /** The index that was searched last, and what was found there: one look at a segment asks several times. */
  #searched: WordIndex | undefined
  #found: readonly FoundWords[] | undefined

  constructor(needs: readonly WordNeed[], isDecisive: boolean, counters: Counters) {
    this.#counters = counters
    this.#needs = needs.map((need) => ({
      bytes: encodeText(need.word),
      isPrefix: need.isPrefix,
      wasFound: false,
    }))
    this.#hasPrefixes = needs.some(({ isPrefix }) => isPrefix)
    this.isDecisive = isDecisive && this.#needs.every((need) => need.bytes.length < maxWordBytes)
  }

  /** `undefined` when words cannot help. */
  static of(test: ValueTest, counters: Counters): WordLookup | undefined {
    const needs = wordNeeds(test)
    return needs.length === 0 ? undefined : new WordLookup(needs, isDecidedByWords(test), counters)
  }

  /** The words of each need, those in the fewest rows first; `undefined` where one of them is not there. */
  #find(index: WordIndex): readonly FoundWords[] | undefined {
    if (index !== this.#searched) {
      this.#found = this.#search(index)
      this.#searched = index
    }
    return this.#found
  }

  #search(index: WordIndex): readonly FoundWords[] | undefined {
    let all: FoundWords[] | undefined
    for (const need of this.#needs) {
      const words = index.find(need.bytes, need.isPrefix, need.wasFound)
      need.wasFound = words.length > 0
      // As a rule it ends here: nothing is made for a segment without the word.
      if (words.length === 0) return undefined
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
    // Many words may begin with a prefix, and mostly nobody asks which.
    for (const need of this.#needs) {
      need.wasFound = index.has(need.bytes, need.isPrefix, need.wasFound)
      if (!need.wasFound) return true
    }
    return false
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

  readAhead(index: WordIndex, step: number, isAlone: boolean): boolean {
    if (this.#needs.length > MOST_AHEAD) return false
    const withRows = !isAlone || !this.isDecisive || this.#needs.length > 1
    let isAsked = false
    for (const { bytes, isPrefix, wasFound } of this.#needs)
      if (index.readAhead?.(bytes, isPrefix, step, withRows, wasFound) === true) isAsked = true
    return isAsked
  }

  narrow(index: WordIndex, mask: Bitmap): boolean {
    const found = this.#find(index)
    if (found === undefined) mask.fill(0)
    else for (const words of found) narrowByWords(index, words, mask, this.#counters)
    return this.isDecisive
  }

  rows(index: WordIndex): Uint16Array | undefined {
    if (!this.isDecisive || this.#needs.length > 1 || this.#hasPrefixes) return undefined
    const found = this.#find(index)
    if (found === undefined) return NO_ROWS
    const [word] = found[0].words
    if (word.isFrequent) return undefined
    this.#counters.postingsRead += word.count
    return index.rowsOf(word)
  }

  count(index: WordIndex): number | undefined {
    if (!this.isDecisive) return undefined
    const found = this.#find(index)
    if (found === undefined) return 0
    return found.length === 1 ? countOfWords(index, found[0]) : undefined
  }
}

/** Clears the rows that have none of some words. */
export function narrowByWords(index: WordIndex, { words, rows }: FoundWords, mask: Bitmap, counters: Counters): void {
  counters.postingsRead += rows
  if (words.length === 1 && words[0].isFrequent) {
    andInto(mask, index.bitmapOf(words[0]))
    return
  }
  if (isShortList(rows, mask) && words.every((word) => !word.isFrequent)) {
    keepListed(
      mask,
      words.map((word) => index.rowsOf(word)),
    )
    return
  }
  const having = emptied(mask.length)
  for (const word of words) addRowsOfWord(index, word, having)
  for (let i = 0; i < mask.length; i++) mask[i] &= having[i]
}

/** How many rows have one of some words, when that takes no bitmap. */
export function countOfWords(index: WordIndex, { words, rows }: FoundWords): number | undefined {
  if (words.length <= 1) return rows
  const isListed = rows <= FEW_ROWS && words.every((word) => !word.isFrequent)
  return isListed ? countDistinct(index, words) : undefined
}

/** Rows of several words up to this are counted without a bitmap. */
const FEW_ROWS = 256

/** How many rows have one of some rare words. */
function countDistinct(index: WordIndex, words: readonly FoundWord[]): number {
  const rows: number[] = []
  for (const word of words) for (const row of index.rowsOf(word)) rows.push(row)
  return new Set(rows).size
}

let scratch: Bitmap = new Uint32Array(0)

/** A bitmap without rows, to be used up before the next one is asked for. */
function emptied(words: number): Bitmap {
  if (scratch.length < words) scratch = new Uint32Array(words)
  return scratch.fill(0, 0, words)
}

function isWord(text: string): boolean {
  if (text === '') return false
  for (const character of text) if (!isWordCodePoint(character.codePointAt(0) ?? 0)) return false
  return true
}

/** Whether a row passes exactly when it has the words: folded tests for whole words and word beginnings. */
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
