import { ITEMS_PER_CHECKPOINT, type Budget } from '../../base/index.ts'
import type { StoredRow } from '../../data/index.ts'
import type { Functions } from '../../functions/index.ts'
import type { QueryContext } from '../backend.ts'

/** Everything besides the plan that an evaluation needs. */
export interface Environment {
  readonly tables: ReadonlyMap<string, readonly StoredRow[]>
  readonly functions: Functions
  readonly context: QueryContext
}

/** Returns a function that checks the budget on every `ITEMS_PER_CHECKPOINT`-th call. */
export function ticker(budget: Budget): () => void {
  let calls = 0
  return () => {
    if (calls++ % ITEMS_PER_CHECKPOINT === 0) budget.checkpoint()
  }
}
