import type { Labels } from '../../data/index.ts'
import type { LabelPredicate } from '../../plan/index.ts'
import type { DataScope } from '../../policy/index.ts'
import { compilePredicate } from '../../store/index.ts'
import { narrowedScope } from './label-scope.ts'

/** True if the labels include every label that a predicate tests. */
function hasAllLabels(predicate: LabelPredicate, labels: Labels): boolean {
  if (predicate.kind === 'matcher') return labels.has(predicate.matcher.label)
  return predicate.args.every((arg) => hasAllLabels(arg, labels))
}

/**
 * Returns a test for the label sets that a caller may see, for rows in these tables. A label set must satisfy the scope
 * of each table. A label set that lacks a label tested by a scope is not visible (M64).
 */
export function labelVisibility(scope: DataScope | undefined, tables: readonly string[]): (labels: Labels) => boolean {
  if (scope === undefined) return () => true
  const predicates = tables.flatMap((table) => {
    const expr = scope(table)
    return expr === undefined ? [] : [narrowedScope(expr)]
  })
  const tests = predicates.map((predicate) => ({ predicate, holds: compilePredicate(predicate) }))
  return (labels) => tests.every(({ predicate, holds }) => hasAllLabels(predicate, labels) && holds(labels))
}
