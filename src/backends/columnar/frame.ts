import { present, work } from '../../base/index.ts'
import {
  concatColumns,
  constantColumn,
  gather,
  gatherCodes,
  holdsValues,
  JsonText,
  partOfRow,
  valueAt,
  valueBytes,
  viewOfRows,
  type Column,
} from '../../data/index.ts'
import type { Segment } from '../../store/index.ts'

/** A column, or how to make it. */
export type LazyColumn = Column | (() => Column)

/** Row numbers, worked out when they are asked for. */
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

  /** The numbers that stand at these places. */
  at(places: RowList): RowList {
    return new RowList(() => gatherCodes(this.list, places.list))
  }
}

/** Rows of a column, gathered when someone reads them; some of those rows are gathered from the column itself. */
interface Picked {
  (): Column
  readonly source: () => Column
  readonly rows: RowList
  readonly isMade: () => boolean
  /** The column itself, or the one it is picked from, where that is there already. */
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
 * Some rows as columns by name, in answer order. A column is made when it is first asked for: what nobody reads is
 * never gathered. A name that is not there reads as missing.
 */
export class Frame {
  readonly rowCount: number
  readonly #columns: Map<string, LazyColumn>
  /** What the records of the rows are sampled by; `undefined` when no row is a record. */
  readonly identity: Identity | undefined
  /** Set when row `i` is row `i` of this segment, so that its indexes may be used. */
  readonly segment: Segment | undefined
  #madeBytes: number | undefined

  constructor(rowCount: number, columns: Map<string, LazyColumn>, identity?: Identity, segment?: Segment) {
    this.rowCount = rowCount
    this.#columns = columns
    this.identity = identity
    this.segment = segment
  }

  get names(): readonly string[] {
    return [...this.#columns.keys()]
  }

  /**
   * Bytes that whoever holds the frame holds: a row number, a slot a column, and the texts that were made for it. Texts
   * of stored columns are not among them. Asked again it is the same number, whatever has been read meanwhile.
   */
  get memoryBytes(): number {
    return this.rowCount * (16 + 8 * this.#columns.size) + this.madeBytes
  }

  /** Of these, the bytes of the texts that were made. */
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

  /** A column that is there, or the one it will be picked from. */
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

  /** The same rows with other columns; `undefined` removes one. */
  with(changes: Iterable<readonly [string, LazyColumn | undefined]>): Frame {
    const columns = this.lazyColumns()
    for (const [name, column] of changes) {
      if (column === undefined) columns.delete(name)
      else columns.set(name, column)
    }
    return new Frame(this.rowCount, columns, this.identity)
  }

  /** Columns to be put into another frame of the same rows, still not made. */
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

  /** The rows given, in that order; a row may come several times. */
  take(rows: Uint32Array): Frame {
    const identity = this.identity === undefined ? undefined : takeIdentity(this.identity, rows)
    return new Frame(rows.length, this.#pickedBy(new RowList(rows)), identity)
  }

  /** `viewOf` gives columns that need not be picked. */
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

  /** The rows `[from, to)`. */
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

/** The hash of the stored record that a row comes from; `undefined` for a row that is not a record. */
export type Identity = (row: number) => number | undefined

function takeIdentity(identity: Identity, rows: Uint32Array): Identity {
  return (row) => identity(present(rows[row]))
}

/** Several frames below one another; columns are put together when asked for. */
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

function concatIdentity(frames: readonly Frame[], starts: Uint32Array): Identity {
  return (row) => {
    const at = partOfRow(starts, row)
    return present(frames[at]).identity?.(row - present(starts[at]))
  }
}
