import type { Origin } from '../../base/index.ts'
import type { Field } from '../../data/index.ts'
import { declaredField } from '../field-index.ts'
import { matchesField, plainName, printFieldPattern, type FieldPattern } from '../field-pattern.ts'
import type { LogicalPlan } from '../kinds.ts'
import { rowForRow, unary, type NodeOps } from './node-ops.ts'

/** Outputs only these fields, in this order. A plain name becomes a named column even if the input does not have it. */
export interface Project {
  readonly kind: 'project'
  readonly input: LogicalPlan
  readonly fields: readonly FieldPattern[]
  readonly origin: Origin
}

export const projectOps: NodeOps<Project> = unary({
  schema: (node, input) => {
    const fields = new Map<string, Field>()
    for (const pattern of node.fields) {
      const name = plainName(pattern)
      if (name !== undefined) {
        if (!fields.has(name)) {
          fields.set(name, { name, type: declaredField(input, name)?.type ?? 'any', presence: 'named' })
        }
        continue
      }
      for (const f of input.fields) if (matchesField(pattern, f.name) && !fields.has(f.name)) fields.set(f.name, f)
    }
    return { fields: [...fields.values()], isOpen: input.isOpen && node.fields.some((p) => p.parts.length > 1) }
  },
  // All fields count as touched, since patterns cannot describe all fields except those that are kept.
  properties: () => rowForRow([{ parts: ['', ''] }]),
  label: (node) => node.fields.map(printFieldPattern).join(', '),
})

declare module '../kinds.ts' {
  interface PlanKinds {
    project: Project
  }
}
