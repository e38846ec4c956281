import type { Interval } from '../../base/index.ts'
import { rowsOf, type RecordBatch } from '../../data/index.ts'
import { storedSpan, type StoredSpan } from '../../ingest/otlp/stored/index.ts'
import type { LogicalPlan } from '../../plan/index.ts'
import type { Caller } from '../auth/caller.ts'
import { Pace } from '../http/pace.ts'
import type { SearchService } from './service-interfaces.ts'

/** Reads spans for the caller of a request: under its scope, with the limits of its queries. */
export interface SpanReader {
  /** Rows of a plan over the table `spans`, in a range of their start. */
  rows(plan: LogicalPlan, range: Interval): AsyncIterable<RecordBatch>
  /** Spans of a plan whose rows are rows of the table `spans`. Other requests have their turn between them. */
  read(plan: LogicalPlan, range: Interval): AsyncIterable<StoredSpan>
}

interface Reading {
  readonly caller: Caller
  readonly service: SearchService
}

/** Returns the reader of spans for a request. */
export function spansFor({ caller, service }: Reading): SpanReader {
  async function* rows(plan: LogicalPlan, range: Interval): AsyncGenerator<RecordBatch> {
    const answer = await service.search({
      ...caller,
      domain: 'traces',
      range,
      query: '*',
      filters: undefined,
      sources: undefined,
      pipeline: undefined,
      dialect: 'logsql',
      over: () => plan,
    })
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
  }
}
