import { BUFFER_BYTES, TURN_MS, nextTurn, runWithBudget } from '../../base/index.ts'
import type { RecordBatch, Schema } from '../../data/index.ts'
import type { QueryContext } from '../backend.ts'
import { again, type Operator } from './operator.ts'
import { MemoryReservation } from './memory-reservation.ts'
import { concat, type Frame } from './frame.ts'
import { batchOfFrame } from './output.ts'
import { PendingReads } from './pending-reads.ts'

/**
 * Regroups frames so that all batches except the last are full and have only fields that occur in their rows. Used if a
 * guard hides rows, since batch sizes and columns must not reveal hidden rows.
 */
class FullBatches {
  readonly #batchRows: number
  readonly #charge: MemoryReservation
  #held: Frame[] = []
  #heldRows = 0
  #heldBytes = 0

  constructor({ batchRows, budget }: QueryContext) {
    this.#batchRows = batchRows
    this.#charge = new MemoryReservation(budget)
  }

  /** Adds a frame; returns the batches that are full now. */
  add(frame: Frame): readonly Frame[] {
    this.#held.push(frame)
    this.#heldRows += frame.rowCount
    this.#heldBytes += frame.madeBytes
    this.#charge.set(this.#heldBytes)
    if (this.#heldBytes > BUFFER_BYTES) return this.rest()
    if (this.#heldRows < this.#batchRows) return []
    const all = concat(this.#held)
    const left = this.#heldRows % this.#batchRows
    const full: Frame[] = []
    for (let from = 0; from + this.#batchRows <= all.rowCount; from += this.#batchRows)
      full.push(all.slice(from, from + this.#batchRows))
    this.#letGo()
    if (left > 0) full.push(...this.add(all.slice(all.rowCount - left, all.rowCount)))
    return full
  }

  rest(): readonly Frame[] {
    const all = [...cutAt(this.#batchRows, concat(this.#held))]
    this.#letGo()
    return all
  }

  #letGo(): void {
    this.#held = []
    this.#heldRows = 0
    this.#heldBytes = 0
    this.#charge.release()
  }
}

function* cutAt(batchRows: number, frame: Frame): Generator<Frame> {
  for (let from = 0; from < frame.rowCount; from += batchRows)
    yield frame.slice(from, Math.min(frame.rowCount, from + batchRows))
}

/**
 * Pulls rows from the root operator and yields batches. The event loop can run between calls of the operator, at most
 * every `TURN_MS` ms, so that the thread stays responsive while a query reads rows without returning any. With
 * `hidesRows`, the batches depend only on visible rows.
 */
export async function* drive(
  root: Operator,
  schema: Schema,
  context: QueryContext,
  waits = new PendingReads(),
  hidesRows = false,
): AsyncGenerator<RecordBatch> {
  const { budget, batchRows } = context
  const whole = hidesRows ? new FullBatches(context) : undefined
  const made = (frame: Frame): RecordBatch => runWithBudget(budget, () => batchOfFrame(schema, frame, hidesRows))
  let sinceMs = performance.now()
  const isDue = (): boolean => performance.now() - sinceMs >= TURN_MS
  const pull = (): Frame | typeof again | undefined => {
    for (;;) {
      budget.checkpoint()
      const frame = root.pull(batchRows)
      if (frame !== again || !waits.isEmpty || isDue()) return frame
    }
  }
  for (;;) {
    const frame = runWithBudget(budget, pull)
    if (frame === undefined) break
    if (frame === again) {
      await (waits.isEmpty ? nextTurn() : waits.any(budget))
      sinceMs = performance.now()
      continue
    }
    for (const each of whole?.add(frame) ?? cutAt(batchRows, frame)) {
      yield made(each)
      if (!isDue()) continue
      await nextTurn()
      sinceMs = performance.now()
    }
  }
  for (const each of whole?.rest() ?? []) yield made(each)
}
