import { span, type Span } from '../../../base/index.ts'
import type { Operator } from '../../kit/index.ts'
import type * as ast from '../ast.ts'
import { checkMetricOperand } from '../check.ts'
import { traceqlDiagnostic } from '../diagnostics.ts'
import { spansOf, type PipelineFragment, type StagePosition, type Scalar } from './parts.ts'
import type { TraceqlSession } from './session.ts'

const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>='])
const METRIC_OPERATORS: ReadonlySet<string> = new Set(['+', '-', '*', '/'])

function isScalar(fragment: PipelineFragment): boolean {
  return fragment.kind === 'scalar' || fragment.kind === 'scalar-pipeline'
}

/** True if an operator after a fragment compares two scalars. After spans, `<` and `>` are relations between spans. */
export function comparesScalars(op: string, lhs: PipelineFragment): boolean {
  return isScalar(lhs) && COMPARISONS.has(op)
}

/**
 * Returns a fragment of the kind that a chain has after one more operand. The operators are ordered by precedence
 * later.
 */
export function kindOfChain(chain: PipelineFragment, operand: PipelineFragment): PipelineFragment {
  if (chain.kind !== 'scalar') return isScalar(chain) || operand.kind === 'metric' ? operand : chain
  if (operand.kind !== 'scalar') return operand
  const number = chain.number === undefined ? undefined : operand.number
  return { kind: 'scalar', aggregate: undefined, literal: undefined, number, span: operand.span }
}

/** Returns a constant 0 at the position of a missing constant. */
function zeroAt(where: Span): ast.Literal {
  return { kind: 'literal', literal: { type: 'int', value: 0n }, span: where }
}

function comparison(
  op: ast.CompareOp,
  lhs: PipelineFragment,
  rhs: PipelineFragment,
  where: Span,
  session: TraceqlSession,
): ast.AggregateStage {
  const aggregate = lhs.kind === 'scalar' ? lhs.aggregate : undefined
  const value = rhs.kind === 'scalar' ? rhs.literal : undefined
  if (aggregate === undefined) session.reportMeaning(traceqlDiagnostic('scalar-side', { side: 'lhs' }, lhs.span))
  else if (value === undefined) session.reportMeaning(traceqlDiagnostic('scalar-side', { side: 'rhs' }, rhs.span))
  return {
    kind: 'aggregate',
    aggregate: aggregate?.aggregate ?? 'count',
    argument: aggregate?.argument,
    op,
    value: value ?? zeroAt(rhs.span),
    span: where,
  }
}

function metricOf(fragment: PipelineFragment): ast.MetricExpr | undefined {
  if (fragment.kind === 'metric') return fragment.expr
  return fragment.kind === 'scalar' ? fragment.number : undefined
}

/** Combines two fragments by an arithmetic operator. */
function arithmetic(
  op: string,
  lhs: PipelineFragment,
  rhs: PipelineFragment,
  where: Span,
  session: TraceqlSession,
): PipelineFragment {
  if (lhs.kind === 'scalar-pipeline') return { ...lhs, span: where }
  const [left, right] = [metricOf(lhs), metricOf(rhs)]
  const expr: ast.MetricArithmetic | undefined =
    left === undefined || right === undefined || !METRIC_OPERATORS.has(op)
      ? undefined
      : { kind: 'arithmetic', op: op as ast.MetricArithmetic['op'], lhs: left, rhs: right, stages: [], span: where }
  if (expr === undefined || (isScalar(lhs) && isScalar(rhs))) {
    return { kind: 'scalar', aggregate: undefined, literal: undefined, number: expr, span: where }
  }
  for (const side of [expr.lhs, expr.rhs]) checkMetricOperand(side, session)
  return { kind: 'metric', expr, isWrapped: true, span: where }
}

/** Combines two fragments by an operator. */
export function joinFragments(
  { text: op }: Operator,
  lhs: PipelineFragment,
  rhs: PipelineFragment,
  session: TraceqlSession,
): PipelineFragment {
  const where = span(lhs.span.start, rhs.span.end)
  if (lhs.kind === 'spans' || lhs.kind === 'pipelines') {
    const [left, right] = [spansOf(lhs), spansOf(rhs)]
    const expr: ast.SpanOperation = { kind: 'operation', op: op as ast.SpanOp, lhs: left, rhs: right, span: where }
    return { kind: lhs.kind, expr, span: where }
  }
  if (!comparesScalars(op, lhs)) return arithmetic(op, lhs, rhs, where, session)
  const stages = [comparison(op as ast.CompareOp, lhs, rhs, where, session)]
  return { kind: 'pipeline', input: undefined, stages, span: where }
}

/** Returns a fragment in parentheses, given the position of the parentheses. */
export function wrapFragment(fragment: PipelineFragment, position: StagePosition, where: Span): PipelineFragment {
  switch (fragment.kind) {
    case 'spans':
      return { ...fragment, kind: position === 'pipelines' ? 'pipelines' : 'spans', span: where }
    case 'pipeline':
      return { kind: 'pipelines', expr: spansOf(fragment), span: where }
    case 'scalar-pipeline':
    case 'metric':
      return { ...fragment, isWrapped: true, span: where }
    case 'pipelines':
    case 'scalar':
      return { ...fragment, span: where }
  }
}

/** Returns the fragment for an aggregate or a number. */
export function scalarPart(where: Span, known: Partial<Scalar>): PipelineFragment {
  return { kind: 'scalar', aggregate: undefined, literal: undefined, number: undefined, ...known, span: where }
}
