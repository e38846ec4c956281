import { present, type Bytes } from '../../../base/index.ts'
import { layout } from '../../../kernels/index.ts'

/** One position of a pattern: the bytes allowed there. Positions with the same bytes should share the `Set` object. */
export interface BytePlace {
  readonly bytes: ReadonlySet<number>
  /** True if the position matches any number of these bytes, including none. */
  readonly repeats?: boolean
}

/** A sequence of positions that a line must not contain. */
export interface BytePattern {
  /** True if the pattern matches only at the start of the text. */
  readonly isAtStart: boolean
  readonly places: readonly BytePlace[]
}

const BYTES = 256
const LINE_FEED = 10
/** Stands for the position after the last one of a pattern: the pattern was found. */
const COMPLETE = -1
/** Maximum index of a state's row, since rows are numbered with two bytes. */
const MAX_ROW = 0xffff
const { FOUND, END, START } = layout.Automaton

/**
 * Deterministic automaton that finds whether a line contains any of several patterns, with one table lookup per byte.
 * Bytes that no pattern distinguishes share a column of the table.
 */
export class ByteAutomaton {
  /** The column of each byte in the table. */
  readonly columns: Uint8Array
  /** The table: one row per state, from `START` on (see `layout.Automaton`). */
  readonly rows: Uint16Array

  /** Throws `RangeError` if the patterns need more states than 16 bits can number. */
  constructor(patterns: readonly BytePattern[]) {
    const { columns, columnsOf } = columnsOfSets(
      new Set(patterns.flatMap(({ places }) => places.map(({ bytes }) => bytes))),
    )
    this.columns = columns
    this.rows = rowsOf(new Places(patterns, columnsOf), Math.max(...columns) + 1, columns[LINE_FEED])
  }

  /** True if the line from `start` to its line feed, or to `end`, contains a pattern. */
  finds(bytes: Bytes, start: number, end: number): boolean {
    let state: number = START
    for (let at = start; at < end && state !== END && state !== FOUND; at++)
      state = this.rows[state + this.columns[bytes[at]]]
    return (state === END || state === FOUND ? state : this.rows[state + this.columns[LINE_FEED]]) === FOUND
  }
}

type ByteSet = BytePlace['bytes']

/** Returns the column of each byte, and the columns of each set. Bytes that are in the same sets share a column. */
function columnsOfSets(sets: ReadonlySet<ByteSet>): {
  readonly columns: Uint8Array
  readonly columnsOf: ReadonlyMap<ByteSet, readonly number[]>
} {
  const known = new Map<string, number>()
  const columns = Uint8Array.from({ length: BYTES }, (_, byte) => {
    const key = byte === LINE_FEED ? 'end' : Array.from(sets, (set) => (set.has(byte) ? 1 : 0)).join('')
    const column = known.get(key) ?? known.size
    known.set(key, column)
    return column
  })
  const columnsOf = new Map(
    Array.from(sets, (set) => [set, [...new Set(Array.from(set, (byte) => columns[byte]))]] as const),
  )
  return { columns, columnsOf }
}

/** The positions of all patterns, by number. A state of the automaton is the set of positions that may match next. */
class Places {
  readonly atStart: readonly number[]
  readonly anywhere: readonly number[]
  /**
   * For each position, the columns of its bytes. `next` has, for each position, the positions that may follow a match.
   */
  readonly columns: (readonly number[])[] = []
  readonly next: (readonly number[])[] = []
  /** For each position, the positions that may match first when the scan arrives at it. */
  readonly #reached: (readonly number[])[] = []
  readonly #known = new Map<string, number>()
  readonly #columnsOf: ReadonlyMap<ByteSet, readonly number[]>

  constructor(patterns: readonly BytePattern[], columnsOf: ReadonlyMap<ByteSet, readonly number[]>) {
    this.#columnsOf = columnsOf
    const starts = (isAtStart: boolean): readonly number[] =>
      patterns.filter((pattern) => pattern.isAtStart === isAtStart).flatMap(({ places }) => this.#add(places))
    this.atStart = starts(true)
    this.anywhere = starts(false)
  }

  /**
   * Adds the positions of a pattern and returns those that may match first. Patterns with the same ending share
   * positions.
   */
  #add(places: readonly BytePlace[]): readonly number[] {
    return places.reduceRight<readonly number[]>(
      (after, { bytes, repeats = false }) => {
        const columns = present(this.#columnsOf.get(bytes), 'the columns of a set')
        const key = `${columns.join()};${repeats};${after.join()}`
        let place = this.#known.get(key)
        if (place === undefined) {
          place = this.columns.push(columns) - 1
          const reached = repeats ? [place, ...after] : [place]
          this.#known.set(key, place)
          this.#reached.push(reached)
          this.next.push(repeats ? reached : after)
        }
        return this.#reached[place]
      },
      [COMPLETE],
    )
  }
}

/** Sets of positions by number. Equal sets have the same number; 0 is the empty set. */
class PlaceSets {
  readonly sets: (readonly number[])[] = []
  readonly #numbers = new Map<string, number>()
  /** Cached unions: by the number of the first set, a map from the second set to the union. */
  readonly #unions: Map<number, number>[] = []

  constructor() {
    this.numberOf([])
  }

  numberOf(places: readonly number[]): number {
    const set = [...new Set(places)].toSorted((a, b) => a - b)
    const key = set.join()
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.sets.push(set) - 1
      this.#unions.push(new Map())
      this.#numbers.set(key, number)
    }
    return number
  }

  union(first: number, second: number): number {
    if (first === 0 || second === 0) return first + second
    let union = this.#unions[first].get(second)
    if (union === undefined) {
      union = this.numberOf([...this.sets[first], ...this.sets[second]])
      this.#unions[first].set(second, union)
    }
    return union
  }
}

function rowsOf({ atStart, anywhere, columns, next }: Places, width: number, lineFeed: number): Uint16Array {
  const sets = new PlaceSets()
  const nextSets = next.map((places) => sets.numberOf(places))
  /** Returns, for each column, the number of the set of positions that may follow after a byte of that column. */
  const after = (set: number): Uint32Array => {
    const found = new Uint32Array(width)
    for (const place of sets.sets[set])
      for (const column of columns[place]) found[column] = sets.union(found[column], nextSets[place])
    return found
  }
  const states: number[] = []
  const known = new Map<number, number>()
  const rowOf = (set: number): number => {
    if (sets.sets[set].includes(COMPLETE)) return FOUND
    let row = known.get(set)
    if (row === undefined) {
      row = START + states.length * width
      if (row > MAX_ROW) throw new RangeError('The patterns need too many states.')
      states.push(set)
      known.set(set, row)
    }
    return row
  }
  rowOf(sets.numberOf(atStart))
  const begun = after(sets.numberOf(anywhere))
  const rows: number[] = Array<number>(START).fill(FOUND)
  for (let i = 0; i < states.length; i++) {
    const reached = after(states[i])
    for (let column = 0; column < width; column++) {
      const row = rowOf(sets.union(reached[column], begun[column]))
      rows.push(column === lineFeed && row !== FOUND ? END : row)
    }
  }
  return Uint16Array.from(rows)
}
