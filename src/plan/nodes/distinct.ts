import type { Origin } from '../../base/index.ts'
import { column } from '../expr/build.ts'
import { declaredField } from '../field-index.ts'
import type { LogicalPlan } from '../kinds.ts'
import { countRows, type Aggregate } from './aggregate.ts'
import { otherRows, unary, type NodeOps } from './node-ops.ts'

/**
 * Outputs the distinct combinations of these fields, ordered by key like groups. Missing and `''` are one value,
 * printed `null`. `hitsName` adds a field with the number of rows; `limit` keeps the first combinations in key order.
 */
export interface Distinct {
  readonly kind: 'distinct'
  readonly input: LogicalPlan
  readonly keys: readonly string[]
  readonly hitsName: string | undefined
  readonly limit: number | undefined
  readonly origin: Origin
}

/** Returns the equivalent aggregate node: with a count if `hitsName` is set. It has no limit. */
export function asAggregate({ input, keys, hitsName, origin }: Distinct): Aggregate {
  return {
    kind: 'aggregate',
    input,
    keys: keys.map((name) => ({ name, expr: column(name, origin), type: 'any' })),
    aggregates: hitsName === undefined ? [] : [{ name: hitsName, type: 'integer', call: countRows(origin) }],
    origin,
  }
}

export const distinctOps: NodeOps<Distinct> = unary({
  schema: (node, input) => ({
    isOpen: false,
    fields: [
      ...node.keys.map((name) => ({
        name,
        type: declaredField(input, name)?.type ?? ('any' as const),
        presence: 'named' as const,
      })),
      ...(node.hitsName === undefined
        ? []
        : [{ name: node.hitsName, type: 'integer' as const, presence: 'named' as const }]),
    ],
  }),
  order: (node) => ({ keys: node.keys.map((column) => ({ column, direction: 'asc' })), base: 'group-key' }),
  properties: () => otherRows,
  maxRows: (node, rows) => Math.min(node.limit ?? Infinity, rows),
  label: (node) =>
    `by (${node.keys.join(', ')})${node.hitsName === undefined ? '' : ` with ${node.hitsName}`}${node.limit === undefined ? '' : ` limit ${node.limit}`}`,
})

declare module '../kinds.ts' {
  interface PlanKinds {
    distinct: Distinct
  }
}
