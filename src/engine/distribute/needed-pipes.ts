import { FieldSet } from '../../optimize/index.ts'
import { matchesField, plainName, printFieldPattern, type FieldPattern } from '../../plan/index.ts'

/** A pipe that keeps or drops fields, as it is written in a query. */
export interface FieldsStep {
  readonly kind: 'fields' | 'delete'
  readonly fields: readonly FieldPattern[]
}

function byName(patterns: readonly FieldPattern[]): readonly FieldPattern[] {
  const text = printFieldPattern
  return patterns.toSorted((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0))
}

/** The pipes behind which rows have the fields of a set and no others; none for all fields. */
export function neededPipes(needs: FieldSet): readonly FieldsStep[] {
  const allowed = byName(needs.allowed)
  const denied = byName(needs.denied)
  if (allowed.length === 0) return [{ kind: 'delete', fields: [{ parts: ['', ''] }] }]
  const drop: readonly FieldsStep[] = denied.length === 0 ? [] : [{ kind: 'delete', fields: denied }]
  const isAll = allowed.some((pattern) => plainName(pattern) === undefined && matchesField(pattern, ''))
  return isAll ? drop : [...drop, { kind: 'fields', fields: allowed }]
}
