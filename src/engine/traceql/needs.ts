import type { FieldExpr, FieldRef, IntrinsicName, SpanExpr, Stage } from '../../lang/traceql/index.ts'
import { isRootTest } from './prefilter.ts'

/** Intrinsics whose value depends on other spans of the same trace. */
const ofTrace: ReadonlySet<IntrinsicName> = new Set([
  'rootName',
  'rootServiceName',
  'traceDuration',
  'span:childCount',
  'nestedSetLeft',
  'nestedSetRight',
  'nestedSetParent',
])

export function fieldNeedsTrace(field: FieldRef): boolean {
  return field.kind === 'intrinsic' && ofTrace.has(field.name)
}

function conditionNeedsTrace(expr: FieldExpr): boolean {
  switch (expr.kind) {
    case 'attribute':
    case 'intrinsic':
      return fieldNeedsTrace(expr)
    case 'literal':
      return false
    case 'unary':
      return conditionNeedsTrace(expr.arg)
    case 'binary': {
      const { lhs, rhs, op } = expr
      const isOfRoots =
        lhs.kind === 'intrinsic' &&
        lhs.name === 'nestedSetParent' &&
        rhs.kind === 'literal' &&
        isRootTest(op, rhs.literal)
      return !isOfRoots && (conditionNeedsTrace(lhs) || conditionNeedsTrace(rhs))
    }
  }
}

function stageNeedsTrace(stage: Stage): boolean {
  switch (stage.kind) {
    case 'filter-stage':
      return needsTrace(stage.spans)
    case 'select':
      return stage.fields.some(fieldNeedsTrace)
    case 'by':
      return conditionNeedsTrace(stage.key)
    case 'coalesce':
      return false
    case 'aggregate':
      return true
  }
}

/** True if the result of the expression for a span can depend on other spans of its trace. */
export function needsTrace(expr: SpanExpr): boolean {
  switch (expr.kind) {
    case 'filter':
      return expr.condition !== undefined && conditionNeedsTrace(expr.condition)
    case 'operation':
      return expr.op !== '||' || needsTrace(expr.lhs) || needsTrace(expr.rhs)
    case 'pipeline':
      return needsTrace(expr.input) || expr.stages.some(stageNeedsTrace)
  }
}
