import { createBitmap, setBit } from '../../../data/index.ts'
import { zoneRows, type Segment, type StoredColumn } from '../../../store/index.ts'
import type { NamedTest } from '../expr/predicate.ts'
import { select } from './top-contenders.ts'
import { compareRows, type SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'

/** Where more of the rows than this are wanted, all are sorted. */
const MOST_OF_ALL = 1 / 64

/** A row that may be among the first ones. */
export interface Contender {
  readonly segment: Segment
  readonly row: number
  /** The number it is ordered by, turned round for `asc`: more is better. */
  readonly value: number
}

/**
 * The rows that may be among the first `keep` of a scan by one numeric field, ties of the last one included: zones are
 * looked at from the best bound down, until no bound left is as good as the last row kept.
 */
export class TopRows {
  readonly #source: ScanSource
  readonly #name: string
  readonly #sign: 1 | -1
  readonly #keep: number
  /** All zones: the range each lies in, its number in the segment, the best number a row of it may have. */
  readonly #ranges: SegmentRange[] = []
  readonly #zones: number[] = []
  readonly #bounds: Float64Array
  /** Whether each bound is the number of a row that passes. */
  #isExact = true
  /** Zones from this bound on have been looked at. */
  #doneFrom = Infinity
  #contenders: Contender[] = []
  #wanted: number

  private constructor(source: ScanSource, name: string, sign: 1 | -1, keep: number) {
    this.#source = source
    this.#name = name
    this.#sign = sign
    this.#keep = keep
    this.#wanted = keep
    const bounds: number[] = []
    for (const range of source.ranges()) this.#addZones(range, bounds)
    this.#bounds = Float64Array.from(bounds)
  }

  /** `undefined` when the field is not plain numbers everywhere, or a large part of all rows is wanted. */
  static of(source: ScanSource, name: string, direction: 'asc' | 'desc', keep: number): TopRows | undefined {
    const ranges = source.ranges()
    const rowCount = ranges.reduce((sum, { from, to }) => sum + to - from, 0)
    if (keep === 0 || keep > rowCount * MOST_OF_ALL) return undefined
    const arePlain = ranges.every(({ segment }) => {
      const stored = segment.columns.get(name)
      return stored === undefined || (stored.zones !== undefined && !stored.zones.hasNan)
    })
    return arePlain ? new TopRows(source, name, direction === 'desc' ? 1 : -1, keep) : undefined
  }

  #addZones(range: SegmentRange, bounds: number[]): void {
    const { segment, from, to } = range
    const stored = segment.columns.get(this.#name)
    if (stored?.zones === undefined) return
    if (from !== 0 || to !== segment.rowCount) this.#isExact = false
    const best = this.#boundsOf(stored, segment)
    for (let zone = 0; zone < best.length; zone++) {
      const isInside = zone * zoneRows < to && (zone + 1) * zoneRows > from
      if (!isInside || best[zone] === -Infinity) continue
      this.#ranges.push(range)
      this.#zones.push(zone)
      bounds.push(best[zone])
    }
  }

  /** The best number of each zone, of rows that pass what is known of their codes. */
  #boundsOf({ zones, zonesByCode }: StoredColumn, segment: Segment): Float64Array {
    const best = this.#sign === 1 ? zones?.maxs : zones?.mins
    const bounds = new Float64Array(best?.length ?? 0)
    for (let zone = 0; zone < bounds.length; zone++) bounds[zone] = (best?.[zone] ?? NaN) * this.#sign
    const { tests } = this.#source
    if (this.#source.isGuarded || !this.#source.isDecidedByTests || tests.length > 1) this.#isExact = false
    for (const { name, test } of tests) {
      if (!this.#tighten(bounds, zonesByCode, name, test, segment)) this.#isExact = false
    }
    return bounds
  }

  #tighten(
    bounds: Float64Array,
    zonesByCode: StoredColumn['zonesByCode'],
    name: string,
    test: NamedTest['test'],
    segment: Segment,
  ): boolean {
    const byCode = zonesByCode.get(name)
    const column = segment.columns.get(name)?.column
    if (byCode === undefined || column?.kind !== 'dictionary') return false
    const { list } = test.codes(column.dictionary)
    const values = this.#sign === 1 ? byCode.maxs : byCode.mins
    for (let zone = 0; zone < bounds.length; zone++) {
      let best = -Infinity
      for (let i = 0; i < list.length && list[i] < byCode.codes; i++) {
        const value = values[zone * byCode.codes + list[i]] * this.#sign
        if (value > best) best = value
      }
      if (best < bounds[zone]) bounds[zone] = best
    }
    return true
  }

  /** The `keep`-th best number found so far. */
  #threshold(): number {
    if (this.#contenders.length < this.#keep) return -Infinity
    const values = Float64Array.from(this.#contenders, (contender) => contender.value)
    return select(values, values.length - this.#keep)
  }

  /** Looks at some zones; true when no other can matter. */
  step(): boolean {
    const bounds = this.#bounds
    let threshold = this.#threshold()
    let bound = threshold
    if (threshold > -Infinity) {
      this.#contenders = this.#contenders.filter((contender) => contender.value >= threshold)
    } else if (bounds.length > this.#wanted) {
      bound = select(bounds.slice(), bounds.length - this.#wanted)
      this.#wanted *= 4
      // So many zones each have a row that passes and is at least as good: no worse row can come out.
      if (this.#isExact) threshold = bound
    }
    let isAny = false
    for (let i = 0; i < bounds.length;) {
      const range = this.#ranges[i]
      let end = i
      while (end < bounds.length && this.#ranges[end] === range) end++
      if (this.#look(range, i, end, bound, threshold)) isAny = true
      i = end
    }
    this.#doneFrom = Math.min(this.#doneFrom, bound)
    return !isAny || bound === -Infinity
  }

  /** Looks at the zones `[start, end)` of one segment that are good enough; false when there are none. */
  #look(range: SegmentRange, start: number, end: number, bound: number, threshold: number): boolean {
    const { segment, from, to } = range
    const column = segment.columns.get(this.#name)?.column
    if (column?.kind !== 'float64') return false
    const { values } = column
    const found: number[] = []
    let rowCount = 0
    let isAny = false
    for (let i = start; i < end; i++) {
      if (!(this.#bounds[i] >= bound) || this.#bounds[i] >= this.#doneFrom) continue
      isAny = true
      const first = Math.max(from, this.#zones[i] * zoneRows)
      const last = Math.min(to, (this.#zones[i] + 1) * zoneRows)
      rowCount += last - first
      if (this.#sign === 1) pushFrom(values, first, last, threshold, found)
      else pushTo(values, first, last, -threshold, found)
    }
    if (found.length === 0) {
      this.#source.look(rowCount)
      return isAny
    }
    const rows = this.#filterByCodes(segment, found)
    if (rows !== undefined) {
      this.#source.look(rowCount)
      for (const row of rows) this.#contenders.push({ segment, row, value: values[row] * this.#sign })
      return isAny
    }
    const mask = createBitmap(segment.rowCount)
    for (const row of found) setBit(mask, row)
    this.#source.narrow(segment, mask, rowCount)
    for (let i = 0; i < mask.length; i++) {
      for (let word = mask[i]; word !== 0; word &= word - 1) {
        const row = (i << 5) + 31 - Math.clz32(word & -word)
        this.#contenders.push({ segment, row, value: values[row] * this.#sign })
      }
    }
    return isAny
  }

  /** The rows that pass, when the codes of a few fields decide it. */
  #filterByCodes(segment: Segment, rows: readonly number[]): readonly number[] | undefined {
    if (this.#source.isGuarded || !this.#source.isDecidedByTests) return undefined
    let kept = rows
    for (const { name, test } of this.#source.tests) {
      const column = segment.columns.get(name)?.column
      if (column?.kind !== 'dictionary') return undefined
      const { passes } = test.codes(column.dictionary)
      const { codes } = column
      kept = kept.filter((row) => passes[codes[row]] === 1)
    }
    return kept
  }

  /** The rows found, best first, then newest first; `undefined` when fewer than wanted have the number at all. */
  rows(): readonly Contender[] | undefined {
    if (this.#contenders.length < this.#keep) return undefined
    const threshold = this.#threshold()
    const rows = this.#contenders.filter((contender) => contender.value >= threshold)
    return rows.sort((a, b) => b.value - a.value || compareRows(b.segment, b.row, a.segment, a.row))
  }
}

function pushFrom(values: Float64Array, first: number, last: number, bound: number, into: number[]): void {
  for (let row = first; row < last; row++) if (values[row] >= bound) into.push(row)
}

function pushTo(values: Float64Array, first: number, last: number, bound: number, into: number[]): void {
  for (let row = first; row < last; row++) if (values[row] <= bound) into.push(row)
}
