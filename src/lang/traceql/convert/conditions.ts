import { assertNever, type Span } from '../../../base/index.ts'
import { noCounterpart, type FieldRef as LogField, type Filter } from '../../log/index.ts'
import type { Binary, CompareOp, FieldExpr, FieldRef, LiteralValue } from '../ast.ts'
import { fieldOf, type Notes } from './fields.ts'

const IN_TRACEQL = 'Ask in TraceQL itself.'

function joined(kind: 'and' | 'or', args: readonly Filter[], span: Span): Filter {
  return kind === 'or'
    ? { kind, args, field: undefined, span }
    : { kind, args, isExplicit: false, field: undefined, span }
}

function not(arg: Filter, span: Span): Filter {
  return { kind: 'not', arg, field: undefined, span }
}

function exact(field: LogField, text: string, span: Span): Filter {
  return { kind: 'exact', field, text, isPrefix: false, span }
}

/** Returns a filter for rows in which the field has a value. Every comparison requires a value. */
function hasValue(field: LogField, span: Span): Filter {
  return not(exact(field, '', span), span)
}

function compared(field: LogField, op: '<' | '<=' | '>' | '>=', text: string, span: Span): Filter {
  return { kind: 'compare', field, op, operand: { text, isQuoted: false, span }, span }
}

/** Returns a literal as text of the log language. A duration is in seconds if the field is. */
function textOf(field: FieldRef, literal: LiteralValue): string {
  if (literal.type === 'nil') return ''
  const isSeconds = field.kind === 'intrinsic' && field.name === 'duration'
  return isSeconds ? String(Number(literal.value) / 1e9) : String(literal.value)
}

function isNumber({ type }: LiteralValue): boolean {
  return type === 'int' || type === 'float' || type === 'duration'
}

/** Returns the filter for a comparison of a field with a literal. */
function comparison(field: FieldRef, op: CompareOp, literal: LiteralValue, span: Span, notes: Notes): Filter {
  if (field.kind === 'intrinsic' && field.name === 'nestedSetParent') return ofRoots(op, literal, span)
  const target = fieldOf(field, notes)
  const text = textOf(field, literal)
  if (literal.type === 'nil') return op === '=' ? exact(target, '', span) : hasValue(target, span)
  if (isNumber(literal)) {
    const found = numberFilter(target, op, text, span)
    // A span that has not ended has the duration 0 in TraceQL, but lacks the field in the log language.
    const isOfUnfinished = field.kind === 'intrinsic' && op !== '>' && op !== '>=' && (op !== '=' || text === '0')
    return isOfUnfinished ? joined('or', [found, exact(target, '', span)], span) : found
  }
  if (op === '=') return exact(target, text, span)
  if (op === '!=') return joined('and', [hasValue(target, span), not(exact(target, text, span), span)], span)
  return noCounterpart(
    span,
    `\`${op}\` between texts`,
    'A comparison takes numbers there; a regular expression may do.',
  )
}

/** Returns a filter that compares numbers by value. The filter is false for values of other types. */
function numberFilter(field: LogField, op: CompareOp, text: string, span: Span): Filter {
  if (op === '=') return joined('and', [compared(field, '>=', text, span), compared(field, '<=', text, span)], span)
  if (op === '!=') return joined('or', [compared(field, '<', text, span), compared(field, '>', text, span)], span)
  return compared(field, op, text, span)
}

/** Returns a filter for spans without a parent, which is what `nestedSetParent < 0` means. */
function ofRoots(op: CompareOp, literal: LiteralValue, span: Span): Filter {
  const isOfRoots =
    literal.type === 'int' && ((op === '<' && literal.value === 0n) || (op === '=' && literal.value === -1n))
  if (!isOfRoots) return noCounterpart(span, 'a number of the nested set', IN_TRACEQL)
  return exact({ parts: ['parent_span_id'], span }, '', span)
}

function pattern(field: FieldRef, text: string, isNegated: boolean, span: Span, notes: Notes): Filter {
  const target = fieldOf(field, notes)
  const found: Filter = { kind: 'regexp', field: target, pattern: `^(?:${text})$`, span }
  return isNegated ? joined('and', [hasValue(target, span), not(found, span)], span) : found
}

const MIRRORED: Readonly<Record<CompareOp, CompareOp>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

function ofBinary({ op, lhs, rhs, span }: Binary, notes: Notes): Filter {
  const isField = (expr: FieldExpr): expr is FieldRef => expr.kind === 'attribute' || expr.kind === 'intrinsic'
  switch (op) {
    case '&&':
      return joined('and', [grouped(lhs, notes), grouped(rhs, notes)], span)
    case '||':
      return joined('or', [grouped(lhs, notes), grouped(rhs, notes)], span)
    case '=~':
    case '!~':
      if (isField(lhs) && rhs.kind === 'literal' && rhs.literal.type === 'string')
        return pattern(lhs, rhs.literal.value, op === '!~', span, notes)
      break
    case '=':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      if (isField(lhs) && rhs.kind === 'literal') return comparison(lhs, op, rhs.literal, span, notes)
      if (isField(rhs) && lhs.kind === 'literal') return comparison(rhs, MIRRORED[op], lhs.literal, span, notes)
      break
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '^':
      break
    default:
      return assertNever(op)
  }
  return noCounterpart(span, 'a condition between fields, or on what is calculated', IN_TRACEQL)
}

/** Returns the filter of a nested condition, in parentheses if it has several operands. */
function grouped(expr: FieldExpr, notes: Notes): Filter {
  const filter = conditionFilter(expr, notes)
  if (filter.kind !== 'and' && filter.kind !== 'or') return filter
  return { kind: 'group', arg: filter, field: undefined, span: expr.span }
}

/**
 * Returns the filter for a condition on spans. Throws `convert/no-counterpart` if the log language cannot express it.
 */
export function conditionFilter(expr: FieldExpr, notes: Notes): Filter {
  const { span } = expr
  switch (expr.kind) {
    case 'binary':
      return ofBinary(expr, notes)
    case 'unary':
      if (expr.op === '!') return not(grouped(expr.arg, notes), span)
      return noCounterpart(span, 'a condition on what is calculated', IN_TRACEQL)
    case 'attribute':
      return exact(fieldOf(expr, notes), 'true', span)
    case 'literal': {
      const all: Filter = { kind: 'pattern', parts: ['', ''], field: undefined, span }
      return expr.literal.type === 'bool' && expr.literal.value ? all : not(all, span)
    }
    case 'intrinsic':
      return noCounterpart(span, 'a field without a comparison', 'Compare it with a value.')
    default:
      return assertNever(expr)
  }
}
