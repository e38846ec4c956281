import type { Bitmap, ValueTest } from '../../../data/index.ts'
import type { SegmentGroup, WordIndex } from '../../../store/index.ts'
import type { Frame } from '../frame.ts'
import type { Counters } from './counters.ts'
import { isEmptyMask } from './mask.ts'
import type { NamedTest, Predicate } from './predicate.ts'
import { TemplateLookup } from './template-lookup.ts'
import { ColumnTest } from './test-column.ts'
import { WordLookup, type WordTest } from './word-lookup.ts'
import { SubstringInWords } from './substring-in-words.ts'

/**
 * A test of one field. It uses the word index of a segment if the field has one, and then tests the remaining values.
 */
export class FieldTest implements Predicate {
  readonly tests: readonly NamedTest[]
  readonly isDecidedByTests = true
  readonly #name: string
  readonly #test: ColumnTest
  readonly #lookup: WordTest | undefined
  readonly #templates: TemplateLookup | undefined

  constructor(name: string, valueTest: ValueTest, counters: Counters) {
    this.#name = name
    this.#test = new ColumnTest(valueTest, counters)
    this.#lookup = WordLookup.of(valueTest, counters) ?? SubstringInWords.of(valueTest, counters)
    this.#templates = this.#lookup?.isDecisive === true ? undefined : TemplateLookup.of(valueTest, counters)
    this.tests = [{ name, test: this.#test }]
  }

  #wordsOf(frame: Frame): WordIndex | undefined {
    const { segment } = frame
    if (this.#lookup === undefined || segment === undefined || segment.textField !== this.#name) return undefined
    return frame.has(this.#name) ? segment.words : undefined
  }

  narrow(frame: Frame, mask: Bitmap): void {
    const words = this.#wordsOf(frame)
    if (words !== undefined && this.#lookup !== undefined) {
      if (this.#isByTemplates) {
        if (this.#narrowByTemplates(words, this.#lookup, mask) || isEmptyMask(mask)) return
      }
      if (this.#lookup.narrow(words, mask) || isEmptyMask(mask)) return
    }
    const stored = frame.has(this.#name) ? frame.segment?.columns.get(this.#name) : undefined
    if (stored === undefined) this.#test.narrow(frame.column(this.#name), mask)
    else this.#test.narrowStored(stored, mask)
  }

  get #isByTemplates(): boolean {
    return this.#templates !== undefined && this.#lookup?.isDecisive === false
  }

  /**
   * Clears rows by their templates (strings with the variable parts removed). Looks up only the rarest word first,
   * because testing the templates covers the other words. Returns true if all remaining rows pass.
   */
  #narrowByTemplates(words: WordIndex, lookup: WordTest, mask: Bitmap): boolean {
    if (lookup.isNone(words)) {
      mask.fill(0)
      return true
    }
    if (this.#templates?.isFor(words) !== true) return false
    lookup.narrow(words, mask, true)
    return this.#templates.narrow(words, mask)
  }

  isNone(frame: Frame): boolean {
    const words = this.#wordsOf(frame)
    if (words !== undefined && this.#lookup?.isNone(words) === true) return true
    const { segment } = frame
    return segment !== undefined && frame.has(this.#name) && this.#test.isNone(segment.columns.get(this.#name))
  }

  segmentsIn(group: SegmentGroup): Bitmap | undefined {
    // Rows without the field pass, and any segment may have such rows.
    if (this.#test.holdsForMissing) return undefined
    return group.textField === this.#name ? this.#lookup?.segmentsIn(group) : this.#test.segmentsIn(this.#name, group)
  }

  readAhead(frame: Frame, step: number, isAlone: boolean): boolean {
    const words = this.#wordsOf(frame)
    if (words === undefined) {
      const stored = frame.has(this.#name) ? frame.segment?.columns.get(this.#name) : undefined
      const isCounted = isAlone && stored?.counts !== undefined
      return step === 0 && !isCounted && stored?.readAhead?.() === true
    }
    if (step === 1 && this.#isByTemplates) words.templates?.readAhead?.()
    return this.#lookup?.readAhead?.(words, step, isAlone, this.#isByTemplates) === true
  }

  cost(frame: Frame): number {
    const lookup = this.#wordsOf(frame) === undefined ? undefined : this.#lookup
    return lookup === undefined ? this.#test.cost(frame.column(this.#name)) : lookup.cost
  }

  count(frame: Frame): number | undefined {
    const words = this.#wordsOf(frame)
    return words === undefined ? this.#test.count(frame, this.#name) : this.#lookup?.count(words)
  }
}
