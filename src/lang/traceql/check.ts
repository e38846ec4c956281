import { regexpFault, type Span } from '../../base/index.ts'
import type * as ast from './ast.ts'
import { traceqlDiagnostic } from './diagnostics.ts'
import { printAggregate, printTraceql } from './format.ts'
import type { TraceqlSession } from './parser/session.ts'
import { isArithmetic, isNumeric, readsSpan, typeOf, type FieldType } from './types.ts'

/**
 * The functions of this module check a node when it has been parsed: inner nodes first, which is also Tempo's order.
 */

/** Maximum number of values per attribute that `compare` may list. */
const MAX_COMPARED_VALUES = 1000

function typeIn(session: TraceqlSession, expr: ast.FieldExpr): FieldType {
  return session.faulty.has(expr) ? 'any' : typeOf(expr)
}

function isMatching(a: FieldType, b: FieldType): boolean {
  return a === 'any' || b === 'any' || a === b || (isNumeric(a) && isNumeric(b))
}

const ORDER: ReadonlySet<ast.BinaryOp> = new Set(['<', '<=', '>', '>='])
const EQUALITY: ReadonlySet<ast.BinaryOp> = new Set(['=', '!='])

function takes(op: ast.BinaryOp, type: FieldType): boolean {
  if (type === 'any' || EQUALITY.has(op)) return true
  if (type === 'bool') return op === '&&' || op === '||'
  if (isNumeric(type)) return isArithmetic(op) || ORDER.has(op)
  return type === 'string' && (op === '=~' || op === '!~' || ORDER.has(op))
}

/** Checks a comparison with nil. Reports an error and returns false for `=` on a field that always exists. */
function checkNil({ op, lhs }: ast.Binary, where: Span, session: TraceqlSession): boolean {
  const isService = lhs.kind === 'attribute' && lhs.scope === 'resource' && lhs.name === 'service.name'
  if (op !== '=' || (lhs.kind !== 'intrinsic' && !isService)) return true
  const data = { name: printTraceql(lhs), isIntrinsic: lhs.kind === 'intrinsic' }
  session.reportMeaning(traceqlDiagnostic('always-set', data, where))
  return false
}

function isFit(node: ast.Binary, session: TraceqlSession): boolean {
  const { op, lhs, rhs, span } = node
  const [left, right] = [typeIn(session, lhs), typeIn(session, rhs)]
  if (right === 'nil' && EQUALITY.has(op)) return checkNil(node, span, session)
  if (!isMatching(left, right)) {
    session.reportMeaning(traceqlDiagnostic('mixed-types', { text: printTraceql(node), left, right }, span))
    return false
  }
  if (!takes(op, left) || !takes(op, right)) {
    const type = takes(op, left) ? right : left
    session.reportMeaning(traceqlDiagnostic('bad-operator', { text: printTraceql(node), op, type }, span))
    return false
  }
  return isRegexpFit(node, session)
}

function isRegexpFit({ op, rhs }: ast.Binary, session: TraceqlSession): boolean {
  if (op !== '=~' && op !== '!~') return true
  if (rhs.kind !== 'literal' || rhs.literal.type !== 'string') {
    session.reportMeaning(traceqlDiagnostic('computed-regexp', { op }, rhs.span))
    return false
  }
  const pattern = rhs.literal.value
  const reason = regexpFault(pattern)
  if (reason === undefined) return true
  session.reportMeaning(traceqlDiagnostic('bad-regexp', { pattern, reason }, rhs.span))
  return false
}

/** Checks the operands of an operation. */
export function checkBinary(node: ast.Binary, session: TraceqlSession): void {
  if (!isFit(node, session)) session.faulty.add(node)
}

/** Checks the operand of `!` or of a sign. */
export function checkUnary(node: ast.Unary, session: TraceqlSession): void {
  const type = typeIn(session, node.arg)
  if (type === 'any' || (node.op === '!' ? type === 'bool' : isNumeric(type))) return
  session.faulty.add(node)
  session.reportMeaning(
    traceqlDiagnostic('bad-operator', { text: printTraceql(node), op: node.op, type, isPrefix: true }, node.span),
  )
}

/** Checks that the expression of a filter is a condition. */
export function checkFilter(node: ast.SpanFilter, session: TraceqlSession): void {
  if (node.condition === undefined) return
  const type = typeIn(session, node.condition)
  if (type === 'any' || type === 'bool') return
  session.reportMeaning(traceqlDiagnostic('no-condition', { text: printTraceql(node), type }, node.condition.span))
}

/** Checks the argument of an aggregate. */
export function checkAggregate(
  node: Pick<ast.AggregateStage, 'aggregate' | 'argument' | 'span'>,
  session: TraceqlSession,
): void {
  const { argument, aggregate: name, span } = node
  if (argument === undefined || session.faulty.has(argument)) return
  const type = typeOf(argument)
  const text = printAggregate(node)
  if (type !== 'any' && !isNumeric(type)) {
    session.reportMeaning(traceqlDiagnostic('no-number', { name, text, type }, span))
  } else if (!readsSpan(argument)) {
    session.reportMeaning(traceqlDiagnostic('constant-argument', { name, text, isGroup: false }, span))
  }
}

/** Checks the field of a `by` stage. */
export function checkGroup(node: ast.GroupStage, session: TraceqlSession): void {
  if (readsSpan(node.key)) return
  const data = { name: 'by', text: printTraceql(node), isGroup: true }
  session.reportMeaning(traceqlDiagnostic('constant-argument', data, node.span))
}

/** Checks the numeric arguments of a metrics function. */
export function checkMetricFunction(fn: ast.MetricFunction, where: Span, session: TraceqlSession): void {
  if (fn.name === 'quantile_over_time') {
    const wrong = fn.quantiles.find((q) => !(q >= 0 && q <= 1))
    if (wrong !== undefined) session.reportMeaning(traceqlDiagnostic('bad-quantile', { value: wrong }, where))
  }
  if (fn.name !== 'compare') return
  if (fn.top < 1 || fn.top > MAX_COMPARED_VALUES) {
    session.reportMeaning(traceqlDiagnostic('bad-top', { limit: MAX_COMPARED_VALUES }, where))
  } else if (fn.window !== undefined && fn.window.startNs >= fn.window.endNs) {
    session.reportMeaning(traceqlDiagnostic('bad-window', undefined, where))
  }
}

/** Checks a second-stage function, which follows a metrics function. */
export function checkSecondStage(
  expr: ast.MetricExpr,
  stage: ast.SecondStage,
  where: Span,
  session: TraceqlSession,
): void {
  if (expr.kind === 'metric' && expr.fn.name === 'compare') {
    session.reportMeaning(traceqlDiagnostic('compare-stage', undefined, where))
  } else if (stage.kind !== 'compare' && stage.limit < 1) {
    session.reportMeaning(traceqlDiagnostic('bad-limit', { name: stage.kind }, where))
  }
}

/** Checks an operand of arithmetic between metrics. */
export function checkMetricOperand(expr: ast.MetricExpr, session: TraceqlSession): void {
  if (expr.kind !== 'metric' || expr.fn.name !== 'compare') return
  session.reportMeaning(traceqlDiagnostic('compare-stage', undefined, expr.span))
}
