import { Bytes, MAX_CACHED, present, work } from '../../../base/index.ts'
import { countBits, fold, latin1, type Bitmap, type ValueTest } from '../../../data/index.ts'
import { maxWordBytes, type TextsSearch, type WordIndex, type WordSearch } from '../../../store/index.ts'
import { canScan, rowsWithLiteral, type Needle } from '../kernels/literal-scan.ts'
import { FEW_ROWS_ONE_IN } from '../tuning.ts'
import type { Counters } from './counters.ts'
import { LiteralSearch } from './literal-search.ts'
import { rowsMatching } from './regexp-scan.ts'
import { safeRegexp } from './safe-regexp.ts'
import { countOfWords, foundWords, narrowByWords, type FoundWords, type WordTest } from './word-lookup.ts'

/**
 * Searches for a substring of word characters, which can only occur inside one word. Searches the distinct words of a
 * segment, which are much shorter than its strings, and then looks up the rows of the found words.
 */
export class SubstringInWords implements WordTest {
  readonly cost = 15
  readonly #search: TextsSearch
  readonly #holds: WordSearch['holds']
  /** True if every string that contains one of the found words passes the test. */
  readonly isDecisive: boolean
  readonly #counters: Counters
  #last: { readonly index: WordIndex; readonly found: FoundInside | undefined } | undefined

  private constructor(search: TextsSearch, holds: WordSearch['holds'], isDecisive: boolean, counters: Counters) {
    this.#search = search
    this.#holds = holds
    this.isDecisive = isDecisive
    this.#counters = counters
  }

  /** Creates the search for a test. Returns `undefined` if a match may span several words. */
  static of(test: ValueTest, counters: Counters): SubstringInWords | undefined {
    if (test.kind === 'regexp') return SubstringInWords.#ofPattern(test, counters)
    if (test.kind !== 'contains' || !/^\w+$/.test(test.text)) return undefined
    const text = fold(test.text)
    const needle: Needle = { bytes: Bytes.from(text, 'latin1'), isFolded: false, wordStart: false, wordEnd: false }
    if (!canScan(needle, 0)) return undefined
    const literal = new LiteralSearch(text, false)
    return new SubstringInWords(
      (bytes, offsets, count) => {
        work(offsets[count] >>> 8)
        return rowsWithLiteral(needle, bytes, offsets, 0, count)
      },
      (bytes, start, end) => literal.find(bytes, start, end) !== -1,
      test.isFolded,
      counters,
    )
  }

  /**
   * Makes the search for a pattern; `undefined` for patterns that ignore case, which treat letters as equal that the
   * word index distinguishes.
   */
  static #ofPattern(test: ValueTest & { readonly kind: 'regexp' }, counters: Counters): SubstringInWords | undefined {
    const safe = test.isFolded ? undefined : safeRegexp(test.pattern, true)
    if (safe?.isInsideWord !== true) return undefined
    const { regexp } = safe
    return new SubstringInWords(
      (bytes, offsets, count) => rowsMatching(regexp, { bytes, offsets }, 0, count),
      (bytes, start, end) => regexp.test(latin1(bytes, start, end)),
      false,
      counters,
    )
  }

  isNone(): boolean {
    return false
  }

  segmentsIn(): undefined {
    return undefined
  }

  narrow(index: WordIndex, mask: Bitmap): boolean {
    if (countBits(mask) * FEW_ROWS_ONE_IN <= index.rowCount) return false
    const found = this.#find(index)
    if (found === undefined) return false
    narrowByWords(index, found, mask, this.#counters)
    return this.isDecisive && !found.hasCut
  }

  count(index: WordIndex): number | undefined {
    if (!this.isDecisive) return undefined
    const found = this.#find(index)
    return found === undefined || found.hasCut ? undefined : countOfWords(index, found)
  }

  /** Returns the words of a segment that contain the searched substring; `undefined` if there are too many. */
  #find(index: WordIndex): FoundInside | undefined {
    if (this.#last?.index !== index) {
      let hasCut = false
      const words = index.findInside(
        {
          search: this.#search,
          holds: (bytes, start, end) => {
            if (this.#holds(bytes, start, end)) return true
            // The index truncates long words, and the match may lie in the missing part.
            const isCut = end - start >= maxWordBytes
            hasCut ||= isCut
            return isCut
          },
        },
        MAX_CACHED,
      )
      this.#last = { index, found: words === undefined ? undefined : { ...foundWords(words), hasCut } }
    }
    return present(this.#last).found
  }
}

interface FoundInside extends FoundWords {
  /** True if some of the found words were truncated, so that a match is possible but not certain. */
  readonly hasCut: boolean
}
