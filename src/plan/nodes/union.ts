import type { Origin } from '../../base/index.ts'
import type { Field } from '../../data/index.ts'
import type { LogicalPlan } from '../kinds.ts'
import { otherRows, type NodeOps } from './node-ops.ts'

/** Outputs all rows of all inputs in order, duplicates included. */
export interface Union {
  readonly kind: 'union'
  readonly inputsList: readonly LogicalPlan[]
  readonly origin: Origin
}

export const unionOps: NodeOps<Union> = {
  inputs: (node) => node.inputsList,
  withInputs: (node, inputsList) => ({ ...node, inputsList }),
  expressions: () => [],
  withExpressions: (node) => node,
  schema: (_, inputs) => {
    const fields = new Map<string, Field>()
    for (const input of inputs) {
      for (const f of input.fields) {
        const known = fields.get(f.name)
        if (known === undefined) fields.set(f.name, f)
        else {
          fields.set(f.name, {
            name: f.name,
            type: known.type === f.type ? f.type : 'any',
            presence: known.presence === 'named' || f.presence === 'named' ? 'named' : 'dynamic',
          })
        }
      }
    }
    return { fields: [...fields.values()], isOpen: inputs.some((input) => input.isOpen) }
  },
  order: () => ({ keys: [], base: 'as-given' }),
  properties: () => otherRows,
  maxRows: (_, inputs) => inputs.reduce((sum, rows) => sum + rows, 0),
  label: (node) => `${node.inputsList.length} inputs`,
}

declare module '../kinds.ts' {
  interface PlanKinds {
    union: Union
  }
}
