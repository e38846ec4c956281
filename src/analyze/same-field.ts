import { derived } from '../base/index.ts'
import { conjunction, disjunction, plainName, type Expr, type FieldFilter } from '../plan/index.ts'

/** One operand of a level: what it was bound to, and the field it is an alternative for, if it is one. */
export interface Operand {
  readonly expr: Expr
  readonly field: string | undefined
}

/** Whether a filter lets further ones on its field join it in an OR (ruling L9). */
function isAlternative(filter: FieldFilter): boolean {
  // Bare words and patterns search the text field together; only a written field makes alternatives.
  return filter.request.kind === 'test' ? filter.request.isAlternative : true
}

/** The name under which an unbound operand is grouped, as written; `undefined` when it never is. */
export function alternativeField(expr: Expr): string | undefined {
  if (expr.kind === 'field-filter') {
    return expr.field !== undefined && isAlternative(expr) ? plainName(expr.field) : undefined
  }
  if (expr.kind === 'in-subquery' && expr.mode === 'in' && expr.arg.kind === 'column') return expr.arg.name
  return undefined
}

/** The AND of a level, in which alternatives for one field are OR-ed where the first of them stands. */
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
