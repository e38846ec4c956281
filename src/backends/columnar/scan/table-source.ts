import { CommandError, SluiceError, type Interval } from '../../../base/index.ts'
import { Instant, batchBytes, rowsOfBitmap, valueAt, type Column, type RecordBatch } from '../../../data/index.ts'
import { isBounded, type ScanPlan } from '../../../optimize/index.ts'
import type { Expr, ScanApplied, Scan, Table } from '../../../plan/index.ts'
import { tableDiagnostic, type Segment } from '../../../store/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import type { ExecContext } from '../context.ts'
import { fullMask, type Predicate } from '../expr/predicate.ts'
import { Frame } from '../frame.ts'
import type { Measure } from '../measure.ts'
import { recordIdentity } from '../record-hashes.ts'
import { again, type Operator } from '../operator.ts'
import { segmentFrame } from '../segment-frame.ts'
import { segmentRanges } from '../segments/segment-range.ts'
import { HeldRows } from './held-rows.ts'
import { blocking, pieces } from '../blocking.ts'

/** Returns the time of each row; `undefined` for a row without one. */
function timesOf(column: Column): (row: number) => bigint | undefined {
  return (row) => {
    const value = valueAt(column, row)
    return value instanceof Instant ? value.ns : undefined
  }
}

function isIn(range: Interval, ns: bigint | undefined): boolean {
  return ns !== undefined && ns >= range.startNs && ns < range.endNs
}

/** Rows as a table gives them. */
type GivenRows = RecordBatch | Segment

/** Pulls rows out of a table, whether they are there or must be waited for. */
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
    // A running source ends when its signal is aborted; nothing waits for that.
    context.end.add(async () => {
      const returned = Promise.resolve(iterator.return?.()).catch(() => undefined)
      if (!this.#isWaiting) await returned
    })
  }

  /** The next rows; `again` while it is waited for; `undefined` at the end. Throws `table/failed`. */
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

/** What a table gives of what it is asked for. Throws `table/failed`. */
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
 * The rows of a table that is read batch by batch. The guard is applied first, whatever the table reports of itself.
 */
class TableRows {
  readonly #node: Scan
  readonly #plan: ScanPlan
  readonly #context: ExecContext
  readonly #measure: Measure
  readonly #reader: RowReader
  readonly #guard: Predicate | undefined
  readonly #predicates: readonly Predicate[]
  readonly #timeField: string | undefined
  readonly #filtersTime: boolean
  readonly isInOrder: boolean
  readonly #charge: MemoryReservation
  /** Bytes of the rows that were given last. */
  givenBytes = 0

  constructor(table: Table, plan: ScanPlan, context: ExecContext, measure: Measure) {
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

  /** Returns the matching rows of a batch with all fields that were read. */
  pull(): Frame | typeof again | undefined {
    const batch = this.#reader.pull()
    if (batch === undefined || batch === again) return batch
    this.givenBytes = 'schema' in batch ? batchBytes(batch) : batch.memoryBytes
    // Rows that are passed on are charged to the operators that keep them.
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

  /** Keeps only the fields of the scan. */
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

/** Divides frames of any length into pieces of the requested size. */
function inPieces(pull: () => Frame | typeof again | undefined): Operator {
  let current: Operator | undefined
  return {
    pull(want) {
      const piece = current?.pull(want)
      if (piece !== undefined) return piece
      const frame = pull()
      if (frame === undefined || frame === again) return frame
      if (frame.rowCount <= want) return frame
      current = pieces(frame)
      return current.pull(want)
    },
  }
}

/** Returns the row count of a table, when the scan needs only that and the table knows it. */
function knownRows(table: Table, { onlyCounts, scan }: ScanPlan): number | undefined {
  if (!onlyCounts) return undefined
  try {
    const rows = table.stats?.().rows
    return rows?.source === 'exact' && Number.isSafeInteger(rows.value) && rows.value >= 0 ? rows.value : undefined
  } catch (error) {
    throw failed(scan.table, error, scan)
  }
}

/** Returns rows without fields. */
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

/** Returns the rows of a scan of a table without segments, in answer order. Reading starts with the first pull. */
export function tableRows(table: Table, plan: ScanPlan, context: ExecContext, measure: Measure): Operator {
  let rows: TableRows | undefined
  const start = (): TableRows => (rows ??= new TableRows(table, plan, context, measure))
  const direct = inPieces(() => {
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
    () => pieces(start().shown(held.all())),
  )
  let source: Operator | undefined
  const open = (): Operator => {
    const rowCount = knownRows(table, plan)
    if (rowCount !== undefined) return bareRows(rowCount)
    return start().isInOrder ? direct : sorted
  }
  return { pull: (want) => (source ??= open()).pull(want) }
}
