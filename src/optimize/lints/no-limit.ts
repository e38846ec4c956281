import { byKind, type ByKind, type LogicalPlan } from '../../plan/index.ts'
import { lintDiagnostic } from '../lint-diagnostics.ts'
import type { Lint } from '../lint.ts'

/** Whether the number of rows is kept small by what the query says, not by what the data are. */
const bounded: ByKind<boolean> = {
  values: () => true,
  scan: () => false,
  aggregate: () => true,
  distinct: () => true,
  'table-apply': () => true,
  limit: (node) => node.limit !== undefined || isBounded(node.input),
  sort: (node) => (node.limit !== undefined && node.partitionBy.length === 0) || isBounded(node.input),
  sample: (node) => node.mode === 'rows' || isBounded(node.input),
  join: (node) => isBounded(node.left),
  union: (node) => node.inputsList.every(isBounded),
  filter: ofInput,
  project: ofInput,
  drop: ofInput,
  rename: ofInput,
  extend: ofInput,
  window: ofInput,
  apply: ofInput,
  'limit-by': ofInput,
}

function ofInput({ input }: { readonly input: LogicalPlan }): boolean {
  return isBounded(input)
}

function isBounded(plan: LogicalPlan): boolean {
  return byKind(bounded, plan)
}

export const noLimit: Lint = {
  name: 'no-limit',
  summary: 'A query for rows ends with a limit.',
  *check({ plan }) {
    if (!isBounded(plan)) yield lintDiagnostic('no-limit', {}, plan.origin)
  },
}
