import { derived } from '../base/index.ts'
import { conjunction, disjunction, plainName, type Expr, type FieldFilter } from '../plan/index.ts'

/** A bound operand of an AND. `field` is set if the operand is one of several alternatives for that field. */
export interface Operand {
  readonly expr: Expr
  readonly field: string | undefined
}

/** True if the filter is joined by OR with the other filters on its field (ruling L9). */
function isAlternative(filter: FieldFilter): boolean {
  // Only filters that name their field are alternatives. Bare words and patterns search the text field, where all must
  // match.
  return filter.request.kind === 'test' ? filter.request.isAlternative : true
}

/**
 * Returns the field, as written, by which an unbound operand is grouped with its alternatives; `undefined` if it is not
 * grouped.
 */
export function alternativeField(expr: Expr): string | undefined {
  if (expr.kind === 'field-filter') {
    return expr.field !== undefined && isAlternative(expr) ? plainName(expr.field) : undefined
  }
  if (expr.kind === 'in-subquery' && expr.mode === 'in' && expr.arg.kind === 'column') return expr.arg.name
  return undefined
}

/** Returns the AND of all operands. Alternatives for one field become an OR at the position of the first one. */
export function joinSameField(operands: readonly Operand[], origin: Expr['origin']): Expr {
  const groups = new Map<string, Expr[]>()
  const parts: Expr[][] = []
  for (const { expr, field } of operands) {
    const group = field === undefined ? undefined : groups.get(field)
    if (group !== undefined) {
      group.push(expr)
      continue
    }
    const part = [expr]
    parts.push(part)
    if (field !== undefined) groups.set(field, part)
  }
  const args = parts.map((part) =>
    disjunction(
      part,
      derived(
        'same-field',
        part.map((expr) => expr.origin),
      ),
    ),
  )
  return conjunction(args, origin)
}
