import { parseInterval } from './processor.ts'
import type { JsonPath } from '../../base/index.ts'
import { fieldPattern, rewriteUp, type Expr, type LogicalPlan, type SortKey } from '../../plan/index.ts'
import type { FilterGroup, Pipeline } from '../../wire/index.ts'
import { hasContent } from '../../wire/index.ts'
import { origin, type JsonLowering } from './context.ts'
import { jsonDiagnostic } from './diagnostics.ts'
import { lowerFilterGroup } from './filter-group.ts'
import { lowerJoin, lowerUnion } from './join.ts'
import { aliasOf } from './order.ts'
import { lowerMathExpression } from './math-expression.ts'
import { lowerSelector } from './processor.ts'
import { lowerSelection } from './select.ts'
import { lowerTransform } from './transforms.ts'

function filtered(
  input: LogicalPlan,
  group: FilterGroup | undefined,
  path: JsonPath,
  context: JsonLowering,
): LogicalPlan {
  if (group === undefined || group.disabled === true || !hasContent(group)) return input
  return { kind: 'filter', input, predicate: lowerFilterGroup(group, path, context), origin: origin(path) }
}

function lowerSource(pipeline: Pipeline, path: JsonPath, context: JsonLowering): LogicalPlan {
  const given = (['from', 'join', 'union'] as const).filter((member) => pipeline[member] !== undefined)
  if (given.length > 1) context.diagnostics.push(jsonDiagnostic('two-sources', { members: given }, origin(path)))
  const inner = (nested: Pipeline, at: JsonPath): LogicalPlan =>
    lowerPipeline({ domain: pipeline.domain, ...nested }, at, context)
  if (pipeline.join !== undefined) return lowerJoin(pipeline.join, [...path, 'join'], inner, context)
  if (pipeline.union !== undefined) return lowerUnion(pipeline.union, [...path, 'union'], inner, context)
  if (pipeline.from !== undefined) return inner(pipeline.from, [...path, 'from'])
  return context.source(pipeline.domain, origin([...path, 'domain']))
}

function shifted(input: LogicalPlan, pipeline: Pipeline, path: JsonPath, context: JsonLowering): LogicalPlan {
  if (pipeline.timeOffset === undefined) return input
  const shiftNs = parseInterval(pipeline.timeOffset)
  if (shiftNs === undefined) {
    context.diagnostics.push(
      jsonDiagnostic('bad-offset', { text: pipeline.timeOffset }, origin([...path, 'timeOffset'])),
    )
    return input
  }
  return rewriteUp(input, (node) =>
    node.kind === 'scan' ? { ...node, rangeShiftNs: (node.rangeShiftNs ?? 0n) + shiftNs } : node,
  )
}

function computed(input: LogicalPlan, pipeline: Pipeline, path: JsonPath, context: JsonLowering): LogicalPlan {
  const items = pipeline.mathExpression ?? []
  if (items.length === 0) return input
  const at = origin([...path, 'mathExpression'])
  const assignments = items.map((item, i) => lowerMathExpression(item, [...path, 'mathExpression', i], context))
  // Assigning a column to its own name changes nothing, so no assignment is needed.
  const changes = assignments.filter(({ name, expr }) => expr.kind !== 'column' || expr.name !== name)
  const extended: LogicalPlan =
    changes.length === 0 ? input : { kind: 'extend', input, assignments: changes, origin: at }
  const dropsOthers = items.every((item) => item.keepExisting === false)
  return dropsOthers
    ? { kind: 'project', input: extended, fields: assignments.map((a) => fieldPattern(a.name)), origin: at }
    : extended
}

function sortKeys(pipeline: Pipeline, path: JsonPath, context: JsonLowering): SortKey[] {
  return (pipeline.orderBy ?? []).map((item, i) => {
    const where: JsonPath = [...path, 'orderBy', i, 'selector']
    const { selector } = item
    const alias = aliasOf(pipeline, selector)
    const expr: Expr =
      alias === undefined
        ? lowerSelector(selector ?? {}, where, context).input
        : { kind: 'column', name: alias, origin: origin(where) }
    return { expr, direction: item.direction ?? 'asc' }
  })
}

/**
 * Lowers a pipeline to a plan whose names are not yet resolved. Members run in this order: source, transforms, filters,
 * sample, selectors with `groupBy`, math, `having`, `except`, `orderBy`, `limitBy`, `offset` and `limit`.
 */
export function lowerPipeline(pipeline: Pipeline, path: JsonPath, context: JsonLowering): LogicalPlan {
  const at = origin(path)
  let plan = shifted(lowerSource(pipeline, path, context), pipeline, path, context)
  pipeline.transforms?.forEach((transform, i) => {
    plan = lowerTransform(plan, transform, [...path, 'transforms', i], context)
  })
  plan = filtered(plan, pipeline.filters, [...path, 'filters'], context)
  if (pipeline.sample !== undefined)
    plan = { kind: 'sample', input: plan, mode: 'rows', n: pipeline.sample, origin: at }
  plan = lowerSelection(plan, pipeline, path, context)
  plan = computed(plan, pipeline, path, context)
  plan = filtered(plan, pipeline.having, [...path, 'having'], context)
  if ((pipeline.except?.length ?? 0) > 0) {
    const fields = (pipeline.except ?? []).map((s) => fieldPattern(s.alias ?? s.key ?? ''))
    plan = { kind: 'drop', input: plan, fields, origin: origin([...path, 'except']) }
  }
  const keys = sortKeys(pipeline, path, context)
  if (keys.length > 0) {
    plan = {
      kind: 'sort',
      input: plan,
      keys,
      offset: 0,
      limit: undefined,
      partitionBy: [],
      rankName: undefined,
      origin: origin([...path, 'orderBy']),
    }
  }
  if (pipeline.limitBy?.limit !== undefined) {
    const by = (pipeline.limitBy.selectors ?? []).map(
      (s, i) => lowerSelector(s, [...path, 'limitBy', 'selectors', i], context).input,
    )
    plan = {
      kind: 'limit-by',
      input: plan,
      keys: by,
      offset: pipeline.limitBy.offset ?? 0,
      limit: pipeline.limitBy.limit,
      origin: origin([...path, 'limitBy']),
    }
  }
  if (pipeline.limit !== undefined || (pipeline.offset ?? 0) > 0) {
    plan = { kind: 'limit', input: plan, offset: pipeline.offset ?? 0, limit: pipeline.limit, origin: at }
  }
  return plan
}
