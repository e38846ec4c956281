import type { Value } from '../../data/index.ts'
import { OTLP_FIELDS, RESOURCE_OF_FIELDS } from '../../ingest/otlp/stored/index.ts'
import type {
  Binary,
  CompareOp,
  FieldExpr,
  FieldRef,
  Intrinsic,
  LiteralValue,
  SpanExpr,
} from '../../lang/traceql/index.ts'
import { column, conjunction, disjunction, not, test, type Expr } from '../../plan/index.ts'
import { numberOf } from './values.ts'
import { literalOperand } from './fields.ts'

/**
 * Fraction by which the bounds of durations are widened, because durations are stored in seconds as doubles. Exceeds
 * the rounding error.
 */
const ROUNDING = 1e-9

const isEmpty = (name: string): Expr => test(column(name), { kind: 'empty' })
const equals = (name: string, value: Value): Expr =>
  test(column(name), { kind: 'equals', value, isFolded: false, isTyped: false })

/**
 * Returns a condition on a span attribute. It also accepts rows that may store the attribute in another way: as a list,
 * in the JSON columns of OpenTelemetry, or in a declared field.
 */
function ofAttribute(name: string, condition: (field: string) => Expr): Expr {
  const columns = [...RESOURCE_OF_FIELDS].filter(([, attribute]) => attribute === name).map(([declared]) => declared)
  return disjunction([
    condition(name),
    test(column(name), { kind: 'starts-with', text: '[', isFolded: false }),
    ...OTLP_FIELDS.map((field) => not(isEmpty(field))),
    ...columns.map(condition),
  ])
}

function attributeTest(name: string, op: CompareOp, literal: LiteralValue): Expr | undefined {
  if (op === '=' && literal.type === 'string')
    return literal.value === '' ? undefined : ofAttribute(name, (field) => equals(field, literal.value))
  if (op === '=' && literal.type === 'bool') return ofAttribute(name, (field) => equals(field, String(literal.value)))
  const number = numberOf(literalOperand(literal))
  if (number === undefined) return undefined
  return ofAttribute(name, (field) => rangeTest(field, op, Number(number)) ?? not(isEmpty(field)))
}

/** Returns a range test that accepts all numbers that satisfy a comparison, and a few more near its bound. */
function rangeTest(field: string, op: CompareOp, value: number): Expr | undefined {
  const slack = Math.abs(value) * ROUNDING
  const range = (min: number, max: number): Expr =>
    test(column(field), { kind: 'range', min, max, isMinIncluded: true, isMaxIncluded: true })
  switch (op) {
    case '=':
      return range(value - slack, value + slack)
    case '<':
    case '<=':
      return range(-Infinity, value + slack)
    case '>':
    case '>=':
      return range(value - slack, Infinity)
    case '!=':
      return undefined
  }
}

const columnOf: Readonly<Partial<Record<Intrinsic['name'], string>>> = {
  name: 'span_name',
  status: 'status',
  statusMessage: 'status_message',
  kind: 'kind',
  'instrumentation:name': 'scope.name',
}

function intrinsicTest({ name }: Intrinsic, op: CompareOp, literal: LiteralValue): Expr | undefined {
  if (name === 'duration') {
    const ns = numberOf(literalOperand(literal))
    return ns === undefined ? undefined : rangeTest('duration_seconds', op, Number(ns) / 1e9)
  }
  if (name === 'nestedSetParent') return rootTest(op, literal)
  if (name === 'event:name') return not(isEmpty('events'))
  const field = columnOf[name]
  if (field === undefined || op !== '=' || !('value' in literal) || literal.value === '') return undefined
  return equals(field, String(literal.value))
}

/**
 * Returns the test for root spans, if that is what a comparison of `nestedSetParent` means: only root spans have a
 * negative parent number.
 */
function rootTest(op: CompareOp, literal: LiteralValue): Expr | undefined {
  return isRootTest(op, literal) ? isEmpty('parent_span_id') : undefined
}

/** True if a comparison of `nestedSetParent` is satisfied by root spans and by no others. */
export function isRootTest(op: string, literal: LiteralValue): boolean {
  if (literal.type !== 'int') return false
  return (op === '<' && literal.value === 0n) || ((op === '=' || op === '<=') && literal.value === -1n)
}

const compareOps: ReadonlySet<string> = new Set<CompareOp>(['=', '!=', '<', '<=', '>', '>='])

function fieldTest(field: FieldRef, op: CompareOp, literal: LiteralValue): Expr | undefined {
  if (literal.type === 'nil') return undefined
  if (field.kind === 'intrinsic') return intrinsicTest(field, op, literal)
  return field.scope === 'none' || field.scope === 'span' || field.scope === 'resource'
    ? attributeTest(field.name, op, literal)
    : undefined
}

function patternTest(field: FieldRef, pattern: string): Expr | undefined {
  if (field.kind !== 'intrinsic' || field.name !== 'name') return undefined
  return test(column('span_name'), { kind: 'regexp', pattern: `^(?:${pattern})$`, isFolded: false })
}

function ofBinary({ op, lhs, rhs }: Binary): Expr | undefined {
  if (op === '&&') {
    const both = [ofCondition(lhs), ofCondition(rhs)].filter((each) => each !== undefined)
    return both.length === 0 ? undefined : conjunction(both)
  }
  if (op === '||') {
    const [left, right] = [ofCondition(lhs), ofCondition(rhs)]
    return left === undefined || right === undefined ? undefined : disjunction([left, right])
  }
  if ((lhs.kind !== 'attribute' && lhs.kind !== 'intrinsic') || rhs.kind !== 'literal') return undefined
  if (op === '=~') return rhs.literal.type === 'string' ? patternTest(lhs, rhs.literal.value) : undefined
  return compareOps.has(op) ? fieldTest(lhs, op as CompareOp, rhs.literal) : undefined
}

function ofCondition(expr: FieldExpr): Expr | undefined {
  if (expr.kind === 'literal') return expr.literal.type === 'bool' && !expr.literal.value ? disjunction([]) : undefined
  return expr.kind === 'binary' ? ofBinary(expr) : undefined
}

/**
 * Returns a condition that at least one span of every matching trace satisfies; `undefined` if any trace may match. For
 * a query of a single filter, all spans that the query finds satisfy the condition.
 */
export function prefilterOf(expr: SpanExpr): Expr | undefined {
  switch (expr.kind) {
    case 'filter':
      return expr.condition === undefined ? undefined : ofCondition(expr.condition)
    case 'pipeline':
      return prefilterOf(expr.input)
    case 'operation': {
      const [left, right] = [prefilterOf(expr.lhs), prefilterOf(expr.rhs)]
      if (expr.op === '||') return left === undefined || right === undefined ? undefined : disjunction([left, right])
      return expr.op.startsWith('!') ? right : (right ?? left)
    }
  }
}
