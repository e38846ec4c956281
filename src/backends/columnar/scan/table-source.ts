import { CommandError, SluiceError, type Interval } from '../../../base/index.ts'
import { Instant, batchBytes, rowsOfBitmap, valueAt, type Column, type RecordBatch } from '../../../data/index.ts'
import { isBounded, type ScanPlan } from '../../../optimize/index.ts'
import type { Expr, ScanApplied, Scan, Table } from '../../../plan/index.ts'
import { tableDiagnostic, type Segment } from '../../../store/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import type { ExecContext } from '../context.ts'
import { fullMask, type Predicate } from '../expr/predicate.ts'
import { Frame } from '../frame.ts'
import type { OperatorMeasure } from '../measure.ts'
import { recordIdentity } from '../record-hashes.ts'
import { again, type Operator } from '../operator.ts'
import { segmentFrame } from '../segment-frame.ts'
import { segmentRanges } from '../segments/segment-range.ts'
import { HeldRows } from './held-rows.ts'
import { blocking, frameBatches } from '../blocking.ts'

/** Returns a function that returns the time of a row; `undefined` for a row without a time. */
function timesOf(column: Column): (row: number) => bigint | undefined {
  return (row) => {
    const value = valueAt(column, row)
    return value instanceof Instant ? value.ns : undefined
  }
}

function isIn(range: Interval, ns: bigint | undefined): boolean {
  return ns !== undefined && ns >= range.startNs && ns < range.endNs
}

/** Rows in the form in which a table returns them. */
type GivenRows = RecordBatch | Segment

/** Reads rows from a table that returns them synchronously or asynchronously. */
class RowReader {
  readonly #context: ExecContext
  readonly #next: () => IteratorResult<GivenRows> | Promise<IteratorResult<GivenRows>>
  readonly #table: string
  readonly #node: Scan
  #isWaiting = false
  #given: IteratorResult<GivenRows> | undefined
  #failure: unknown

  constructor(node: Scan, batches: Iterable<GivenRows> | AsyncIterable<GivenRows>, context: ExecContext) {
    this.#context = context
    this.#node = node
    this.#table = node.table
    const iterator = Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]()
    this.#next = () => iterator.next()
    // The end of the query aborts a running source but does not wait until the source has stopped.
    context.end.add(async () => {
      const returned = Promise.resolve(iterator.return?.()).catch(() => undefined)
      if (!this.#isWaiting) await returned
    })
  }

  /**
   * Returns the next rows; `again` while the table has not delivered them; `undefined` at the end. Throws
   * `table/failed`.
   */
  pull(): GivenRows | typeof again | undefined {
    if (this.#isWaiting) return again
    if (this.#failure !== undefined) throw failed(this.#table, this.#failure, this.#node)
    const given = this.#given ?? this.#request()
    this.#given = undefined
    if (given === undefined) return again
    return given.done === true ? undefined : given.value
  }

  #request(): IteratorResult<GivenRows> | undefined {
    let next: IteratorResult<GivenRows> | Promise<IteratorResult<GivenRows>>
    try {
      next = this.#next()
    } catch (error) {
      throw failed(this.#table, error, this.#node)
    }
    if (!(next instanceof Promise)) return next
    this.#isWaiting = true
    this.#context.waits.add(
      next.then(
        (result) => {
          this.#given = result
          this.#isWaiting = false
        },
        (error: unknown) => {
          this.#failure = error ?? new Error('no reason was given')
          this.#isWaiting = false
        },
      ),
    )
    return undefined
  }
}

function failed(table: string, error: unknown, { origin }: Scan): Error {
  if (error instanceof SluiceError || error instanceof CommandError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new SluiceError([tableDiagnostic('failed', { table, reason }, origin)])
}

/**
 * Starts a scan of a table. Returns its rows, and which of the conditions, times and order the table itself applies.
 * Throws `table/failed`.
 */
function rowsGiven(
  table: Table,
  plan: ScanPlan,
  context: ExecContext,
): { readonly applied: ScanApplied; readonly batches: Iterable<GivenRows> | AsyncIterable<GivenRows> } {
  const { scan, columns, exact, superset, range, order, limitRows } = plan
  const segments = context.arriving.get(scan)
  if (segments !== undefined) return { applied: { range: true }, batches: segments }
  const { budget } = context.query
  try {
    return table.scan({
      columns,
      predicate: [...exact, ...superset],
      range,
      order,
      limitRows,
      signal: context.end.signal,
      budget,
    })
  } catch (error) {
    throw failed(scan.table, error, scan)
  }
}

/**
 * Reads a table without segments batch by batch and filters the rows. Applies the guard (the condition that hides rows
 * from a caller) first, even if the table claims to have applied it.
 */
class TableRows {
  readonly #node: Scan
  readonly #plan: ScanPlan
  readonly #context: ExecContext
  readonly #measure: OperatorMeasure
  readonly #reader: RowReader
  readonly #guard: Predicate | undefined
  readonly #predicates: readonly Predicate[]
  readonly #timeField: string | undefined
  readonly #filtersTime: boolean
  readonly isInOrder: boolean
  readonly #charge: MemoryReservation
  /** Bytes of the last batch that the table returned. */
  givenBytes = 0

  constructor(table: Table, plan: ScanPlan, context: ExecContext, measure: OperatorMeasure) {
    const { scan: node } = plan
    this.#node = node
    this.#plan = plan
    this.#context = context
    this.#measure = measure
    this.#charge = new MemoryReservation(context.query.budget)
    this.#timeField = table.definition.timeField
    const { applied, batches } = rowsGiven(table, plan, context)
    this.#reader = new RowReader(node, batches, context)
    const done = new Set<Expr>(applied.predicate)
    const left = [...plan.exact, ...plan.superset, ...plan.rest].filter((each) => !done.has(each))
    this.#guard = node.guard === undefined ? undefined : context.compiler.predicate(node.guard)
    this.#predicates = left.map((each) => context.compiler.predicate(each))
    this.#filtersTime = this.#timeField !== undefined && isBounded(node.range) && applied.range !== true
    this.isInOrder = plan.order === 'any' || applied.order === true
  }

  /**
   * Returns the matching rows of the next batch, with all fields that were read; `again` if no row matches; `undefined`
   * at the end.
   */
  pull(): Frame | typeof again | undefined {
    const batch = this.#reader.pull()
    if (batch === undefined || batch === again) return batch
    this.givenBytes = 'schema' in batch ? batchBytes(batch) : batch.memoryBytes
    // Charges only the current batch. Operators that hold rows charge them themselves.
    this.#charge.set(this.givenBytes)
    this.#measure.count('rowsRead', batch.rowCount)
    this.#measure.count('bytesRead', this.givenBytes)
    const frame = this.#visible(this.#frameOf(batch))
    this.#context.query.budget.scanned(frame.rowCount)
    return this.#narrowed(frame)
  }

  #frameOf(rows: GivenRows): Frame {
    if (!('schema' in rows)) {
      const [range] = segmentRanges([rows], this.#node.range)
      return segmentFrame(rows).slice(range?.from ?? 0, range?.to ?? 0)
    }
    const { schema, columns, rowCount } = rows
    const byName = new Map(schema.fields.map(({ name }, i) => [name, columns[i] as Column]))
    return new Frame(rowCount, byName, recordIdentity(byName))
  }

  #visible(frame: Frame): Frame {
    if (this.#guard === undefined) return frame
    const mask = fullMask(frame)
    this.#guard.narrow(frame, mask)
    return taken(frame, rowsOfBitmap(mask))
  }

  #narrowed(frame: Frame): Frame | typeof again {
    let kept = frame
    if (this.#filtersTime) {
      const timeNs = timesOf(frame.column(this.#timeField ?? ''))
      const rows = Array.from({ length: frame.rowCount }, (_, row) => row).filter((row) =>
        isIn(this.#node.range, timeNs(row)),
      )
      kept = taken(frame, Uint32Array.from(rows))
    }
    for (const predicate of this.#predicates) {
      if (kept.rowCount === 0) break
      const mask = fullMask(kept)
      predicate.narrow(kept, mask)
      kept = taken(kept, rowsOfBitmap(mask))
    }
    this.#context.compiler.counters.take((name, amount) => this.#measure.count(name, amount))
    return kept.rowCount === 0 ? again : kept
  }

  /** Returns the frame with only the fields that the scan returns, without fields that only conditions needed. */
  shown(frame: Frame): Frame {
    const { columns } = this.#node
    if (columns === undefined || this.#plan.columns === columns) return frame
    const hidden = frame.names.filter((name) => !columns.includes(name))
    if (hidden.length === 0) return frame
    const all = frame.lazyColumns()
    for (const name of hidden) all.delete(name)
    return new Frame(frame.rowCount, all, frame.identity)
  }
}

function taken(frame: Frame, rows: Uint32Array): Frame {
  return rows.length === frame.rowCount ? frame : frame.take(rows)
}

/**
 * Makes an operator over a source of frames. Longer frames are divided so that each has at most the requested number of
 * rows.
 */
function inBatches(pull: () => Frame | typeof again | undefined): Operator {
  let current: Operator | undefined
  return {
    pull(want) {
      const next = current?.pull(want)
      if (next !== undefined) return next
      const frame = pull()
      if (frame === undefined || frame === again) return frame
      if (frame.rowCount <= want) return frame
      current = frameBatches(frame)
      return current.pull(want)
    },
  }
}

/**
 * Returns the row count of a table if the scan needs only the count and the table reports it exactly; otherwise
 * `undefined`.
 */
function knownRows(table: Table, { onlyCounts, scan }: ScanPlan): number | undefined {
  if (!onlyCounts) return undefined
  try {
    const rows = table.stats?.().rows
    return rows?.source === 'exact' && Number.isSafeInteger(rows.value) && rows.value >= 0 ? rows.value : undefined
  } catch (error) {
    throw failed(scan.table, error, scan)
  }
}

/** Makes an operator that returns `rowCount` rows without fields. */
function bareRows(rowCount: number): Operator {
  let given = 0
  return {
    pull(want) {
      if (given === rowCount) return undefined
      const first = given
      given = Math.min(rowCount, given + want)
      return new Frame(given - first, new Map())
    },
  }
}

/**
 * Makes the operator that scans a table without segments and returns rows in answer order. Reading starts with the
 * first pull.
 */
export function tableRows(table: Table, plan: ScanPlan, context: ExecContext, measure: OperatorMeasure): Operator {
  let rows: TableRows | undefined
  const start = (): TableRows => (rows ??= new TableRows(table, plan, context, measure))
  const direct = inBatches(() => {
    const frame = start().pull()
    return frame === undefined || frame === again ? frame : start().shown(frame)
  })
  const held = new HeldRows(plan.holds, table.definition.timeField ?? '', context)
  const sorted = blocking(
    () => {
      const frame = start().pull()
      if (frame === undefined) return true
      if (frame !== again) held.add(frame, start().givenBytes)
      return false
    },
    () => frameBatches(start().shown(held.all())),
  )
  let source: Operator | undefined
  const open = (): Operator => {
    const rowCount = knownRows(table, plan)
    if (rowCount !== undefined) return bareRows(rowCount)
    return start().isInOrder ? direct : sorted
  }
  return { pull: (want) => (source ??= open()).pull(want) }
}
