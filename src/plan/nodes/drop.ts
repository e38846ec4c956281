import type { Origin } from '../../base/index.ts'
import { matchesField, printFieldPattern, type FieldPattern } from '../field-pattern.ts'
import type { LogicalPlan } from '../kinds.ts'
import { rowForRow, unary, type NodeOps } from './node-ops.ts'

/** Removes these fields from each row. */
export interface Drop {
  readonly kind: 'drop'
  readonly input: LogicalPlan
  readonly fields: readonly FieldPattern[]
  readonly origin: Origin
}

export const dropOps: NodeOps<Drop> = unary({
  schema: (node, input) => ({
    ...input,
    fields: input.fields.filter((f) => !node.fields.some((pattern) => matchesField(pattern, f.name))),
  }),
  properties: (node) => rowForRow(node.fields),
  label: (node) => node.fields.map(printFieldPattern).join(', '),
})

declare module '../kinds.ts' {
  interface PlanKinds {
    drop: Drop
  }
}
