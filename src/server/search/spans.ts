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

/** Plan that returns all spans. */
const allSpans = wholeScan(spansTable)

/**
 * Returns a plan for the spans that match a condition on fields of the table `spans`; without a condition, for all
 * spans.
 */
export function spansWhere(predicate: Expr | undefined): LogicalPlan {
  return predicate === undefined ? allSpans : { kind: 'filter', input: allSpans, predicate, origin: nowhere }
}

/** Memory of a span and its answer, as a multiple of its row's memory: attributes with types, and text. */
const BYTES_PER_ROW_BYTE = 4

/** Reads spans under the caller's scope, with the limits of a query. */
export interface SpanReader {
  /** Yields rows of a plan over the table `spans`, for spans that start in a range. */
  rows(plan: LogicalPlan, range: Interval): AsyncIterable<RecordBatch>
  /** Yields spans of a plan that returns rows of the table `spans`. Yields to other requests meanwhile. */
  read(plan: LogicalPlan, range: Interval): AsyncIterable<StoredSpan>
  /** Like `read`, as a list sorted by start, within the memory limit of a query. Throws `budget/memory`. */
  collect(plan: LogicalPlan, range: Interval): Promise<readonly StoredSpan[]>
}

interface SpanSearch extends Collecting {
  readonly caller: Caller
  readonly service: SearchService
}

/** Returns a reader of spans for a request. */
export function spansFor(search: SpanSearch): SpanReader {
  const { caller, service } = search
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
      const budget = budgetOf(search)
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
