import { scansOf } from '../../analyze/index.ts'
import { byKind, type ByKind, type LogicalPlan } from '../../plan/index.ts'
import { lintDiagnostic } from '../lint-diagnostics.ts'
import type { Lint, LintContext } from '../lint.ts'

/** For each kind of node: true if the query itself bounds the number of rows, whatever the data. */
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

/** Assumed selectivity: a filter passes one of this many rows. */
const ROWS_PER_MATCH = 10

/** Returns the estimated number of rows that the scans return; 0 if unknown. */
function answerRows(plan: LogicalPlan, rowsIn: NonNullable<LintContext['rowsIn']>): number {
  return scansOf(plan).reduce((sum, { table, range, predicate }) => {
    const rows = rowsIn(table, range) ?? 0
    return sum + (predicate === undefined ? rows : rows / ROWS_PER_MATCH)
  }, 0)
}

export const noLimit: Lint = {
  name: 'no-limit',
  summary: 'A query for rows ends with a limit.',
  *check({ plan, optimized }, { rowsIn, manyRows }) {
    const isLarge = rowsIn === undefined || answerRows(optimized, rowsIn) > manyRows
    if (isLarge && !isBounded(plan)) yield lintDiagnostic('no-limit', {}, plan.origin)
  },
}
