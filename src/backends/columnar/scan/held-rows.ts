import { columnOfValues, gatherCodes, Instant, valueAt, type Column, type Value } from '../../../data/index.ts'
import type { RowsToHold } from '../../../optimize/index.ts'
import { columnBytes } from '../../../store/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import type { ExecContext } from '../context.ts'
import { Frame, concat } from '../frame.ts'
import { boundOf, rowsWithin, type Bound } from '../keys/bound.ts'
import { plainTimes } from '../keys/plain-columns.ts'
import { columnComparer, rowsInOrder, sortedOrder } from '../keys/sort-keys.ts'
import { recordIdentity } from '../record-hashes.ts'
import { firstRows } from './frame-order.ts'
import { candidatesByColumn } from './top-candidates.ts'

function valuesOf(column: Column): Value[] {
  return Array.from({ length: column.length }, (_, row) => valueAt(column, row))
}

/** Number of rows held beyond the wanted ones. Above it, rows that cannot be among the first are dropped. */
const SPARE_ROWS = 4096

/** Collects rows that arrive in any order: all of them, or only those that may be among the first rows by some keys. */
export class HeldRows {
  /** The held rows as frames, in order of arrival. */
  #frames: Frame[] = []
  #rowCount = 0
  /** The first sort key of the last wanted row so far; rows that sort after it are rejected. */
  #bound: Bound | undefined
  readonly #wanted: Exclude<RowsToHold, string> | undefined
  readonly #timeField: string
  readonly #context: ExecContext
  readonly #charge: MemoryReservation

  constructor(wanted: RowsToHold, timeField: string, context: ExecContext) {
    this.#wanted = typeof wanted === 'string' ? undefined : wanted
    this.#timeField = timeField
    this.#context = context
    this.#charge = new MemoryReservation(context.query.budget)
  }

  /** Adds the rows of a frame. `bytes` is their memory, which is charged only if all rows are held. */
  add(frame: Frame, bytes: number): void {
    if (this.#wanted === undefined) this.#charge.charge(bytes)
    const held = this.#topCandidates(frame)
    this.#frames.push(held)
    this.#rowCount += held.rowCount
    if (this.#wanted !== undefined && this.#rowCount > this.#wanted.rows + SPARE_ROWS) this.#cut(this.#wanted)
  }

  #topCandidates(frame: Frame): Frame {
    if (this.#wanted === undefined) return frame
    const { keys, rows } = this.#wanted
    const [key] = keys
    const column = key === undefined ? frame.column(this.#timeField) : this.#context.compiler.expr(key.expr)(frame)
    const best = candidatesByColumn(column, key?.direction ?? 'desc', rows)
    const some = best ?? (this.#bound && rowsWithin(column, this.#bound))
    return this.#copy(some === undefined || some.length === frame.rowCount ? frame : frame.take(some))
  }

  /** Drops all held rows except the first `rows` by `keys`. */
  #cut({ keys, rows }: Exclude<RowsToHold, string>): void {
    const frame = concat(this.#frames)
    const order = this.#newestFirst(frame)
    const meter = new MemoryReservation(this.#context.query.budget)
    const best =
      keys.length === 0
        ? order.slice(0, rows)
        : gatherCodes(order, firstRows(frame.take(order), keys, rows, this.#context, meter))
    meter.release()
    const [key] = keys
    const last = best.at(-1)
    if (key !== undefined && last !== undefined)
      this.#bound = boundOf(this.#context.compiler.expr(key.expr)(frame), last, key.direction, true)
    const kept = this.#copy(frame.take(best.sort()))
    this.#frames = [kept]
    this.#rowCount = kept.rowCount
    this.#charge.set(bytesOf(kept))
  }

  /**
   * Returns a copy of the frame that does not refer to other columns, so that the memory of dropped rows can be freed.
   */
  #copy(frame: Frame): Frame {
    const columns = new Map<string, Column>()
    for (const name of frame.names) {
      const column = frame.column(name)
      const refers = column.kind === 'gathered' || column.kind === 'chunked'
      columns.set(name, refers ? columnOfValues(valuesOf(column)) : column)
    }
    const copy = new Frame(frame.rowCount, columns, frame.identity && recordIdentity(columns))
    this.#charge.charge(bytesOf(copy))
    return copy
  }

  /**
   * Returns the row numbers, newest first. Of rows with equal times the last to arrive is first; rows without a time
   * are last.
   */
  #newestFirst(frame: Frame): Uint32Array {
    const latestFirst = rowsInOrder(frame.rowCount).toReversed()
    const given = frame.take(latestFirst).column(this.#timeField)
    const isTime = plainTimes(given) !== undefined
    const times = isTime
      ? given
      : columnOfValues(valuesOf(given).map((value) => (value instanceof Instant ? value : null)))
    const meter = new MemoryReservation(this.#context.query.budget)
    const order = sortedOrder(frame.rowCount, [columnComparer(times, 'desc', meter)])
    meter.release()
    return gatherCodes(latestFirst, order)
  }

  /** Returns all held rows, newest first. */
  all(): Frame {
    const frame = this.#frames.length === 0 ? new Frame(0, new Map()) : concat(this.#frames)
    return frame.take(this.#newestFirst(frame))
  }
}

function bytesOf(frame: Frame): number {
  return frame.names.reduce((sum, name) => sum + columnBytes(frame.column(name)), 0)
}
