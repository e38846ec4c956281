import { GrowingDictionary, type StoredDictionary } from './dictionary/dictionary.ts'
import type { SpareColumn } from './spare-column.ts'

const MIN_DISTINCT_NUMBERS = 1024
const MAX_DISTINCT_NUMBERS = 65_000
const MANY_TEXTS = 1_000_000
/**
 * Maximum number of distinct strings in a field's dictionary. Dictionaries stay in memory, so even a dictionary whose
 * strings repeat often must be limited.
 */
const MOST_TEXTS = 4_000_000
const MOST_TEXT_BYTES = 256 * 1024 ** 2
const MIN_DISTINCT_TEXTS = 2048
const LONG_TEXT_BYTES = 96
/**
 * Minimum number of texts for this rule of tables that are read once: a field with at least this many texts, and a
 * share of distinct values above `MANY_TEXTS_ONCE_RATIO`, is stored without codes.
 */
const MANY_TEXTS_ONCE = 4096
const MANY_TEXTS_ONCE_RATIO = 0.1

/**
 * The state of one field across the segments of a table: its dictionary, and whether new values are stored as codes.
 */
export class FieldState {
  readonly name: string
  /** The number of values stored as codes so far. */
  codedValues = 0
  /**
   * True if new values are stored as codes. False once the field has too many distinct values: later segments have
   * plain values.
   */
  isCoded: boolean
  /** Buffers of an earlier builder whose rows are sealed, for the next builder. */
  spare: SpareColumn | undefined
  /** The dictionary size at which `review` decides again. */
  #checkAt = MIN_DISTINCT_TEXTS
  #dictionary = new GrowingDictionary()
  /** The number of entries read from a file. The number of rows that have them is unknown. */
  #restoredSize = 0
  readonly #isReadOnce: boolean

  constructor(name: string, isCoded: boolean, isReadOnce = false) {
    this.name = name
    this.#isReadOnce = isReadOnce
    this.isCoded = isCoded
  }

  /**
   * Continues with a stored dictionary, which is read on demand. If `storesRows` is false and the dictionary has pages,
   * new rows get plain values, so that the dictionary need not be loaded for them.
   */
  restore(stored: StoredDictionary, storesRows = true): void {
    if (!storesRows && stored.pages !== undefined) this.isCoded = false
    this.#dictionary = GrowingDictionary.stored(stored)
    this.#restoredSize = stored.size
    this.#checkAt = stored.size + MIN_DISTINCT_TEXTS
  }

  /** The dictionary. If it is stored, operations that need all entries throw the errors of reading the file. */
  get dictionary(): GrowingDictionary {
    return this.#dictionary
  }

  /** The dictionary; `undefined` if it is stored and not loaded. */
  get dictionaryInMemory(): GrowingDictionary | undefined {
    return this.#dictionary.stored === undefined ? this.#dictionary : undefined
  }

  /** Decides whether the field continues to use codes, and returns the decision. Must be called regularly. */
  review(): boolean {
    const { dictionary } = this
    if (!this.isCoded || dictionary.size < this.#checkAt) return this.isCoded
    this.#checkAt = Math.min(this.#checkAt * 2, dictionary.size + 250_000)
    const { numberCount, textBytes } = dictionary.entries
    const distinctRatio = (dictionary.size - this.#restoredSize) / Math.max(1, this.codedValues)
    const texts = dictionary.size - numberCount
    const hasManyNumbers =
      numberCount > MAX_DISTINCT_NUMBERS || (numberCount >= MIN_DISTINCT_NUMBERS && distinctRatio > 0.25)
    const hasLongTexts = texts >= MIN_DISTINCT_TEXTS && textBytes / texts > LONG_TEXT_BYTES && distinctRatio > 0.3
    const hasManyTexts = this.#isReadOnce
      ? texts >= MANY_TEXTS_ONCE && distinctRatio > MANY_TEXTS_ONCE_RATIO
      : (texts >= MANY_TEXTS && distinctRatio > 0.9) || texts >= MOST_TEXTS || textBytes >= MOST_TEXT_BYTES
    if (hasManyNumbers || hasLongTexts || hasManyTexts) this.isCoded = false
    return this.isCoded
  }
}
