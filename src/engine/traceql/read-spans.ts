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

/** The rows of the table of spans that a caller may see, and the limits of the request. */
export interface SpanReading {
  readonly rows: LogRows
  readonly budget: Budget
}

/** Bytes of a span in memory for each byte of its row, at most: its values are objects. */
const SPAN_FACTOR = 4

const origin = nowhere
const TIME = spansTable.timeField

/** A condition that a column has a value. */
export const has = (name: string): Expr => not(test(column(name), { kind: 'empty' }))

/** A name that no column of spans has. */
const COUNT = '__rows'

/** Makes a plan of the names of fields: `name` and, as `hits`, the number of rows that have each. */
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

/** Calls `take` with each row, under the limits of the query. */
async function eachRow(
  { rows, budget }: SpanReading,
  plan: LogicalPlan,
  range: Interval,
  take: (row: Row) => void,
): Promise<void> {
  // A query may read often and find no row.
  budget.checkpoint()
  for await (const batch of betweenTurns(rows.read(plan, range)))
    runWithBudget(budget, () => {
      for (const row of rowsOf(batch)) {
        work(ROW_WORK)
        take(row)
      }
    })
}

/** Spans to read: those that fulfil a condition, with some columns of their rows. Without one of them, all. */
export interface SpanChoice {
  readonly predicate: Expr | undefined
  readonly columns?: readonly string[] | undefined
}

/** Reads the spans that start in a range. */
export async function eachSpan(
  reading: SpanReading,
  { predicate, columns }: SpanChoice,
  range: Interval,
  take: (span: StoredSpan) => void,
): Promise<void> {
  // A row without ids is no span of any trace.
  const withIds = conjunction([...(predicate === undefined ? [] : [predicate]), ...['trace_id', 'span_id'].map(has)])
  await eachRow(reading, projected(scanOf(withIds), columns), range, (row) => {
    take(spanOf(row))
  })
}

/** Returns how many spans of a range have each field. */
export async function fieldHits(
  reading: SpanReading,
  fieldNames: FieldNames,
  predicate: Expr,
  range: Interval,
): Promise<readonly (readonly [name: string, rows: number])[]> {
  const hits: [string, number][] = []
  await eachRow(reading, fieldNames(scanOf(predicate)), range, (row) => {
    const name = toText(row.get('name') ?? null)
    reading.budget.charge(ENTRY_BYTES + name.length * 2)
    hits.push([name, Number(row.get('hits') ?? 0)])
  })
  return hits
}

/** Calls `take` with each combination of the values of some columns, and the number of spans that have it. */
export async function distinctRows(
  reading: SpanReading,
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
  await eachRow(reading, groups, range, (row) => {
    take(row, Number(row.get(COUNT) ?? 0))
  })
}

/** The newest spans of a range: the new ids of their traces, newest first, and the time of the oldest of them. */
export interface SpanPage {
  readonly traceIds: readonly string[]
  /** `undefined` if there are no more spans. */
  readonly oldestNs: bigint | undefined
}

/** Reads the newest spans of a range, at most `limit`. Ids of their traces that are not in `seen` are added to it. */
export async function newestSpans(
  reading: SpanReading,
  predicate: Expr | undefined,
  range: Interval,
  limit: number,
  seen: Set<string>,
): Promise<SpanPage> {
  const newest: LogicalPlan = { kind: 'limit', input: scanOf(predicate), offset: 0, limit, origin }
  const traceIds: string[] = []
  let oldestNs: bigint | undefined
  let count = 0
  await eachRow(reading, projected(newest, [TIME, 'trace_id']), range, (row) => {
    count++
    const time = row.get(TIME)
    if (time instanceof Instant) oldestNs = time.ns
    const id = toText(row.get('trace_id') ?? null)
    if (id === '' || seen.has(id)) return
    reading.budget.charge(ENTRY_BYTES + id.length * 2)
    seen.add(id)
    traceIds.push(id)
  })
  return { traceIds, oldestNs: count < limit ? undefined : oldestNs }
}

/** A trace with all of its spans that were read, and the bytes charged for them. */
export interface ReadTrace {
  readonly trace: Trace
  /** They are released before the next trace; 0 if the receiver keeps the trace. */
  bytes: number
}

/** Reads whole traces, in the order of their ids, by their spans that start in a range. */
export async function readTraces(
  reading: SpanReading,
  ids: readonly string[],
  range: Interval,
  columns?: readonly string[],
): Promise<readonly ReadTrace[]> {
  const read = new Map(ids.map((id) => [id, { spans: [] as StoredSpan[], bytes: 0 }]))
  const predicate = test(column('trace_id'), { kind: 'in', values: ids, isFolded: false, isTyped: false })
  await eachRow(reading, projected(scanOf(predicate), columns), range, (row) => {
    const span = storedSpan(row)
    const trace = span === undefined ? undefined : read.get(span.traceId)
    if (span === undefined || trace === undefined) return
    const bytes = rowBytes(row) * SPAN_FACTOR
    reading.budget.charge(bytes)
    trace.bytes += bytes
    trace.spans.push(span)
  })
  return [...read].flatMap(([id, { spans, bytes }]) => {
    const [first, ...others] = spans
    return first === undefined ? [] : [{ trace: new Trace(id, [first, ...others]), bytes }]
  })
}
