import { oncePer, derived, type Origin } from '../base/index.ts'
import { Instant, JsonText } from '../data/index.ts'
import type { FunctionDefinitions } from '../functions/index.ts'
import { columnsOf, conjunction, literal, rewriteExpr, visitExpr, type Expr, type LogicalPlan } from '../plan/index.ts'

/** Returns the conjuncts of a predicate (operands of its AND); nested ANDs are flattened. */
export function conjuncts(predicate: Expr): readonly Expr[] {
  return predicate.kind === 'and' ? predicate.args.flatMap(conjuncts) : [predicate]
}

/** Returns the AND of all parts. Its origin states the optimizer rule `by` that made it. */
export function allOf(args: readonly Expr[], by: string): Expr {
  return conjunction(
    args,
    derived(
      by,
      args.map((conjunct) => conjunct.origin),
    ),
  )
}

export function isTrue(expr: Expr): boolean {
  return expr.kind === 'literal' && expr.value === true
}

/** True if the expression is a literal that counts as false in a predicate, that is, any literal but `true`. */
export function isFalse(expr: Expr): boolean {
  return expr.kind === 'literal' && expr.value !== true
}

/** True if the expression is always `true` or `false`, never missing. */
export function isBoolean(expr: Expr): boolean {
  switch (expr.kind) {
    case 'and':
    case 'or':
    case 'not':
    case 'test':
    case 'any-field':
    case 'in-subquery':
      return true
    case 'literal':
      return typeof expr.value === 'boolean'
    default:
      return false
  }
}

/** True if repeated evaluation on one row within one query always gives the same value. */
export function isRepeatable(expr: Expr, { scalar }: FunctionDefinitions): boolean {
  let isSame = true
  visitExpr(expr, (e) => {
    if (e.kind === 'call' && scalar.get(e.name)?.volatility === 'per-row') isSame = false
  })
  return isSame
}

/**
 * Returns the number that replaces an object in a key; `undefined` if the object's own structure is part of the key.
 */
type Stand = (value: object) => number | undefined

function tagged(value: unknown, stand?: Stand): unknown {
  switch (typeof value) {
    case 'bigint':
      return { bigint: String(value) }
    case 'number':
      return Number.isFinite(value) ? value : { number: String(value) }
    case 'object':
      break
    default:
      return value
  }
  if (value === null) return null
  const number = stand?.(value)
  if (number !== undefined) return { conjunct: number }
  if (value instanceof Instant) return { instant: String(value.ns) }
  if (value instanceof JsonText) return { json: value.json }
  if (value instanceof Map) return { map: [...value].map((entry) => tagged(entry, stand)) }
  if (Array.isArray(value)) return value.map((each) => tagged(each, stand))
  return Object.entries(value)
    .filter(([name, member]) => name !== 'origin' && member !== undefined)
    .map(([name, member]) => [name, tagged(member, stand)])
}

/**
 * Returns the structure of an expression or plan as a string. Two strings are equal if and only if the nodes,
 * subqueries included, are equal apart from their origins.
 */
export const structureKey: (node: Expr | LogicalPlan) => string = oncePer((node) => JSON.stringify(tagged(node)))

/**
 * Returns a key of one plan node in which numbers represent the inputs. Two keys are equal if and only if the nodes and
 * the numbers of their inputs are equal.
 */
export function keyOfNode(node: LogicalPlan, numberOf: Stand): string {
  return JSON.stringify(tagged(node, (value) => (value === node ? undefined : numberOf(value))))
}

/**
 * Replaces columns by expressions. Returns `undefined` if the expression reads fields by pattern, or if `replace`
 * returns `undefined` for a column.
 */
export function substitute(expr: Expr, replace: (name: string, origin: Origin) => Expr | undefined): Expr | undefined {
  const names = columnsOf(expr)
  if (names === undefined) return undefined
  let isPossible = true
  const result = rewriteExpr(expr, (e) => {
    if (e.kind !== 'column') return e
    const next = replace(e.name, e.origin)
    if (next === undefined) {
      isPossible = false
      return e
    }
    return next.kind === 'column' && next.name === e.name ? e : next
  })
  return isPossible ? result : undefined
}

/** Returns a missing value, which is the value of a column that no row can have. */
export function missing(origin: Origin): Expr {
  return literal(null, origin)
}
