import type { Origin } from '../../base/index.ts'
import type { Row, Schema } from '../../data/index.ts'
import { otherRows, type NodeOps } from './node-ops.ts'

/** Rows written in the query itself. */
export interface Values {
  readonly kind: 'values'
  readonly outputSchema: Schema
  readonly rows: readonly Row[]
  readonly origin: Origin
}

export const valuesOps: NodeOps<Values> = {
  inputs: () => [],
  withInputs: (node) => node,
  expressions: () => [],
  withExpressions: (node) => node,
  schema: (node) => node.outputSchema,
  order: () => ({ keys: [], base: 'as-given' }),
  properties: () => otherRows,
  maxRows: (node) => node.rows.length,
  label: (node) => `${node.rows.length} rows`,
}

declare module '../kinds.ts' {
  interface PlanKinds {
    values: Values
  }
}
