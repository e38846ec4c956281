import { present, type Bytes } from '../../../base/index.ts'
import { layout } from '../../../kernels/index.ts'

/** The bytes that may be at one place of a pattern. Places with the same bytes should share the set. */
export interface BytePlace {
  readonly bytes: ReadonlySet<number>
  /** Whether any number of such bytes may be there, also none. */
  readonly repeats?: boolean
}

/** A sequence of bytes that a line must not contain. */
export interface BytePattern {
  /** Whether it counts only at the start of the text. */
  readonly isAtStart: boolean
  readonly places: readonly BytePlace[]
}

const BYTES = 256
const LINE_FEED = 10
/** Stands for the place after the last one of a pattern. */
const COMPLETE = -1
/** The highest index of a row that fits into two bytes. */
const MAX_ROW = 0xffff
const { FOUND, END, START } = layout.Automaton

/**
 * Finds whether a line contains any of several patterns, in one table look-up per byte. It is the deterministic
 * automaton of the patterns, with one column for all bytes that no pattern distinguishes.
 */
export class ByteAutomaton {
  /** The column of each byte. */
  readonly columns: Uint8Array
  /** The rows of the states from `START` on. See `layout.Automaton`. */
  readonly rows: Uint16Array

  /** Throws `RangeError` if the patterns need more states than 16 bits can number. */
  constructor(patterns: readonly BytePattern[]) {
    const { columns, columnsOf } = columnsOfSets(
      new Set(patterns.flatMap(({ places }) => places.map(({ bytes }) => bytes))),
    )
    this.columns = columns
    this.rows = rowsOf(new Places(patterns, columnsOf), Math.max(...columns) + 1, columns[LINE_FEED])
  }

  /** Whether the line from `start` to its line feed, or to `end`, contains a pattern. */
  finds(bytes: Bytes, start: number, end: number): boolean {
    let state: number = START
    for (let at = start; at < end && state !== END && state !== FOUND; at++)
      state = this.rows[state + this.columns[bytes[at]]]
    return (state === END || state === FOUND ? state : this.rows[state + this.columns[LINE_FEED]]) === FOUND
  }
}

type ByteSet = BytePlace['bytes']

/** Returns a column for all bytes that no set distinguishes, and the columns of each set. */
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

/** The places of all patterns by number. A state is the set of places that may be next. */
class Places {
  readonly atStart: readonly number[]
  readonly anywhere: readonly number[]
  /** By place, the columns of its bytes, and the places that may be next after one of them. */
  readonly columns: (readonly number[])[] = []
  readonly next: (readonly number[])[] = []
  /** By place, the places that may be next before one of its bytes. */
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

  /** Adds the places of a pattern and returns those that may be first. Patterns share the places of common endings. */
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

/** Sets of places by number; equal sets have the same number, and 0 is the empty set. */
class PlaceSets {
  readonly sets: (readonly number[])[] = []
  readonly #numbers = new Map<string, number>()
  /** By the first set, the unions with second ones. */
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
  /** Returns the places after those of a set, by column. */
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
