import type { Origin } from '../../base/index.ts'
import type { LogicalPlan } from '../kinds.ts'
import { someRows, unary, type NodeOps } from './node-ops.ts'

/**
 * Selects rows by a hash of the values of the stored record. The selection is the same on every backend. Keeps the
 * input order.
 */
export interface Sample {
  readonly kind: 'sample'
  readonly input: LogicalPlan
  /** `one-in`: about one in `n` rows. `rows`: at most `n` rows, those with the smallest hashes. */
  readonly mode: 'one-in' | 'rows'
  readonly n: number
  readonly origin: Origin
}

export const sampleOps: NodeOps<Sample> = unary({
  properties: () => someRows,
  maxRows: (node, rows) => (node.mode === 'rows' ? Math.min(node.n, rows) : rows),
  label: (node) => (node.mode === 'one-in' ? `one in ${node.n}` : `${node.n} rows`),
})

declare module '../kinds.ts' {
  interface PlanKinds {
    sample: Sample
  }
}
