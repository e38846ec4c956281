import { oncePer } from '../../../base/index.ts'
import {
  column,
  columnsOf,
  inputs,
  plainName,
  propertiesOf,
  type Expr,
  type Extend,
  type LogicalPlan,
  type Rename,
} from '../../../plan/index.ts'
import { missing, substitute } from '../../conjuncts.ts'
import { fieldMatcher } from '../../field-set.ts'
import type { Through } from './through.ts'

export const throughProject: Through<'project'> = (conjunct, node) => {
  const isKept = fieldMatcher(node.fields)
  const below = substitute(conjunct, (name, origin) => (isKept(name) ? column(name, origin) : missing(origin)))
  return below === undefined ? undefined : [below]
}

export const throughDrop: Through<'drop'> = (conjunct, node) => {
  const isDropped = fieldMatcher(node.fields)
  const below = substitute(conjunct, (name, origin) => (isDropped(name) ? missing(origin) : column(name, origin)))
  return below === undefined ? undefined : [below]
}

/**
 * Returns, for each output name of a rename, its input field, or `null` for a name that no row has. Returns `null` for
 * the whole rename if a step renames by pattern.
 */
const renamedNames = oncePer((node: Rename): ReadonlyMap<string, string | null> | null => {
  const before = new Map<string, string | null>()
  const source = (name: string): string | null => before.get(name) ?? (before.has(name) ? null : name)
  let hasPattern = false
  for (const step of node.steps) {
    const from = plainName(step.from)
    const to = plainName(step.to)
    if (from === undefined || to === undefined) hasPattern = true
    else if (from !== to) {
      before.set(to, source(from))
      if (!node.isCopy) before.set(from, null)
    }
  }
  return hasPattern ? null : before
})

export const throughRename: Through<'rename'> = (conjunct, node) => {
  const names = renamedNames(node)
  const below = substitute(conjunct, (name, origin) => {
    const before = names?.has(name) === true ? names.get(name) : name
    return names === null || before === undefined
      ? undefined
      : before === null
        ? missing(origin)
        : column(before, origin)
  })
  return below === undefined ? undefined : [below]
}

/** True for expressions that are cheap enough to be computed twice. */
function isCheap(expr: Expr): boolean {
  return expr.kind === 'column' || expr.kind === 'literal'
}

/** Returns, for each field that a node makes, the input column or literal; `undefined` for a field that is computed. */
const fieldsMade = oncePer((node: Extend): ReadonlyMap<string, Expr | undefined> => {
  const made = new Map<string, Expr | undefined>()
  for (const { name, expr } of node.assignments) {
    const isEarlier = expr.kind === 'column' && made.has(expr.name)
    made.set(name, isEarlier ? made.get(expr.name) : isCheap(expr) ? expr : undefined)
  }
  return made
})

export const throughExtend: Through<'extend'> = (conjunct, node) => {
  const made = fieldsMade(node)
  // A read by pattern may match one of the fields made here.
  const below = substitute(conjunct, (name, origin) => (made.has(name) ? made.get(name) : column(name, origin)))
  return below === undefined ? undefined : [below]
}

/** True if the condition reads none of the names that a node may write. */
function readsNone(conjunct: Expr, isWritten: (name: string) => boolean): boolean {
  const names = columnsOf(conjunct)
  return names !== undefined && ![...names].some(isWritten)
}

export const throughApply: Through<'apply'> = (conjunct, node) =>
  readsNone(conjunct, fieldMatcher(node.use.writes)) ? [conjunct] : undefined

/** True if every row of a plan is a stored record or derived from one. */
function areRecords(plan: LogicalPlan): boolean {
  if (plan.kind === 'scan') return true
  const below = inputs(plan)
  const isOwn = propertiesOf(plan).touches === undefined && plan.kind !== 'join' && plan.kind !== 'union'
  return below.length > 0 && !isOwn && below.every(areRecords)
}

export const throughSample: Through<'sample'> = (conjunct, node) =>
  // A `one-in` sample depends only on each record itself. A sample of N rows depends on all rows, and rows that are not
  // records are chosen by position.
  node.mode === 'one-in' && areRecords(node.input) ? [conjunct] : undefined
