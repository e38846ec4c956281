import { present, work } from '../../base/index.ts'
import {
  concatColumns,
  constantColumn,
  gather,
  gatherCodes,
  holdsValues,
  JsonText,
  chunkOfRow,
  valueAt,
  valueBytes,
  viewOfRows,
  type Column,
} from '../../data/index.ts'
import type { Segment } from '../../store/index.ts'

/** A column, or a function that computes it. */
export type LazyColumn = Column | (() => Column)

/** A list of row numbers, computed on first read. */
class RowList {
  #list: Uint32Array | undefined
  readonly #make: (() => Uint32Array) | undefined

  constructor(rows: Uint32Array | (() => Uint32Array)) {
    this.#list = typeof rows === 'function' ? undefined : rows
    this.#make = typeof rows === 'function' ? rows : undefined
  }

  get list(): Uint32Array {
    return (this.#list ??= this.#make?.() ?? new Uint32Array(0))
  }

  /** Returns a list with the row numbers at these positions of this list. */
  at(rows: RowList): RowList {
    return new RowList(() => gatherCodes(this.list, rows.list))
  }
}

/**
 * A lazy column with some rows of another column, gathered on first read. Selecting rows of a lazy column refers to the
 * original column, so that no row is gathered twice.
 */
interface Picked {
  (): Column
  readonly source: () => Column
  readonly rows: RowList
  readonly isMade: () => boolean
  /** Returns the gathered column if it exists, else the original column if it has been computed, else `undefined`. */
  readonly known: () => Column | undefined
}

function pick(source: () => Column, rows: RowList, known: () => Column | undefined): Picked {
  let made: Column | undefined
  const make = (): Column => {
    if (made !== undefined) return made
    work(rows.list.length >>> 3)
    return (made = gather(source(), rows.list))
  }
  return Object.assign(make, { source, rows, isMade: () => made !== undefined, known: () => made ?? known() })
}

function isPicked(column: LazyColumn): column is Picked {
  return typeof column === 'function' && 'rows' in column
}

/**
 * A table of rows in answer order, stored as columns by name. Columns are computed on first read, so unused columns
 * cost nothing. Reading a name without a column gives missing values.
 */
export class Frame {
  readonly rowCount: number
  readonly #columns: Map<string, LazyColumn>
  /**
   * Returns the sampling hash of the stored record from which a row comes; `undefined` if the rows are not stored
   * records.
   */
  readonly identity: RowIdentity | undefined
  /**
   * The segment whose rows are exactly the frame's rows, with equal row numbers, so that its indexes can be used.
   * `undefined` if there is no such segment.
   */
  readonly segment: Segment | undefined
  #madeBytes: number | undefined

  constructor(rowCount: number, columns: Map<string, LazyColumn>, identity?: RowIdentity, segment?: Segment) {
    this.rowCount = rowCount
    this.#columns = columns
    this.identity = identity
    this.segment = segment
  }

  get names(): readonly string[] {
    return [...this.#columns.keys()]
  }

  /**
   * Estimated bytes that the frame holds: a row number and an entry per column for each row, and strings computed for
   * the frame. Excludes strings of stored columns. Reading columns does not change the value.
   */
  get memoryBytes(): number {
    return this.rowCount * (16 + 8 * this.#columns.size) + this.madeBytes
  }

  /** The bytes of strings that were computed for the frame. */
  get madeBytes(): number {
    return (this.#madeBytes ??= this.#measure())
  }

  #measure(): number {
    let bytes = 0
    for (const [name, column] of this.#columns) {
      const rows = isPicked(column) && !column.isMade() ? column.rows : undefined
      const known = this.#known(name)
      if (known !== undefined && holdsValues(known)) bytes += textBytes(known, rows?.list)
    }
    return bytes
  }

  /**
   * Returns a column if it has been computed; else the original column from which it will be gathered; else
   * `undefined`.
   */
  #known(name: string): Column | undefined {
    const column = this.#columns.get(name)
    if (column === undefined || typeof column !== 'function') return column
    return isPicked(column) ? column.known() : undefined
  }

  has(name: string): boolean {
    return this.#columns.has(name)
  }

  column(name: string): Column {
    const found = this.#columns.get(name)
    if (found === undefined) return constantColumn(null, this.rowCount)
    if (typeof found !== 'function') return found
    const made = found()
    this.#columns.set(name, made)
    return made
  }

  /** Returns a frame with the same rows and some columns replaced; `undefined` removes a column. */
  with(changes: Iterable<readonly [string, LazyColumn | undefined]>): Frame {
    const columns = this.lazyColumns()
    for (const [name, column] of changes) {
      if (column === undefined) columns.delete(name)
      else columns.set(name, column)
    }
    return new Frame(this.rowCount, columns, this.identity)
  }

  /** Returns all columns for use in another frame of the same rows, without computing them. */
  lazyColumns(): Map<string, LazyColumn> {
    const columns = new Map<string, LazyColumn>()
    for (const name of this.#columns.keys()) columns.set(name, this.lazyColumn(name))
    return columns
  }

  lazyColumn(name: string): LazyColumn {
    const column = this.#columns.get(name)
    return column === undefined || (typeof column === 'function' && !isPicked(column))
      ? () => this.column(name)
      : column
  }

  /** Returns a frame of the given rows in this order; a row may occur several times. */
  take(rows: Uint32Array): Frame {
    const identity = this.identity === undefined ? undefined : takeIdentity(this.identity, rows)
    return new Frame(rows.length, this.#pickedBy(new RowList(rows)), identity)
  }

  /** Returns lazy columns with the rows of `list`. A column for which `viewOf` returns a view is not gathered. */
  #pickedBy(list: RowList, viewOf?: (column: Column) => Column | undefined): Map<string, LazyColumn> {
    const columns = new Map<string, LazyColumn>()
    const through = new Map<RowList, RowList>()
    for (const [name, column] of this.#columns) {
      const view = typeof column === 'function' ? undefined : viewOf?.(column)
      if (view !== undefined) {
        columns.set(name, view)
        continue
      }
      if (!isPicked(column) || column.isMade()) {
        columns.set(
          name,
          pick(
            () => this.column(name),
            list,
            () => this.#known(name),
          ),
        )
        continue
      }
      let composed = through.get(column.rows)
      if (composed === undefined) {
        composed = column.rows.at(list)
        through.set(column.rows, composed)
      }
      columns.set(name, pick(column.source, composed, column.known))
    }
    return columns
  }

  /** Returns a frame of the rows `[from, to)`. */
  slice(from: number, to: number): Frame {
    if (from === 0 && to === this.rowCount) return this
    const rows = new RowList(() => {
      const list = new Uint32Array(to - from)
      for (let i = 0; i < list.length; i++) list[i] = from + i
      return list
    })
    const { identity } = this
    const columns = this.#pickedBy(rows, (column) => viewOfRows(column, from, to))
    return new Frame(to - from, columns, identity && ((row) => identity(from + row)))
  }
}

function textBytes(column: Column, rows: Uint32Array | undefined): number {
  const length = rows?.length ?? column.length
  let bytes = 0
  for (let i = 0; i < length; i++) {
    work(1)
    const value = valueAt(column, rows === undefined ? i : present(rows[i]))
    if (typeof value === 'string' || value instanceof JsonText) bytes += valueBytes(value)
  }
  return bytes
}

/**
 * Returns the sampling hash of the stored record from which a row comes; `undefined` if the row is not a stored record.
 */
export type RowIdentity = (row: number) => number | undefined

function takeIdentity(identity: RowIdentity, rows: Uint32Array): RowIdentity {
  return (row) => identity(present(rows[row]))
}

/** Concatenates the rows of several frames; columns are joined when they are first read. */
export function concat(frames: readonly Frame[]): Frame {
  const [first] = frames
  if (first !== undefined && frames.length === 1) return first
  const starts = new Uint32Array(frames.length)
  let rowCount = 0
  for (const [i, frame] of frames.entries()) {
    starts[i] = rowCount
    rowCount += frame.rowCount
  }
  const names = new Set<string>()
  for (const frame of frames) for (const name of frame.names) names.add(name)
  const columns = new Map<string, LazyColumn>()
  for (const name of names) columns.set(name, () => concatColumns(frames.map((frame) => frame.column(name))))
  const hasIdentity = frames.some((frame) => frame.identity !== undefined)
  return new Frame(rowCount, columns, hasIdentity ? concatIdentity(frames, starts) : undefined)
}

function concatIdentity(frames: readonly Frame[], starts: Uint32Array): RowIdentity {
  return (row) => {
    const at = chunkOfRow(starts, row)
    return present(frames[at]).identity?.(row - present(starts[at]))
  }
}
