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

/** Estimated bytes of a span in memory per byte of its row. Spans take more because their values are objects. */
const SPAN_FACTOR = 4

const origin = nowhere
const TIME = spansTable.timeField

/** Returns a condition that a column has a value. */
export const has = (name: string): Expr => not(test(column(name), { kind: 'empty' }))

/** An output name that no column of spans has. */
const COUNT = '__rows'

/** Returns a plan that lists field names: `name`, and as `hits` the number of rows with the field. */
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
  // Without rows, nothing else would check the limits, and a query may read often.
  budget.checkpoint()
  for await (const batch of betweenTurns(rows.read(plan, range)))
    runWithBudget(budget, () => {
      for (const row of rowsOf(batch)) {
        work(ROW_WORK)
        take(row)
      }
    })
}

/** The spans and columns to read: spans that satisfy a condition. Default: all. */
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
  // A row without ids does not belong to a trace.
  const withIds = conjunction([...(predicate === undefined ? [] : [predicate]), ...['trace_id', 'span_id'].map(has)])
  await eachRow(access, projected(scanOf(withIds), columns), range, (row) => {
    take(spanOf(row))
  })
}

/** Returns the number of spans in a range that have each field. */
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

/** Calls `take` for each combination of values of some columns, with its number of spans. */
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

/** A page of the newest spans in a range: the trace ids that are new, newest first, and the oldest time on the page. */
export interface SpanPage {
  readonly traceIds: readonly string[]
  /** `undefined` if there are no older spans. */
  readonly oldestNs: bigint | undefined
}

/** Reads at most `limit` of the newest spans in a range. Adds the trace ids that are not in `seen` to it. */
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

/** A trace with all its spans that were read, and the bytes charged for them. */
export interface ReadTrace {
  readonly trace: Trace
  /** They are released before the next trace is read. A receiver that keeps the trace must set this to 0. */
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
