import { nowhere, type Interval } from '../../base/index.ts'
import { rowBytes, rowsOf, type RecordBatch } from '../../data/index.ts'
import { storedSpan, type StoredSpan } from '../../ingest/otlp/stored/index.ts'
import { wholeScan, type Expr, type LogicalPlan } from '../../plan/index.ts'
import { spansTable } from '../../store/index.ts'
import type { Caller } from '../auth/caller.ts'
import { Pace } from '../http/pace.ts'
import { budgetOf, eachRow, type Collecting } from './collect.ts'
import { searchForPlan } from './plan-request.ts'
import type { SearchService } from './service-interfaces.ts'

/** All spans, as a plan. */
const allSpans = wholeScan(spansTable)

/** Returns the plan of the spans that fulfil a condition on fields of the table `spans`; of all without one. */
export function spansWhere(predicate: Expr | undefined): LogicalPlan {
  return predicate === undefined ? allSpans : { kind: 'filter', input: allSpans, predicate, origin: nowhere }
}

/** Memory of a span and of its answer, by that of its row: attributes with types, then text. */
const BYTES_PER_ROW_BYTE = 4

/** Reads spans for the caller of a request: under its scope, with the limits of its queries. */
export interface SpanReader {
  /** Rows of a plan over the table `spans`, in a range of their start. */
  rows(plan: LogicalPlan, range: Interval): AsyncIterable<RecordBatch>
  /** Spans of a plan whose rows are rows of the table `spans`. Other requests have their turn between them. */
  read(plan: LogicalPlan, range: Interval): AsyncIterable<StoredSpan>
  /** The same as a list by start, within the memory of a query. Throws `budget/memory`. */
  collect(plan: LogicalPlan, range: Interval): Promise<readonly StoredSpan[]>
}

interface Reading extends Collecting {
  readonly caller: Caller
  readonly service: SearchService
}

/** Returns the reader of spans for a request. */
export function spansFor(reading: Reading): SpanReader {
  const { caller, service } = reading
  async function* rows(plan: LogicalPlan, range: Interval): AsyncGenerator<RecordBatch> {
    const answer = await service.search(searchForPlan(caller, 'traces', plan, range))
    yield* answer.batches()
  }
  return {
    rows,
    async *read(plan, range) {
      const pace = new Pace()
      for await (const batch of rows(plan, range)) {
        for (const row of rowsOf(batch)) {
          const span = storedSpan(row)
          if (span !== undefined) yield span
        }
        await pace.turn()
      }
    },
    async collect(plan, range) {
      const budget = budgetOf(reading)
      const spans: StoredSpan[] = []
      await eachRow(rows(plan, range), (row) => {
        budget.checkpoint()
        budget.charge(rowBytes(row) * BYTES_PER_ROW_BYTE)
        const span = storedSpan(row)
        if (span !== undefined) spans.push(span)
      })
      return spans.sort((a, b) => (a.startNs < b.startNs ? -1 : a.startNs > b.startNs ? 1 : 0))
    },
  }
}
