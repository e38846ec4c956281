import { createBitmap, setBit } from '../../../data/index.ts'
import { zoneRows, type Segment, type StoredColumn } from '../../../store/index.ts'
import type { NamedTest } from '../expr/predicate.ts'
import { byPlace, type Contender } from './top-contenders.ts'
import { select } from '../keys/best-numbers.ts'
import { compareRows, type SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'

/** Where more of the rows than this are wanted, all are sorted. */
const MOST_OF_ALL = 1 / 64

/** Zones that are looked at before worse and older rows are let go of; twice as many after each look. */
const FIRST_ZONES = 4

/**
 * The rows that may be among the first `keep` of a scan by one numeric field: zones are looked at from the best bound
 * down, until no bound left is as good as the last row kept. Ties of the last one are included where other keys follow;
 * where none does the newest ones come out, and zones that have only ties that are older are passed over.
 */
export class TopRows {
  readonly #source: ScanSource
  readonly #name: string
  readonly #sign: 1 | -1
  readonly #keep: number
  readonly #hasMoreKeys: boolean
  /** All zones: the range each lies in, its number in the segment, the best number a row of it may have. */
  readonly #ranges: SegmentRange[] = []
  readonly #zones: number[] = []
  readonly #bounds: Float64Array
  /** Whether each bound is the number of a row that passes. */
  #isExact = true
  /** Zones from this bound on have been looked at. */
  #doneFrom = Infinity
  #contenders: Contender[] = []
  /** The last of `keep` contenders, where no other key follows: no worse row comes out, and no older one that ties. */
  #last: Contender | undefined
  #zonesAtOnce = FIRST_ZONES
  #wanted: number

  private constructor(source: ScanSource, name: string, sign: 1 | -1, keep: number, hasMoreKeys: boolean) {
    this.#source = source
    this.#name = name
    this.#sign = sign
    this.#keep = keep
    this.#hasMoreKeys = hasMoreKeys
    this.#wanted = keep
    const bounds: number[] = []
    for (const range of source.ranges()) this.#addZones(range, bounds)
    this.#bounds = new Float64Array(bounds)
  }

  /** `undefined` when the field is not plain numbers everywhere, or a large part of all rows is wanted. */
  static of(
    source: ScanSource,
    name: string,
    direction: 'asc' | 'desc',
    keep: number,
    hasMoreKeys: boolean,
  ): TopRows | undefined {
    const ranges = source.ranges()
    const rowCount = ranges.reduce((sum, { from, to }) => sum + to - from, 0)
    if (keep === 0 || keep > rowCount * MOST_OF_ALL) return undefined
    const arePlain = ranges.every(({ segment }) => {
      const stored = segment.columns.get(name)
      return stored === undefined || (stored.zones !== undefined && !stored.zones.hasNan)
    })
    return arePlain ? new TopRows(source, name, direction === 'desc' ? 1 : -1, keep, hasMoreKeys) : undefined
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
      const zones: number[] = []
      for (let zone = end - 1; zone >= i; zone--) {
        if (bounds[zone] >= bound && bounds[zone] < this.#doneFrom) zones.push(zone)
      }
      if (zones.length > 0) isAny = true
      this.#lookAt(range, zones, threshold)
      i = end
    }
    this.#doneFrom = Math.min(this.#doneFrom, bound)
    return !isAny || bound === -Infinity
  }

  /** Looks at zones of one segment, given from the newest on: at all of them at once only where all ties are wanted. */
  #lookAt(range: SegmentRange, zones: readonly number[], threshold: number): void {
    if (this.#hasMoreKeys) return this.#look(range, zones, threshold)
    for (let at = 0; at < zones.length;) {
      const some: number[] = []
      for (; at < zones.length && some.length < this.#zonesAtOnce; at++) {
        const zone = zones[at]
        if (!this.#isTooLate(this.#bounds[zone], range.segment, this.#endOf(range, zone) - 1)) some.push(zone)
      }
      this.#look(range, some, Math.max(threshold, this.#last?.value ?? -Infinity))
      this.#letGo()
      this.#zonesAtOnce *= 2
    }
  }

  /** Whether a row of at most this value comes after the last of those that are wanted. */
  #isTooLate(value: number, segment: Segment, row: number): boolean {
    const last = this.#last
    if (last === undefined || value > last.value) return false
    return value < last.value || compareRows(segment, row, last.segment, last.row) < 0
  }

  #letGo(): void {
    if (this.#contenders.length < this.#keep) return
    const threshold = this.#threshold()
    const best = this.#contenders.filter((contender) => contender.value >= threshold)
    this.#contenders = best.sort(byPlace).slice(0, this.#keep)
    this.#last = this.#contenders.at(-1)
  }

  #endOf({ to }: SegmentRange, zone: number): number {
    return Math.min(to, (this.#zones[zone] + 1) * zoneRows)
  }

  /** Looks at zones of one segment for rows that are at least as good as `threshold`. */
  #look(range: SegmentRange, zones: readonly number[], threshold: number): void {
    const { segment, from } = range
    const column = segment.columns.get(this.#name)?.column
    if (column?.kind !== 'float64') return
    const { values } = column
    const found: number[] = []
    let rowCount = 0
    for (const i of zones.toReversed()) {
      const first = Math.max(from, this.#zones[i] * zoneRows)
      const last = this.#endOf(range, i)
      rowCount += last - first
      if (this.#sign === 1) pushFrom(values, first, last, threshold, found)
      else pushTo(values, first, last, -threshold, found)
    }
    if (found.length === 0) {
      this.#source.look(rowCount)
      return
    }
    const rows = this.#filterByCodes(segment, found)
    if (rows !== undefined) {
      this.#source.look(rowCount)
      for (const row of rows) this.#contend(segment, row, values[row])
      return
    }
    const mask = createBitmap(segment.rowCount)
    for (const row of found) setBit(mask, row)
    this.#source.narrow(segment, mask, rowCount)
    for (let i = 0; i < mask.length; i++) {
      for (let word = mask[i]; word !== 0; word &= word - 1) {
        const row = (i << 5) + 31 - Math.clz32(word & -word)
        this.#contend(segment, row, values[row])
      }
    }
  }

  #contend(segment: Segment, row: number, stored: number): void {
    const value = stored * this.#sign
    if (!this.#isTooLate(value, segment, row)) this.#contenders.push({ segment, row, value })
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
    return rows.sort(byPlace)
  }
}

function pushFrom(values: Float64Array, first: number, last: number, bound: number, into: number[]): void {
  for (let row = first; row < last; row++) if (values[row] >= bound) into.push(row)
}

function pushTo(values: Float64Array, first: number, last: number, bound: number, into: number[]): void {
  for (let row = first; row < last; row++) if (values[row] <= bound) into.push(row)
}
