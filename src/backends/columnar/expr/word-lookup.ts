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
import { addRowsOfWord, maxWordBytes, type FoundWord, type WordIndex } from '../../../store/index.ts'

interface PreparedNeed {
  readonly bytes: Bytes
  readonly isPrefix: boolean
}

/** The words of one need in one segment. */
interface Found {
  readonly words: readonly FoundWord[]
  /** At most so many rows have one of them. */
  readonly rows: number
}

/** What a test of the text field asks of the word index. */
export class WordLookup {
  readonly #needs: readonly PreparedNeed[]
  /** Whether the words alone decide the test: rows that have them pass. */
  readonly isDecisive: boolean
  readonly #counters: Counters

  constructor(needs: readonly WordNeed[], isDecisive: boolean, counters: Counters) {
    this.#counters = counters
    this.#needs = needs.map((need) => ({ bytes: encodeText(need.word), isPrefix: need.isPrefix }))
    this.isDecisive = isDecisive && this.#needs.every((need) => need.bytes.length < maxWordBytes)
  }

  /** `undefined` when words cannot help. */
  static of(test: ValueTest, counters: Counters): WordLookup | undefined {
    const needs = wordNeeds(test)
    return needs.length === 0 ? undefined : new WordLookup(needs, isDecidedByWords(test), counters)
  }

  #find(index: WordIndex): readonly Found[] | undefined {
    const all: Found[] = []
    for (const need of this.#needs) {
      const words = index.find(need.bytes, need.isPrefix)
      if (words.length === 0) return undefined
      let rows = 0
      for (const word of words) rows += word.count
      all.push({ words, rows })
    }
    return all.sort((a, b) => a.rows - b.rows)
  }

  /** Whether no row has all the words. */
  isNone(index: WordIndex): boolean {
    return this.#needs.some((need) => !index.has(need.bytes, need.isPrefix))
  }

  /** Clears the rows that lack a word needed. */
  narrow(index: WordIndex, mask: Bitmap): void {
    const found = this.#find(index)
    if (found === undefined) {
      mask.fill(0)
      return
    }
    for (const { words, rows } of found) {
      this.#counters.postingsRead += rows
      const [first] = words
      if (words.length === 1 && first.isFrequent) andInto(mask, index.bitmapOf(first))
      else {
        const having = emptied(mask.length)
        for (const word of words) addRowsOfWord(index, word, having)
        for (let i = 0; i < mask.length; i++) mask[i] &= having[i]
      }
    }
  }

  /** How many of all rows have the words, when that is known without looking at rows. */
  count(index: WordIndex): number | undefined {
    if (!this.isDecisive) return undefined
    const found = this.#find(index)
    if (found === undefined) return 0
    if (found.length > 1) return undefined
    const [{ words, rows }] = found
    if (words.length === 1) return rows
    const isListed = rows <= FEW_ROWS && words.every((word) => !word.isFrequent)
    return isListed ? countDistinct(index, words) : undefined
  }
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
