import {
  compileTest,
  countBits,
  createBitmap,
  encodeText,
  fold,
  gather,
  hasBit,
  rowsOfBitmap,
  setRange,
  valueAt,
  type Bitmap,
  type Column,
  type Dictionary,
  type ValuePredicate,
  type ValueTest,
} from '../../../data/index.ts'
import type { SegmentGroup, StoredColumn } from '../../../store/index.ts'
import type { Frame } from '../frame.ts'
import { FEW_ROWS_ONE_IN } from '../tuning.ts'
import { codeSetOf, wholeTexts, type CodeSet } from './code-set.ts'
import type { Counters } from './counters.ts'
import { listedInRange } from './listed-numbers.ts'
import { keepListed, narrowRows } from './mask.ts'
import { hasNoneOf, narrowByCodes, narrowByOrder } from './narrow-codes.ts'
import { canReach, narrowByRange, skipZones } from './narrow-range.ts'
import { TextTest } from './text-test.ts'

function isFewOf({ length }: Column, mask: Bitmap): boolean {
  return countBits(mask) * FEW_ROWS_ONE_IN <= length
}

/** A test of one field, for columns of any encoding. Tests each dictionary entry once. */
export class ColumnTest {
  readonly test: ValueTest
  readonly holds: ValuePredicate
  /** True if rows without the field pass the test. */
  readonly holdsForMissing: boolean
  readonly #codeSets = new Map<Dictionary, CodeSet>()
  readonly #counters: Counters
  #textTest: TextTest | undefined
  /**
   * The strings of an `equals` or `in` test, lower-case in UTF-8; empty for other tests. `undefined` until first read.
   */
  #wholeTexts: readonly Uint8Array[] | undefined

  constructor(test: ValueTest, counters: Counters) {
    this.#counters = counters
    this.test = test
    this.holds = compileTest(test)
    this.holdsForMissing = this.holds(null)
  }

  narrow(column: Column, mask: Bitmap): void {
    if ('taken' in column && isFewOf(column, mask)) this.#narrowFew(column, mask)
    else this.#narrowAll(column, mask)
  }

  /**
   * Tests the few remaining rows one by one, for columns that can be read row by row, without reading the whole column.
   */
  #narrowFew(column: Column, mask: Bitmap): void {
    const rows = rowsOfBitmap(mask)
    if (rows.length === 0) return
    const found = createBitmap(rows.length)
    setRange(found, 0, rows.length)
    this.#narrowAll(gather(column, rows), found)
    for (let i = 0; i < rows.length; i++) if (!hasBit(found, i)) mask[rows[i] >>> 5] &= ~(1 << (rows[i] & 31))
  }

  #narrowAll(column: Column, mask: Bitmap): void {
    const { holds } = this
    switch (column.kind) {
      case 'constant':
        if (!holds(column.value)) mask.fill(0)
        return
      case 'values':
        narrowRows(mask, (row) => holds(column.values[row]))
        return
      case 'dictionary':
        this.#counters.bytesTouched += column.codes.byteLength
        narrowByCodes(column, this.codes(column.dictionary), mask)
        return
      case 'float64':
        if (this.test.kind === 'range') {
          this.#counters.bytesTouched += column.values.byteLength
          narrowByRange(column, this.test, mask)
          return
        }
        break
      case 'text':
        this.#textTest ??= new TextTest(this.test, this.holdsForMissing, this.#counters)
        this.#textTest.narrow(column, mask)
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

  /**
   * Like `narrow`, for a field of a whole segment. Also uses the stored zones, counts, row lists and lists of extreme
   * numbers.
   */
  narrowStored(stored: StoredColumn, mask: Bitmap): void {
    const { column } = stored
    if (
      column.kind === 'dictionary' &&
      narrowByOrder(stored, column, this.codes(column.dictionary), mask, this.#counters)
    )
      return
    // If few rows remain, reading their numbers is faster than loading a list from a file.
    const listed = this.#listed(stored, 'taken' in column && isFewOf(column, mask))
    if (listed !== undefined) return keepListed(mask, [listed])
    const zones = column.kind === 'float64' ? stored.zones : undefined
    if (zones !== undefined && this.test.kind === 'range') skipZones(zones, this.test, mask)
    this.narrow(column, mask)
  }

  /**
   * Returns the matching rows of a segment from its lists of extreme numbers; `undefined` if the lists may lack some of
   * these rows.
   */
  #listed(stored: StoredColumn, isHeldOnly = false): Uint16Array | undefined {
    if (this.test.kind !== 'range') return undefined
    const rows = listedInRange(stored, this.test, isHeldOnly)
    if (rows !== undefined) this.#counters.postingsRead += rows.length
    return rows
  }

  /** True if no row of the segment passes, as far as this is known without reading rows. False when it is unknown. */
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

  /** The strings, lower-case in UTF-8, one of which every passing value must equal; empty if other values may pass. */
  get #texts(): readonly Uint8Array[] {
    return (this.#wholeTexts ??= wholeTexts(this.test)?.map((text) => encodeText(fold(text))) ?? [])
  }

  /**
   * Returns a bitmap of the segments in a group, by index, that may have passing values of a field. `undefined` if this
   * cannot be determined.
   */
  segmentsIn(field: string, group: SegmentGroup): Bitmap | undefined {
    const texts = this.#texts
    return texts.length === 0 ? undefined : group.withTexts(field, texts)
  }

  /**
   * Returns the number of matching rows of a whole segment, from code counts or lists of extreme numbers. `undefined`
   * when rows must be read.
   */
  count(frame: Frame, name: string): number | undefined {
    const stored = frame.segment?.columns.get(name)
    if (stored === undefined) return frame.segment === undefined ? undefined : this.holdsForMissing ? frame.rowCount : 0
    if (stored.column.kind === 'float64') return this.#listed(stored)?.length
    if (stored.counts === undefined || stored.column.kind !== 'dictionary') return undefined
    const { passes } = this.codes(stored.column.dictionary)
    let count = 0
    for (let code = 0; code < stored.counts.length; code++) if (passes[code] === 1) count += stored.counts[code]
    return count
  }

  /** Returns the estimated cost of testing one row of the column. */
  cost(column: Column): number {
    if (column.kind === 'constant') return 0
    if (column.kind === 'dictionary') return 1
    return this.test.kind === 'regexp' ? 3000 : 100
  }

  /** Returns the codes of the dictionary entries that pass the test. */
  codes(dictionary: Dictionary): CodeSet {
    let set = this.#codeSets.get(dictionary)
    if (set === undefined || set.size < dictionary.size) {
      set = codeSetOf(this.test, this.holds, dictionary)
      this.#codeSets.set(dictionary, set)
    }
    return set
  }
}
