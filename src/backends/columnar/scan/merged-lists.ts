import { ITEMS_PER_CHECKPOINT, oncePer } from '../../../base/index.ts'
import { listsAllRows, type Segment, type StoredColumn, type TopList } from '../../../store/index.ts'
import type { SegmentRange } from '../segments/segment-range.ts'

/** The rows that one segment lists at one end of a field, best first. */
interface List {
  /** The position of the segment's range. */
  readonly place: number
  readonly rows: Uint16Array
  readonly numbers: Float64Array
  /** The first row that was not taken, and the end of those to take next. */
  next: number
  end: number
}

/** Listed rows, best first; none is as good as the last one of the previous chunk. */
export interface MergedChunk {
  /** For each row, the position of its segment among the ranges. */
  readonly places: Uint32Array
  readonly rows: Uint16Array
  /** Their numbers, negated for the lowest: a larger number is better. */
  readonly values: Float64Array
}

interface KeptChunk extends MergedChunk {
  /** For each field, the code of each row. */
  readonly codes: Map<string, Uint32Array>
}

/**
 * The lists of all segments of a scan at one end of a numeric field, merged from the best down as far as needed. They
 * do not depend on conditions, so that all queries over the same segments share them.
 */
export class MergedLists {
  readonly #ranges: readonly SegmentRange[]
  readonly #sign: 1 | -1
  /** The lists with remaining rows. */
  #lists: readonly List[]
  /** Rows with numbers no better than this may be missing from a list. */
  readonly #floor: number
  readonly #chunks: KeptChunk[] = []
  /** The most rows that are listed. */
  readonly rowCount: number

  private constructor(ranges: readonly SegmentRange[], lists: readonly List[], floor: number, sign: 1 | -1) {
    this.#ranges = ranges
    this.#lists = lists.filter(({ rows }) => rows.length > 0)
    this.#floor = floor
    this.#sign = sign
    this.rowCount = lists.reduce((sum, { rows }) => sum + rows.length, 0)
  }

  /** Returns `undefined` when a segment that has the field does not list rows of it. */
  static of(ranges: readonly SegmentRange[], name: string, sign: 1 | -1): MergedLists | undefined {
    const lists: List[] = []
    let floor = -Infinity
    for (const [place, { segment }] of ranges.entries()) {
      const stored = segment.columns.get(name)
      if (stored === undefined) continue
      const list = listOf(stored, sign)
      if (list === undefined) return undefined
      const { rows, numbers } = list
      lists.push({ place, rows, numbers, next: 0, end: 0 })
      if (!listsAllRows(list, stored.column.length - stored.missingCount))
        floor = Math.max(floor, numbers[numbers.length - 1] * sign)
    }
    return new MergedLists(ranges, lists, floor, sign)
  }

  /** Returns chunk `number`, counted from 0; `undefined` when an unlisted row may be as good as the next ones. */
  chunk(number: number): MergedChunk | undefined {
    while (this.#chunks.length <= number) {
      const chunk = this.#next()
      if (chunk === undefined) return undefined
      this.#chunks.push(chunk)
    }
    return this.#chunks[number]
  }

  /** Returns the codes of a chunk's rows in a dictionary field; 0 where a segment does not have the field. */
  codes(number: number, name: string): Uint32Array {
    const { places, rows, codes: known } = this.#chunks[number]
    let codes = known.get(name)
    if (codes !== undefined) return codes
    codes = new Uint32Array(rows.length)
    for (let i = 0; i < rows.length; i++) {
      const column = this.#ranges[places[i]].segment.columns.get(name)?.column
      if (column?.kind === 'dictionary') codes[i] = column.codes[rows[i]]
    }
    known.set(name, codes)
    return codes
  }

  /** Returns the next rows, as far as none can be missing. */
  #next(): KeptChunk | undefined {
    if (this.#lists.length === 0) return undefined
    const bound = this.#bound()
    let count = 0
    for (const list of this.#lists) count += (list.end = this.#endOf(list, bound)) - list.next
    return count === 0 ? undefined : this.#take(count)
  }

  /** Returns a number that is exceeded by about as many rows of the lists as are taken at once. */
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

  /** Returns the end of a list's rows that are at least as good as `bound`; none of these is missing. */
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

  /** Takes the rows of every list up to its end, `count` in total, without those out of range. */
  #take(count: number): KeptChunk {
    const places = new Uint32Array(count)
    const taken = new Uint16Array(count)
    const values = new Float64Array(count)
    let length = 0
    for (const list of this.#lists) {
      const { place, rows, numbers, end } = list
      const { from, to } = this.#ranges[place]
      for (let at = list.next; at < end; at++) {
        if (rows[at] < from || rows[at] >= to) continue
        places[length] = place
        taken[length] = rows[at]
        values[length++] = numbers[at] * this.#sign
      }
      list.next = end
    }
    this.#lists = this.#lists.filter(({ rows, next }) => next < rows.length)
    const order = Uint32Array.from({ length }, (_, i) => i).sort((a, b) => values[b] - values[a] || a - b)
    return {
      places: Uint32Array.from(order, (i) => places[i]),
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

/** For each owner, the lists of the field and direction that were read last. */
const keptOf = oncePer((_owner: readonly (Segment | SegmentRange)[]) => new Map<string, MergedLists | undefined>())

/**
 * Returns lists that are kept as long as the segments when all their rows are wanted, else as long as these ranges;
 * neither list ever changes.
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
