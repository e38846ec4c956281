import {
  compileTest,
  compileTextTest,
  decodeText,
  hasBit,
  latin1,
  valueAt,
  type Bitmap,
  type Column,
  type Dictionary,
  type TextColumn,
  type TextPredicate,
  type ValuePredicate,
  type ValueTest,
} from '../../../data/index.ts'
import type { StoredColumn } from '../../../store/index.ts'
import type { Frame } from '../frame.ts'
import { codeSetOf, type CodeSet } from './code-set.ts'
import { narrowRows } from './mask.ts'
import { hasNoneOf, narrowByCodes, narrowByOrder } from './narrow-codes.ts'
import { canReach, narrowByRange, skipZones } from './narrow-range.ts'
import { byteMatcher, type ByteMatcher } from './text-matcher.ts'

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
        narrowByCodes(column, this.codes(column.dictionary), mask)
        return
      case 'float64':
        if (this.test.kind === 'range') {
          narrowByRange(column, this.test, mask)
          return
        }
        break
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

  /** As `narrow`, for a field of a whole segment, with what the segment knows of it. */
  narrowStored(stored: StoredColumn, mask: Bitmap): void {
    const { column, zones } = stored
    if (column.kind === 'dictionary' && narrowByOrder(stored, column, this.codes(column.dictionary), mask)) return
    if (column.kind === 'float64' && zones !== undefined && this.test.kind === 'range')
      skipZones(zones, this.test, mask)
    this.narrow(column, mask)
  }

  /** Whether no row of the segment passes, when that is known without looking at rows. */
  isNone(stored: StoredColumn | undefined): boolean {
    if (stored === undefined) return !this.holdsForMissing
    const { column, zones } = stored
    if (column.kind === 'dictionary') return hasNoneOf(stored, column, this.codes(column.dictionary))
    return (
      column.kind === 'float64' &&
      zones !== undefined &&
      this.test.kind === 'range' &&
      !canReach(zones.min, zones.max, this.test)
    )
  }

  /** Rows of a whole segment that pass, from the counts of codes. */
  count(frame: Frame, name: string): number | undefined {
    const stored = frame.segment?.columns.get(name)
    if (stored === undefined) return frame.segment === undefined ? undefined : this.holdsForMissing ? frame.rowCount : 0
    if (stored.counts === undefined || stored.column.kind !== 'dictionary') return undefined
    const { passes } = this.codes(stored.column.dictionary)
    let count = 0
    for (let code = 0; code < stored.counts.length; code++) if (passes[code] === 1) count += stored.counts[code]
    return count
  }

  /** Roughly what one row costs. */
  cost(column: Column): number {
    return column.kind === 'constant' ? 0 : column.kind === 'dictionary' ? 1 : 100
  }

  /** The codes whose values pass. */
  codes(dictionary: Dictionary): CodeSet {
    let set = this.#codeSets.get(dictionary)
    if (set === undefined || set.size < dictionary.size) {
      set = codeSetOf(this.test, this.holds, dictionary)
      this.#codeSets.set(dictionary, set)
    }
    return set
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
}
