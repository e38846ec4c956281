import { span, type Span } from '../../../base/index.ts'
import type { Operator } from '../../kit/index.ts'
import type * as ast from '../ast.ts'
import { checkMetricOperand } from '../check.ts'
import { traceqlDiagnostic } from '../diagnostics.ts'
import { spansOf, type PipelinePart, type StagePosition, type Scalar } from './parts.ts'
import type { TraceqlSession } from './session.ts'

const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>='])
const METRIC_OPERATORS: ReadonlySet<string> = new Set(['+', '-', '*', '/'])

function isScalar(part: PipelinePart): boolean {
  return part.kind === 'scalar' || part.kind === 'scalar-pipeline'
}

/** True if an operator after a part compares two scalars. After spans, `<` and `>` are relations. */
export function comparesScalars(op: string, lhs: PipelinePart): boolean {
  return isScalar(lhs) && COMPARISONS.has(op)
}

/** Returns a part of the kind that a chain has with one more operand. Operators are ordered by precedence later. */
export function kindOfChain(chain: PipelinePart, operand: PipelinePart): PipelinePart {
  if (chain.kind !== 'scalar') return isScalar(chain) || operand.kind === 'metric' ? operand : chain
  if (operand.kind !== 'scalar') return operand
  const number = chain.number === undefined ? undefined : operand.number
  return { kind: 'scalar', aggregate: undefined, literal: undefined, number, span: operand.span }
}

/** Returns a constant 0 that takes the place of a missing one. */
function zeroAt(where: Span): ast.Literal {
  return { kind: 'literal', literal: { type: 'int', value: 0n }, span: where }
}

function comparison(
  op: ast.CompareOp,
  lhs: PipelinePart,
  rhs: PipelinePart,
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

function metricOf(part: PipelinePart): ast.MetricExpr | undefined {
  if (part.kind === 'metric') return part.expr
  return part.kind === 'scalar' ? part.number : undefined
}

/** Combines two parts by an arithmetic operator. */
function arithmetic(
  op: string,
  lhs: PipelinePart,
  rhs: PipelinePart,
  where: Span,
  session: TraceqlSession,
): PipelinePart {
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

/** Combines two parts by an operator. */
export function joinParts(
  { text: op }: Operator,
  lhs: PipelinePart,
  rhs: PipelinePart,
  session: TraceqlSession,
): PipelinePart {
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

/** Returns a part in parentheses, given the place of the parentheses. */
export function wrapPart(part: PipelinePart, position: StagePosition, where: Span): PipelinePart {
  switch (part.kind) {
    case 'spans':
      return { ...part, kind: position === 'pipelines' ? 'pipelines' : 'spans', span: where }
    case 'pipeline':
      return { kind: 'pipelines', expr: spansOf(part), span: where }
    case 'scalar-pipeline':
    case 'metric':
      return { ...part, isWrapped: true, span: where }
    case 'pipelines':
    case 'scalar':
      return { ...part, span: where }
  }
}

/** Returns the part for an aggregate or a number. */
export function scalarPart(where: Span, known: Partial<Scalar>): PipelinePart {
  return { kind: 'scalar', aggregate: undefined, literal: undefined, number: undefined, ...known, span: where }
}
