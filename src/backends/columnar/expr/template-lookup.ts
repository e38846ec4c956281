import { work, type Bytes } from '../../../base/index.ts'
import { encodeText, wordNeeds, type Bitmap, type ValueTest } from '../../../data/index.ts'
import { isFixed, variableByte, type TextTemplates, type WordIndex } from '../../../store/index.ts'
import type { Counters } from './counters.ts'
import { narrowRows } from './mask.ts'
import { byteMatcher, type ByteMatcher } from './text-matcher.ts'

/**
 * Tests for phrases of whole words, by templates (strings with the variable parts removed). Each template is tested
 * once for all of its rows. Valid only for segments whose variable parts contain none of the searched words.
 */
export class TemplateLookup {
  readonly #matches: ByteMatcher
  readonly #words: readonly Bytes[]
  readonly #counters: Counters

  private constructor(matches: ByteMatcher, words: readonly Bytes[], counters: Counters) {
    this.#matches = matches
    this.#words = words
    this.#counters = counters
  }

  /** Makes the lookup for a test. Returns `undefined` unless the test searches whole words only. */
  static of(test: ValueTest, counters: Counters): TemplateLookup | undefined {
    const phrases = phrasesOf(test)
    const variable = String.fromCharCode(variableByte)
    if (phrases === undefined || phrases.some((phrase) => phrase.includes(variable))) return undefined
    const needs = wordNeeds(test)
    const matches = byteMatcher(test)
    if (matches === undefined || needs.length === 0 || needs.some(({ isPrefix }) => isPrefix)) return undefined
    return new TemplateLookup(
      matches,
      needs.map(({ word }) => encodeText(word)),
      counters,
    )
  }

  /** True if the lookup is valid for a segment: no searched word occurs in the variable parts of its strings. */
  isFor(index: WordIndex): boolean {
    const { templates: known } = index
    return known !== undefined && this.#words.every((word) => isFixed(index, known, word))
  }

  /**
   * Clears rows whose template does not pass. Rows without a template stay. Returns true if every remaining row passes,
   * because all rows have a template. Requires that `isFor` returned true.
   */
  narrow({ templates: known }: WordIndex, mask: Bitmap): boolean {
    if (known === undefined) return false
    const templates = known.read()
    const passes = this.#passes(templates)
    const { codes } = templates
    let isDecided = true
    narrowRows(mask, (row) => {
      if (codes[row] === 0) isDecided = false
      return codes[row] === 0 || passes(codes[row])
    })
    return isDecided
  }

  /**
   * Returns a function that tests a template by its number. Each template is tested at most once, on the first request.
   */
  #passes({ count, bytes, offsets }: TextTemplates): (code: number) => boolean {
    const known = new Uint8Array(count + 1)
    return (code) => {
      if (known[code] === 0) {
        const start = offsets[code - 1]
        const end = offsets[code]
        this.#counters.bytesTouched += end - start
        work((end - start) >>> 4)
        known[code] = this.#matches(bytes, start, end) ? 1 : 2
      }
      return known[code] === 1
    }
  }
}

/** Returns the phrases of whole words that a test searches; `undefined` for other tests. */
function phrasesOf(test: ValueTest): readonly string[] | undefined {
  switch (test.kind) {
    case 'phrase':
      return [test.text]
    case 'sequence':
    case 'contains-all':
      return test.phrases
    default:
      return undefined
  }
}
