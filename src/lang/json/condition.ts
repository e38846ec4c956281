import { nearestNames, type JsonPath, type JsonValue } from '../../base/index.ts'
import { conjunction, disjunction, fieldPattern, literal, not, type Expr } from '../../plan/index.ts'
import type { Condition } from '../../wire/index.ts'
import { origin, type JsonLowering } from './context.ts'
import { jsonDiagnostic } from './diagnostics.ts'
import { listedTexts, takesLists } from './operators/definition.ts'
import { operatorNamed, operators, type OperatorDefinition } from './operators/index.ts'

/**
 * Returns the value to test. `in` reads a string that holds a JSON list as that list. On a `string_array` column, every
 * list operator reads such a string as its items plus the string itself, because the column may hold strings or JSON
 * lists.
 */
export function conditionValue(
  { type }: Condition,
  operator: OperatorDefinition,
  value: JsonValue | undefined,
): JsonValue | undefined {
  if (typeof value !== 'string' || !takesLists(operator)) return value
  const texts = listedTexts(value)
  if (texts === undefined) return value
  if (type === 'string_array') return [...texts, value]
  return operator.takesListText === true ? texts : value
}

/**
 * Lowers one condition to a predicate. Positive filters are joined by OR; negations and comparisons must all hold. A
 * condition without filters is always true.
 */
export function lowerCondition(condition: Condition, path: JsonPath, context: JsonLowering): Expr {
  const filters = condition.filters ?? []
  if (filters.length === 0) return literal(true, origin(path))
  const isFreeText = condition.type === 'freetext' || condition.key === undefined || condition.key === '*'
  if (condition.key === undefined && condition.type !== 'freetext') {
    context.diagnostics.push(jsonDiagnostic('missing-key', { where: 'A condition' }, origin(path)))
  }
  const alternatives: Expr[] = []
  const musts: Expr[] = []
  filters.forEach((filter, index) => {
    const at = origin([...path, 'filters', index])
    const operator = operatorNamed(filter.op ?? '')
    if (operator === undefined) {
      const name = filter.op ?? ''
      const known = operators.map((o) => o.name)
      context.diagnostics.push(
        jsonDiagnostic(
          'unknown-operator',
          { name, near: nearestNames(name, known), known },
          origin([...path, 'filters', index, 'op']),
        ),
      )
      return
    }
    const value = conditionValue(condition, operator, filter.value as JsonValue | undefined)
    const result = operator.request(value, isFreeText ? undefined : condition.key)
    if ('expected' in result) {
      const where = origin([...path, 'filters', index, 'value'])
      context.diagnostics.push(
        jsonDiagnostic('wrong-value', { operator: operator.name, expected: result.expected }, where),
      )
      return
    }
    const field = isFreeText ? undefined : fieldPattern(condition.key ?? '')
    const found: Expr = { kind: 'field-filter', field, request: result.request, origin: at }
    if (operator.isNegated) musts.push(not(found, at))
    else if (operator.joins === 'alternative') alternatives.push(found)
    else musts.push(found)
  })
  const at = origin(path)
  return conjunction(alternatives.length === 0 ? musts : [disjunction(alternatives, at), ...musts], at)
}

/** Lowers a list of conditions outside a filter group to one predicate: all conditions must hold. */
export function lowerConditions(
  conditions: readonly Condition[] | undefined,
  path: JsonPath,
  context: JsonLowering,
): Expr {
  return conjunction(
    (conditions ?? []).map((c, i) => lowerCondition(c, [...path, i], context)),
    origin(path),
  )
}
