import { derived } from '../../base/index.ts'
import { isSameSchema } from '../../data/index.ts'
import {
  and,
  inputs,
  literal,
  mapInputs,
  or,
  propertiesOf,
  schemaOf,
  type Expr,
  type LogicalPlan,
  type Scan,
  type Union,
} from '../../plan/index.ts'
import { isFalse, isRepeatable, structureKey } from '../conjuncts.ts'
import { ignoresOrder } from '../order.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { simplifyExpr } from '../simplify.ts'

/** A branch of a union that processes each row of one scan independently. */
interface Branch {
  readonly plan: LogicalPlan
  readonly predicate: Expr
  /** Key that is equal for branches that differ only in the conditions of their scans. */
  readonly key: string
}

function withScan(plan: LogicalPlan, change: (scan: Scan) => Scan): LogicalPlan {
  return plan.kind === 'scan' ? change(plan) : mapInputs(plan, (input) => withScan(input, change))
}

function branchOf(plan: LogicalPlan, { functions }: RuleContext): Branch | undefined {
  let node = plan
  while (node.kind !== 'scan') {
    const [input] = inputs(node)
    if (!propertiesOf(node).isRowWise || input === undefined) return undefined
    node = input
  }
  const { predicate = literal(true, node.origin) } = node
  if (!isRepeatable(predicate, functions)) return undefined
  const bare = withScan(plan, (scan) => ({ ...scan, predicate: undefined }))
  return { plan, predicate, key: structureKey(bare) }
}

/** True if no row can match both conditions. */
function areApart(a: Expr, b: Expr, { functions }: RuleContext): boolean {
  return isFalse(simplifyExpr(and([a, b]), functions))
}

/** Maximum number of branches that are merged into one scan, since conditions are compared pairwise. */
const MAX_BRANCHES = 32

function canJoin(branch: Branch, group: readonly Branch[], context: RuleContext): boolean {
  return group.length < MAX_BRANCHES && group.every(({ predicate }) => areApart(predicate, branch.predicate, context))
}

function merged(branches: readonly [Branch, ...Branch[]]): LogicalPlan {
  const [{ plan }] = branches
  if (branches.length === 1) return plan
  const predicates = branches.map(({ predicate }) => predicate)
  const origin = derived(
    'merge-branches',
    predicates.map((predicate) => predicate.origin),
  )
  return withScan(plan, (scan) => ({ ...scan, predicate: or(predicates, origin) }))
}

/** Returns the inputs of a union, with nested unions flattened. */
function leavesOf(plan: Union, leaves: LogicalPlan[] = []): readonly LogicalPlan[] {
  for (const input of plan.inputsList) {
    if (input.kind === 'union') leavesOf(input, leaves)
    else leaves.push(input)
  }
  return leaves
}

/** Merges inputs so that they need fewer scans. The order of the result is arbitrary. */
function fewer(leaves: readonly LogicalPlan[], context: RuleContext): readonly LogicalPlan[] {
  const others: LogicalPlan[] = []
  const groups: [Branch, ...Branch[]][] = []
  const latest = new Map<string, [Branch, ...Branch[]]>()
  for (const leaf of leaves) {
    const branch = branchOf(leaf, context)
    if (branch === undefined) {
      others.push(leaf)
      continue
    }
    const group = latest.get(branch.key)
    if (group !== undefined && canJoin(branch, group, context)) {
      group.push(branch)
      continue
    }
    const made: [Branch] = [branch]
    groups.push(made)
    latest.set(branch.key, made)
  }
  return groups.length + others.length === leaves.length ? leaves : [...groups.map(merged), ...others]
}

/** Rewrites the input of a node whose result does not depend on row order, below nodes that process rows one by one. */
function unordered(plan: LogicalPlan, context: RuleContext): LogicalPlan {
  if (plan.kind === 'union') {
    const leaves = leavesOf(plan)
    const inputsList = fewer(leaves, context).map((input) => unordered(input, context))
    const next: Union = { ...plan, inputsList }
    const isKept = inputsList.length === leaves.length && inputsList.every((input, i) => input === leaves[i])
    return isKept || !isSameSchema(schemaOf(next), schemaOf(plan)) ? plan : next
  }
  return propertiesOf(plan).isRowWise ? mapInputs(plan, (input) => unordered(input, context)) : plan
}

/**
 * Merges branches over one table into one scan. Branches that may match the same row are not merged, since such a row
 * must occur twice.
 */
export const mergeBranches: Rule = {
  name: 'merge-branches',
  summary:
    'Below groups whose results do not depend on the order of rows, branches with other conditions on one table are one scan.',
  examples: {
    changes: 'level:error | union (level:warn) | stats by (pod) count() as n',
    leaves: 'level:error | union (status:500) | stats by (pod) count() as n',
  },
  direction: 'down',
  apply: (plan, context) =>
    ignoresOrder(plan, context.functions) ? mapInputs(plan, (input) => unordered(input, context)) : plan,
}
