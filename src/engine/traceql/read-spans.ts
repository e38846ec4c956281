import {
  ENTRY_BYTES,
  ROW_WORK,
  betweenTurns,
  nowhere,
  runWithBudget,
  work,
  type Budget,
  type Interval,
} from '../../base/index.ts'
import { Instant, rowBytes, rowsOf, toText, type Row } from '../../data/index.ts'
import type { LogRows } from '../../backends/columnar/series/index.ts'
import { spanOf, storedSpan, type StoredSpan } from '../../ingest/otlp/stored/index.ts'
import {
  column,
  conjunction,
  countRows,
  fieldPattern,
  not,
  test,
  wholeScan,
  type Expr,
  type LogicalPlan,
} from '../../plan/index.ts'
import { spansTable } from '../../store/index.ts'
import { Trace } from './model.ts'

/** Access to the span rows that a caller may see, and the limits of the request. */
export interface SpanAccess {
  readonly rows: LogRows
  readonly budget: Budget
}

/**
 * Estimated memory of a span, bytes per byte of its row. Spans are larger than rows because their values are objects.
 */
const SPAN_FACTOR = 4

const origin = nowhere
const TIME = spansTable.timeField

/** Returns the condition that a column has a value. */
export const has = (name: string): Expr => not(test(column(name), { kind: 'empty' }))

/** Name of an output column. No column of spans has this name. */
const COUNT = '__rows'

/** Returns a plan that lists the field names of rows: `name`, and in `hits` the number of rows that have the field. */
export type FieldNames = (rows: LogicalPlan) => LogicalPlan

function scanOf(predicate: Expr | undefined): LogicalPlan {
  const scan = wholeScan(spansTable)
  return predicate === undefined ? scan : { kind: 'filter', input: scan, predicate, origin }
}

function projected(input: LogicalPlan, columns: readonly string[] | undefined): LogicalPlan {
  return columns === undefined
    ? input
    : { kind: 'project', input, fields: columns.map((name) => fieldPattern(name)), origin }
}

/** Calls `take` for each row, within the limits of the query. */
async function eachRow(
  { rows, budget }: SpanAccess,
  plan: LogicalPlan,
  range: Interval,
  take: (row: Row) => void,
): Promise<void> {
  // A plan without rows checks no limits, and a query may run many plans.
  budget.checkpoint()
  for await (const batch of betweenTurns(rows.read(plan, range)))
    runWithBudget(budget, () => {
      for (const row of rowsOf(batch)) {
        work(ROW_WORK)
        take(row)
      }
    })
}

/** Which spans and columns to read: spans that satisfy a condition. Default: all. */
export interface SpanChoice {
  readonly predicate: Expr | undefined
  readonly columns?: readonly string[] | undefined
}

/** Calls `take` for each span that starts in a range. */
export async function eachSpan(
  access: SpanAccess,
  { predicate, columns }: SpanChoice,
  range: Interval,
  take: (span: StoredSpan) => void,
): Promise<void> {
  // A row without a trace id or span id belongs to no trace.
  const withIds = conjunction([...(predicate === undefined ? [] : [predicate]), ...['trace_id', 'span_id'].map(has)])
  await eachRow(access, projected(scanOf(withIds), columns), range, (row) => {
    take(spanOf(row))
  })
}

/** Returns, for each field, the number of spans in a range that have the field. */
export async function fieldHits(
  access: SpanAccess,
  fieldNames: FieldNames,
  predicate: Expr,
  range: Interval,
): Promise<readonly (readonly [name: string, rows: number])[]> {
  const hits: [string, number][] = []
  await eachRow(access, fieldNames(scanOf(predicate)), range, (row) => {
    const name = toText(row.get('name') ?? null)
    access.budget.charge(ENTRY_BYTES + name.length * 2)
    hits.push([name, Number(row.get('hits') ?? 0)])
  })
  return hits
}

/** Calls `take` for each combination of values of some columns, with the number of spans that have the combination. */
export async function distinctRows(
  access: SpanAccess,
  columns: readonly string[],
  predicate: Expr,
  range: Interval,
  take: (row: Row, count: number) => void,
): Promise<void> {
  const groups: LogicalPlan = {
    kind: 'aggregate',
    input: scanOf(predicate),
    keys: columns.map((name) => ({ name, expr: column(name), type: 'any' })),
    aggregates: [{ name: COUNT, call: countRows(origin), type: 'integer' }],
    origin,
  }
  await eachRow(access, groups, range, (row) => {
    take(row, Number(row.get(COUNT) ?? 0))
  })
}

/**
 * A page of the newest spans in a range: the ids of traces not seen before, newest first, and the oldest start time on
 * the page.
 */
export interface SpanPage {
  readonly traceIds: readonly string[]
  /** Oldest start time on the page; `undefined` if there are no older spans. */
  readonly oldestNs: bigint | undefined
}

/**
 * Reads at most `limit` of the newest spans in a range. Returns the ids of traces that are not in `seen`, and adds the
 * ids to `seen`.
 */
export async function newestSpans(
  access: SpanAccess,
  predicate: Expr | undefined,
  range: Interval,
  limit: number,
  seen: Set<string>,
): Promise<SpanPage> {
  const newest: LogicalPlan = { kind: 'limit', input: scanOf(predicate), offset: 0, limit, origin }
  const traceIds: string[] = []
  let oldestNs: bigint | undefined
  let count = 0
  await eachRow(access, projected(newest, [TIME, 'trace_id']), range, (row) => {
    count++
    const time = row.get(TIME)
    if (time instanceof Instant) oldestNs = time.ns
    const id = toText(row.get('trace_id') ?? null)
    if (id === '' || seen.has(id)) return
    access.budget.charge(ENTRY_BYTES + id.length * 2)
    seen.add(id)
    traceIds.push(id)
  })
  return { traceIds, oldestNs: count < limit ? undefined : oldestNs }
}

/** A trace with all its spans that were read, and the memory charged for them. */
export interface ReadTrace {
  readonly trace: Trace
  /**
   * Charged memory, bytes. It is released before the next trace is read. A receiver that keeps the trace must set it to
   * 0.
   */
  bytes: number
}

/** Reads complete traces, in the order of their ids, from the spans that start in a range. */
export async function readTraces(
  access: SpanAccess,
  ids: readonly string[],
  range: Interval,
  columns?: readonly string[],
): Promise<readonly ReadTrace[]> {
  const read = new Map(ids.map((id) => [id, { spans: [] as StoredSpan[], bytes: 0 }]))
  const predicate = test(column('trace_id'), { kind: 'in', values: ids, isFolded: false, isTyped: false })
  await eachRow(access, projected(scanOf(predicate), columns), range, (row) => {
    const span = storedSpan(row)
    const trace = span === undefined ? undefined : read.get(span.traceId)
    if (span === undefined || trace === undefined) return
    const bytes = rowBytes(row) * SPAN_FACTOR
    access.budget.charge(bytes)
    trace.bytes += bytes
    trace.spans.push(span)
  })
  return [...read].flatMap(([id, { spans, bytes }]) => {
    const [first, ...others] = spans
    return first === undefined ? [] : [{ trace: new Trace(id, [first, ...others]), bytes }]
  })
}
