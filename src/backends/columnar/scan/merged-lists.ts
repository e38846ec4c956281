import { ITEMS_PER_CHECKPOINT, oncePer } from '../../../base/index.ts'
import { listsAllRows, type Segment, type StoredColumn, type TopList } from '../../../store/index.ts'
import type { SegmentRange } from '../segments/segment-range.ts'

/** The list that a segment stores of its rows with the highest (or lowest) numbers of a field, best first. */
interface List {
  /** The index of the segment's range in the list of ranges. */
  readonly rangeIndex: number
  readonly rows: Uint16Array
  readonly numbers: Float64Array
  /**
   * The index of the first listed row that was not taken. `end` is the exclusive end of the rows to take in the next
   * chunk.
   */
  next: number
  end: number
}

/** The next best listed rows of all segments, best first. Every row is worse than all rows of the previous chunk. */
export interface MergedChunk {
  /** For each row, the index of its segment's range in the list of ranges. */
  readonly rangeIndexes: Uint32Array
  readonly rows: Uint16Array
  /** The number of each row, negated if the lowest numbers are wanted, so that larger is better. */
  readonly values: Float64Array
}

interface KeptChunk extends MergedChunk {
  /** Cached dictionary codes of the rows, by field name. */
  readonly codes: Map<string, Uint32Array>
}

/**
 * The lists of highest (or lowest) numbers of one field, merged over all segments of a scan. Merging starts with the
 * best row and continues on demand. The result does not depend on conditions, so all queries over the same segments
 * share it.
 */
export class MergedLists {
  readonly #ranges: readonly SegmentRange[]
  readonly #sign: 1 | -1
  /** The lists with rows that were not taken yet. */
  #lists: readonly List[]
  /** The lists are complete only for numbers better than this one. */
  readonly #floor: number
  readonly #chunks: KeptChunk[] = []
  /** An upper bound of the number of listed rows. */
  readonly rowCount: number

  private constructor(ranges: readonly SegmentRange[], lists: readonly List[], floor: number, sign: 1 | -1) {
    this.#ranges = ranges
    this.#lists = lists.filter(({ rows }) => rows.length > 0)
    this.#floor = floor
    this.#sign = sign
    this.rowCount = lists.reduce((sum, { rows }) => sum + rows.length, 0)
  }

  /** Merges the lists of these ranges. Returns `undefined` when a segment has the field but no list for it. */
  static of(ranges: readonly SegmentRange[], name: string, sign: 1 | -1): MergedLists | undefined {
    const lists: List[] = []
    let floor = -Infinity
    for (const [rangeIndex, { segment }] of ranges.entries()) {
      const stored = segment.columns.get(name)
      if (stored === undefined) continue
      const list = listOf(stored, sign)
      if (list === undefined) return undefined
      const { rows, numbers } = list
      lists.push({ rangeIndex, rows, numbers, next: 0, end: 0 })
      if (!listsAllRows(list, stored.column.length - stored.missingCount))
        floor = Math.max(floor, numbers[numbers.length - 1] * sign)
    }
    return new MergedLists(ranges, lists, floor, sign)
  }

  /**
   * Returns the chunk with this index. `undefined` at the end, and if a row outside the lists may be as good as the
   * next listed one.
   */
  chunk(number: number): MergedChunk | undefined {
    while (this.#chunks.length <= number) {
      const chunk = this.#next()
      if (chunk === undefined) return undefined
      this.#chunks.push(chunk)
    }
    return this.#chunks[number]
  }

  /** Returns the dictionary code of field `name` for each row of a chunk; 0 if the segment lacks the field. */
  codes(number: number, name: string): Uint32Array {
    const { rangeIndexes, rows, codes: known } = this.#chunks[number]
    let codes = known.get(name)
    if (codes !== undefined) return codes
    codes = new Uint32Array(rows.length)
    for (let i = 0; i < rows.length; i++) {
      const column = this.#ranges[rangeIndexes[i]].segment.columns.get(name)?.column
      if (column?.kind === 'dictionary') codes[i] = column.codes[rows[i]]
    }
    known.set(name, codes)
    return codes
  }

  /** Takes the next chunk of rows. `undefined` if rows that follow may be missing from the lists. */
  #next(): KeptChunk | undefined {
    if (this.#lists.length === 0) return undefined
    const bound = this.#bound()
    let count = 0
    for (const list of this.#lists) count += (list.end = this.#endOf(list, bound)) - list.next
    return count === 0 ? undefined : this.#take(count)
  }

  /** Returns the lower bound of the next chunk's values, such that the chunk has about `ITEMS_PER_CHECKPOINT` rows. */
  #bound(): number {
    const lists = this.#lists
    const ahead = Math.ceil(ITEMS_PER_CHECKPOINT / lists.length)
    const bounds = new Float64Array(lists.length)
    for (let i = 0; i < lists.length; i++) {
      const { numbers, next } = lists[i]
      bounds[i] = numbers[Math.min(next + ahead, numbers.length) - 1] * this.#sign
    }
    return bounds.sort()[bounds.length >>> 1]
  }

  /** Returns the exclusive end of a list's rows that are at least as good as `bound` and better than `#floor`. */
  #endOf({ numbers, next }: List, bound: number): number {
    const sign = this.#sign
    const floor = this.#floor
    let end = next
    for (; end < numbers.length; end++) {
      const value = numbers[end] * sign
      if (value < bound || value <= floor) break
    }
    return end
  }

  /**
   * Takes the rows of every list up to its `end`, `count` in total, and sorts them. Rows outside the range of their
   * segment are dropped.
   */
  #take(count: number): KeptChunk {
    const rangeIndexes = new Uint32Array(count)
    const taken = new Uint16Array(count)
    const values = new Float64Array(count)
    let length = 0
    for (const list of this.#lists) {
      const { rangeIndex, rows, numbers, end } = list
      const { from, to } = this.#ranges[rangeIndex]
      for (let at = list.next; at < end; at++) {
        if (rows[at] < from || rows[at] >= to) continue
        rangeIndexes[length] = rangeIndex
        taken[length] = rows[at]
        values[length++] = numbers[at] * this.#sign
      }
      list.next = end
    }
    this.#lists = this.#lists.filter(({ rows, next }) => next < rows.length)
    const order = Uint32Array.from({ length }, (_, i) => i).sort((a, b) => values[b] - values[a] || a - b)
    return {
      rangeIndexes: Uint32Array.from(order, (i) => rangeIndexes[i]),
      rows: Uint16Array.from(order, (i) => taken[i]),
      values: Float64Array.from(order, (i) => values[i]),
      codes: new Map(),
    }
  }
}

function listOf({ column, tops }: StoredColumn, sign: 1 | -1): TopList | undefined {
  if (tops === undefined || column.kind !== 'float64') return undefined
  return sign === 1 ? tops.highest : tops.lowest
}

/** Caches the merged lists of a list of segments or ranges, keyed by field and direction. */
const keptOf = oncePer((_owner: readonly (Segment | SegmentRange)[]) => new Map<string, MergedLists | undefined>())

/**
 * Returns the merged lists of these ranges, from a cache if possible. The cached lists live as long as `segments` if
 * the ranges cover them completely, else as long as `ranges`.
 */
export function mergedLists(
  segments: readonly Segment[],
  ranges: readonly SegmentRange[],
  name: string,
  sign: 1 | -1,
): MergedLists | undefined {
  const areWhole =
    ranges.length === segments.length && ranges.every(({ segment, from, to }) => from === 0 && to === segment.rowCount)
  const kept = keptOf(areWhole ? segments : ranges)
  const key = `${sign} ${name}`
  if (!kept.has(key)) {
    kept.clear()
    kept.set(key, MergedLists.of(ranges, name, sign))
  }
  return kept.get(key)
}
