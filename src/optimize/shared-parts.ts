import type { FunctionDefinitions } from '../functions/index.ts'
import { byKind, expressions, inputs, type ByKind, type LogicalPlan, type Scan } from '../plan/index.ts'
import { isRepeatable } from './conjuncts.ts'

/** For each kind of node, whether its work is worth sharing. Filtering rows or renaming fields costs almost nothing. */
const isWork: ByKind<boolean, [isScanWork: (scan: Scan) => boolean]> = {
  scan: (node, isScanWork) => isScanWork(node),
  values: () => false,
  filter: () => false,
  project: () => false,
  drop: () => false,
  rename: () => false,
  limit: () => false,
  union: () => false,
  extend: () => true,
  aggregate: () => true,
  sort: () => true,
  'limit-by': () => true,
  distinct: () => true,
  join: () => true,
  sample: () => true,
  window: () => true,
  apply: () => true,
  'table-apply': () => true,
}

const none: ReadonlyMap<LogicalPlan, number> = new Map()

/**
 * Returns the shared subplans of a plan with the number of their readers. A shared subplan is one object at several
 * positions, returns the same rows each time, and is costly enough to be computed only once.
 */
export function sharedSubplans(
  plan: LogicalPlan,
  functions: FunctionDefinitions,
  /** Returns true if the table computes or fetches its rows again for each scan. */
  isScanWork: (scan: Scan) => boolean,
): ReadonlyMap<LogicalPlan, number> {
  const readers = new Map<LogicalPlan, number>()
  let isAny = false
  const count = (node: LogicalPlan): void => {
    const known = readers.get(node) ?? 0
    readers.set(node, known + 1)
    if (known > 0) isAny = true
    else for (const input of inputs(node)) count(input)
  }
  count(plan)
  if (!isAny) return none
  const judged = new Map<LogicalPlan, { readonly isSame: boolean; readonly isWork: boolean }>()
  const judge = (node: LogicalPlan): { readonly isSame: boolean; readonly isWork: boolean } => {
    const known = judged.get(node)
    if (known !== undefined) return known
    const below = inputs(node).map(judge)
    const isPhysical = node.kind === 'table-apply' && functions.tables.get(node.fn)?.physical !== undefined
    const found = {
      isSame:
        !isPhysical &&
        below.every(({ isSame }) => isSame) &&
        expressions(node).every((e) => isRepeatable(e, functions)),
      isWork: byKind(isWork, node, isScanWork) || below.some((each) => each.isWork),
    }
    judged.set(node, found)
    return found
  }
  return new Map(
    [...readers].filter(([node, readCount]) => {
      if (readCount === 1) return false
      const { isSame, isWork: isWorth } = judge(node)
      return isSame && isWorth
    }),
  )
}
