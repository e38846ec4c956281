import type { JsonPath } from '../../base/index.ts'
import { conjunction, disjunction, literal, type Expr } from '../../plan/index.ts'
import { hasContent, type FilterGroup } from '../../wire/index.ts'
import { lowerCondition } from './condition.ts'
import { origin, type JsonLowering } from './context.ts'

/**
 * Lowers a filter group: joins its conditions and subgroups by its operator. A disabled or empty group is always true,
 * but adds no operand to an enclosing group.
 */
export function lowerFilterGroup(group: FilterGroup | undefined, path: JsonPath, context: JsonLowering): Expr {
  const at = origin(path)
  if (group === undefined || group.disabled === true || !hasContent(group)) return literal(true, at)
  const operands: Expr[] = []
  group.conditions?.forEach((condition, i) => {
    if ((condition.filters ?? []).length > 0)
      operands.push(lowerCondition(condition, [...path, 'conditions', i], context))
  })
  group.groups?.forEach((inner, i) => {
    if (inner.disabled !== true && hasContent(inner)) {
      operands.push(lowerFilterGroup(inner, [...path, 'groups', i], context))
    }
  })
  if (operands.length === 0) return literal(true, at)
  return group.operator === 'or' ? disjunction(operands, at) : conjunction(operands, at)
}
