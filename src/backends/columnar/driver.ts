import { nextTurn, workFor } from '../../base/index.ts'
import type { RecordBatch, Schema } from '../../data/index.ts'
import type { QueryContext } from '../backend.ts'
import { again, type Operator } from './operator.ts'
import { batchOfFrame } from './output.ts'
import { Waits } from './waits.ts'

/** Work between two looks at the clock's limit and the event loop. */
const SLICE_MS = 4

/** Pulls a query's rows; between pieces of work it lets the event loop run and watches limits and cancellation. */
export async function* drive(
  root: Operator,
  schema: Schema,
  context: QueryContext,
  waits = new Waits(),
): AsyncGenerator<RecordBatch> {
  let sliceStartMs = performance.now()
  context.budget.checkpoint()
  for (;;) {
    const frame = workFor(context.budget, () => root.pull(context.batchRows))
    if (frame === undefined) return
    const nowMs = performance.now()
    if (frame === again && !waits.isEmpty) {
      await waits.any(context.budget)
      sliceStartMs = performance.now()
    } else if (nowMs - sliceStartMs > SLICE_MS) {
      await nextTurn()
      context.budget.checkpoint()
      sliceStartMs = performance.now()
    }
    if (frame !== again && frame.rowCount > 0) {
      for (let from = 0; from < frame.rowCount; from += context.batchRows) {
        const to = Math.min(frame.rowCount, from + context.batchRows)
        yield workFor(context.budget, () => batchOfFrame(schema, frame.slice(from, to)))
      }
      sliceStartMs = performance.now()
    }
  }
}
