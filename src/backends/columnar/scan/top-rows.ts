import { createBitmap, setRange, type Bitmap } from '../../../data/index.ts'
import { zoneRows, type Segment, type StoredColumn } from '../../../store/index.ts'
import type { NamedTest } from '../expr/predicate.ts'
import type { Frame } from '../frame.ts'
import { select } from '../top-contenders.ts'
import { frameOfRefs, type RowRef } from './row-refs.ts'
import { compareRows, type SegmentRange } from './segment-range.ts'
import type { ScanSource } from './source.ts'

interface Contender {
  readonly segment: Segment
  readonly row: number
  /** The number, turned round for `asc`: more is better. */
  readonly value: number
}

/** A run of rows and the best number that one of them may have. */
interface Zone {
  readonly range: SegmentRange
  readonly from: number
  readonly to: number
  readonly bound: number
}

/**
 * The rows that may be among the first `keep` of a scan by one numeric field: zones are looked at from the best bound
 * down, until no bound left is as good as the last row kept.
 */
export class TopRows {
  readonly #source: ScanSource
  readonly #name: string
  readonly #sign: 1 | -1
  readonly #keep: number
  #zones: readonly Zone[]
  #contenders: Contender[] = []
  #wanted: number

  private constructor(source: ScanSource, name: string, sign: 1 | -1, keep: number) {
    this.#source = source
    this.#name = name
    this.#sign = sign
    this.#keep = keep
    this.#wanted = keep
    this.#zones = source.ranges().flatMap((range) => this.#zonesOf(range))
  }

  /** `undefined` when the field is not plain numbers everywhere. */
  static of(source: ScanSource, name: string, direction: 'asc' | 'desc', keep: number): TopRows | undefined {
    const arePlain = source.ranges().every(({ segment }) => {
      const stored = segment.columns.get(name)
      return stored === undefined || (stored.zones !== undefined && !stored.zones.hasNan)
    })
    return arePlain && keep > 0 ? new TopRows(source, name, direction === 'desc' ? 1 : -1, keep) : undefined
  }

  #zonesOf(range: SegmentRange): readonly Zone[] {
    const stored = range.segment.columns.get(this.#name)
    if (stored?.zones === undefined) return []
    const bounds = this.#boundsOf(stored, range.segment)
    const zones: Zone[] = []
    for (let zone = 0; zone < bounds.length; zone++) {
      const from = Math.max(range.from, zone * zoneRows)
      const to = Math.min(range.to, (zone + 1) * zoneRows)
      if (from < to && bounds[zone] > -Infinity) zones.push({ range, from, to, bound: bounds[zone] })
    }
    return zones
  }

  /** The best number of each zone, of rows that pass what is known of their codes. */
  #boundsOf({ zones, zonesByCode }: StoredColumn, segment: Segment): Float64Array {
    const best = this.#sign === 1 ? (zones?.maxs ?? new Float64Array(0)) : (zones?.mins ?? new Float64Array(0))
    const bounds = best.map((value) => value * this.#sign)
    for (const { name, test } of this.#source.tests) this.#tighten(bounds, zonesByCode, name, test, segment)
    return bounds
  }

  #tighten(
    bounds: Float64Array,
    zonesByCode: StoredColumn['zonesByCode'],
    name: string,
    test: NamedTest['test'],
    segment: Segment,
  ): void {
    const byCode = zonesByCode.get(name)
    const column = segment.columns.get(name)?.column
    if (byCode === undefined || column?.kind !== 'dictionary') return
    const { list } = test.codes(column.dictionary)
    const values = this.#sign === 1 ? byCode.maxs : byCode.mins
    for (let zone = 0; zone < bounds.length; zone++) {
      let best = -Infinity
      for (let i = 0; i < list.length && list[i] < byCode.codes; i++) {
        best = Math.max(best, values[zone * byCode.codes + list[i]] * this.#sign)
      }
      bounds[zone] = Math.min(bounds[zone], best)
    }
  }

  /** The `keep`-th best number found so far. */
  #threshold(): number {
    if (this.#contenders.length < this.#keep) return -Infinity
    const values = Float64Array.from(this.#contenders, (contender) => contender.value)
    return select(values, values.length - this.#keep)
  }

  /** Looks at some zones; true when no other can matter. */
  step(): boolean {
    let bound = this.#threshold()
    if (bound > -Infinity) this.#contenders = this.#contenders.filter((contender) => contender.value >= bound)
    else if (this.#zones.length > this.#wanted) {
      const bounds = Float64Array.from(this.#zones, (zone) => zone.bound)
      bound = select(bounds, bounds.length - this.#wanted)
      this.#wanted *= 4
    }
    const chosen = this.#zones.filter((zone) => zone.bound >= bound)
    if (chosen.length === 0) return true
    this.#zones = this.#zones.filter((zone) => zone.bound < bound)
    const threshold = this.#threshold()
    for (let i = 0; i < chosen.length;) {
      const { range } = chosen[i]
      let next = i
      while (next < chosen.length && chosen[next].range === range) next++
      this.#look(range, chosen.slice(i, next), threshold)
      i = next
    }
    return this.#zones.length === 0
  }

  #look({ segment }: SegmentRange, zones: readonly Zone[], threshold: number): void {
    const column = segment.columns.get(this.#name)?.column
    if (column?.kind !== 'float64') return
    const mask: Bitmap = createBitmap(segment.rowCount)
    let rowCount = 0
    for (const { from, to } of zones) {
      setRange(mask, from, to)
      rowCount += to - from
    }
    this.#source.narrow(segment, mask, rowCount)
    const { values } = column
    for (const { from, to } of zones) {
      for (let i = from >>> 5; i <= (to - 1) >>> 5; i++) {
        for (let word = mask[i]; word !== 0; word &= word - 1) {
          const row = (i << 5) + 31 - Math.clz32(word & -word)
          const value = values[row] * this.#sign
          if (value >= threshold) this.#contenders.push({ segment, row, value })
        }
        // A word that two zones share is looked at once.
        mask[i] = 0
      }
    }
  }

  /** The rows found, newest first; `undefined` when there are fewer than wanted and others must be looked for. */
  frame(): Frame | undefined {
    if (this.#contenders.length < this.#keep) return undefined
    const threshold = this.#threshold()
    const rows = this.#contenders.filter((contender) => contender.value >= threshold)
    rows.sort((a, b) => compareRows(b.segment, b.row, a.segment, a.row))
    const frames = new Map<Segment, Frame>()
    const refs = rows.map(({ segment, row }): RowRef => {
      const frame = frames.get(segment) ?? this.#source.frame(segment)
      frames.set(segment, frame)
      return { frame, row }
    })
    return frameOfRefs(refs)
  }
}
