import { GrowingDictionary, type StoredDictionary } from './dictionary/dictionary.ts'
import type { SpareColumn } from './spare-column.ts'

const MIN_DISTINCT_NUMBERS = 1024
const MAX_DISTINCT_NUMBERS = 65_000
const MANY_TEXTS = 1_000_000
/** Beyond these a dictionary, which stays in memory, would grow with the rows for ever, however often each text comes. */
const MOST_TEXTS = 4_000_000
const MOST_TEXT_BYTES = 256 * 1024 ** 2
const MIN_DISTINCT_TEXTS = 2048
const LONG_TEXT_BYTES = 96
/** In a store that is read once, a field with more texts and a larger share of different ones is not worth codes. */
const MANY_TEXTS_ONCE = 4096
const MANY_TEXTS_ONCE_RATIO = 0.1

/** What a table knows of one field across its segments: its dictionary, and whether codes still pay. */
export class FieldState {
  readonly name: string
  /** Values seen as codes so far. */
  codedValues = 0
  /** False once the field has too many different values: later segments keep plain values. */
  isCoded: boolean
  /** Memory of a builder whose rows are sealed. */
  spare: SpareColumn | undefined
  /** Size at which the decision is looked at again. */
  #checkAt = MIN_DISTINCT_TEXTS
  #dictionary = new GrowingDictionary()
  /** Entries that were read back: how often their values came is not known. */
  #restoredSize = 0
  readonly #isReadOnce: boolean

  constructor(name: string, isCoded: boolean, isReadOnce = false) {
    this.name = name
    this.#isReadOnce = isReadOnce
    this.isCoded = isCoded
  }

  /**
   * Goes on with a dictionary that is stored, which is read when it is needed. Where rows are not to be stored, those that come
   * are kept plain rather than that a long dictionary is read for them.
   */
  restore(stored: StoredDictionary, storesRows = true): void {
    if (!storesRows && stored.pages !== undefined) this.isCoded = false
    this.#dictionary = GrowingDictionary.stored(stored)
    this.#restoredSize = stored.size
    this.#checkAt = stored.size + MIN_DISTINCT_TEXTS
  }

  /** Whatever needs all of a stored one throws what reading it throws. */
  get dictionary(): GrowingDictionary {
    return this.#dictionary
  }

  /** `undefined` while it is stored and nobody has needed all of it. */
  get dictionaryInMemory(): GrowingDictionary | undefined {
    return this.#dictionary.stored === undefined ? this.#dictionary : undefined
  }

  /** To be called now and then; says whether the field should go on with codes. */
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
