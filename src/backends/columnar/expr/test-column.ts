import {
  compileTest,
  compileTextTest,
  decodeText,
  fold,
  hasBit,
  latin1,
  toText,
  valueAt,
  type Bitmap,
  type Column,
  type Dictionary,
  type DictionaryColumn,
  type TextColumn,
  type TextPredicate,
  type Value,
  type ValuePredicate,
  type ValueTest,
} from '../../../data/index.ts'
import type { Frame } from '../frame.ts'
import { narrowRows } from './mask.ts'
import { byteMatcher, type ByteMatcher } from './text-matcher.ts'

/** Above so many entries a dictionary is searched by look-up where the test allows it. */
const LOOKUP_ABOVE = 256

/** What a test says of the codes of one dictionary; grows with it. */
interface CodeSet {
  /** 1 where the test holds. */
  passes: Uint8Array
  size: number
}

/** One test, ready for columns of any encoding. Dictionaries are tested once per entry. */
export class ColumnTest {
  readonly test: ValueTest
  readonly holds: ValuePredicate
  /** Whether rows without the field pass. */
  readonly holdsForMissing: boolean
  readonly #codeSets = new Map<Dictionary, CodeSet>()
  #onText: TextPredicate | undefined
  #matcher: ByteMatcher | undefined
  #isMatcherMade = false

  constructor(test: ValueTest) {
    this.test = test
    this.holds = compileTest(test)
    this.holdsForMissing = this.holds(null)
  }

  narrow(column: Column, mask: Bitmap): void {
    const { holds } = this
    switch (column.kind) {
      case 'constant':
        if (!holds(column.value)) mask.fill(0)
        return
      case 'values':
        narrowRows(mask, (row) => holds(column.values[row]))
        return
      case 'dictionary':
        this.#narrowCodes(column, mask)
        return
      case 'text':
        this.#narrowTexts(column, mask)
        return
      case 'sparse': {
        if (this.holdsForMissing) break
        const rows = new Uint32Array(mask.length)
        for (let i = 0; i < column.rows.length; i++) {
          const row = column.rows[i]
          if (((mask[row >>> 5] >>> (row & 31)) & 1) === 1 && holds(valueAt(column.present, i))) {
            rows[row >>> 5] |= 1 << (row & 31)
          }
        }
        mask.set(rows)
        return
      }
      default:
    }
    narrowRows(mask, (row) => holds(valueAt(column, row)))
  }

  /** Rows of a whole segment that pass, from the counts of codes. */
  count(frame: Frame, name: string): number | undefined {
    const stored = frame.segment?.columns.get(name)
    if (stored === undefined) return frame.segment === undefined ? undefined : this.holdsForMissing ? frame.rowCount : 0
    if (stored.counts === undefined || stored.column.kind !== 'dictionary') return undefined
    const passes = this.passes(stored.column.dictionary)
    let count = 0
    for (let code = 0; code < stored.counts.length; code++) if (passes[code] === 1) count += stored.counts[code]
    return count
  }

  /** Roughly what one row costs. */
  cost(column: Column): number {
    return column.kind === 'constant' ? 0 : column.kind === 'dictionary' ? 1 : 100
  }

  /** 1 for each code whose value passes. */
  passes(dictionary: Dictionary): Uint8Array {
    let set = this.#codeSets.get(dictionary)
    if (set === undefined) {
      set = { passes: new Uint8Array(dictionary.size), size: 0 }
      this.#codeSets.set(dictionary, set)
    }
    if (set.size < dictionary.size) this.#extend(set, dictionary)
    return set.passes
  }

  #extend(set: CodeSet, dictionary: Dictionary): void {
    const { size } = dictionary
    if (set.passes.length < size) {
      const wider = new Uint8Array(size)
      wider.set(set.passes)
      set.passes = wider
    }
    const { holds } = this
    const texts = size - set.size > LOOKUP_ABOVE ? this.#wholeTexts() : undefined
    if (texts === undefined) {
      for (let code = set.size; code < size; code++) if (holds(dictionary.valueAt(code))) set.passes[code] = 1
    } else {
      if (this.holdsForMissing) set.passes[0] = 1
      for (const text of texts) {
        for (const code of dictionary.findFolded(fold(text))) {
          if (holds(dictionary.valueAt(code))) set.passes[code] = 1
        }
      }
      for (const code of dictionary.nonTextCodes()) if (holds(dictionary.valueAt(code))) set.passes[code] = 1
    }
    set.size = size
  }

  /** The texts one of which a stored text must equal, case aside; `undefined` when the test is of another kind. */
  #wholeTexts(): readonly string[] | undefined {
    const { test } = this
    const values: readonly Value[] | undefined =
      test.kind === 'equals' ? [test.value] : test.kind === 'in' ? test.values : undefined
    return values?.map(toText)
  }

  #narrowTexts(column: TextColumn, mask: Bitmap): void {
    const { bytes, offsets, validity, wide } = column
    const text = (this.#onText ??= compileTextTest(this.test))
    if (!this.#isMatcherMade) {
      this.#matcher = byteMatcher(this.test)
      this.#isMatcherMade = true
    }
    const matcher = this.#matcher
    const { holdsForMissing } = this
    narrowRows(mask, (row) => {
      const start = offsets[row]
      const end = offsets[row + 1]
      if (wide !== undefined && hasBit(wide, row)) return text(decodeText(bytes, start, end))
      if (start === end && validity !== undefined && !hasBit(validity, row)) return holdsForMissing
      return matcher === undefined ? text(latin1(bytes, start, end)) : matcher(bytes, start, end)
    })
  }

  #narrowCodes(column: DictionaryColumn, mask: Bitmap): void {
    const passes = this.passes(column.dictionary)
    const { codes, length } = column
    for (let i = 0; i < mask.length; i++) {
      const word = mask[i]
      if (word === 0) continue
      const base = i << 5
      let bits = 0
      if (base + 32 <= length) {
        for (let k = 0; k < 32; k++) bits |= passes[codes[base + k]] << k
      } else {
        for (let k = 0; base + k < length; k++) bits |= passes[codes[base + k]] << k
      }
      mask[i] = word & bits
    }
  }
}
