import {
  TRACEQL_LIMITS,
  type Binary,
  type BinaryOp,
  type FieldExpr,
  type FieldRef,
  type LiteralValue,
  type SpanExpr,
} from '../../../lang/traceql/index.ts'
import { refuse } from './define-tempo-routes.ts'

const span = { start: 0, end: 0 }

function compared(field: FieldRef, op: BinaryOp, literal: LiteralValue): Binary {
  return { kind: 'binary', op, lhs: field, rhs: { kind: 'literal', literal, span }, span }
}

function either(lhs: FieldExpr, rhs: FieldExpr): Binary {
  return { kind: 'binary', op: '||', lhs, rhs, span }
}

/**
 * Returns a condition for an attribute of the span or its resource with this text. Numbers and booleans are compared by
 * value.
 */
function tagCondition(name: string, value: string): FieldExpr {
  const field: FieldRef = { kind: 'attribute', scope: 'none', name, span }
  const isText = compared(field, '=', { type: 'string', value })
  if (/^-?\d{1,18}$/.test(value)) return either(isText, compared(field, '=', { type: 'int', value: BigInt(value) }))
  if (value === 'true' || value === 'false')
    return either(isText, compared(field, '=', { type: 'bool', value: value === 'true' }))
  return isText
}

/** Returns a condition for each `name=value`. A name without a value means an attribute that is the empty string. */
function tagConditions(tags: string): readonly FieldExpr[] {
  const pairs = [...tags.matchAll(/([^\s=]+)(?:=(?:"((?:[^"\\]|\\.)*)"|(\S*)))?/g)]
  const limit = TRACEQL_LIMITS.operators
  if (pairs.length > limit) refuse(`invalid tags: at most ${limit} are searched for at once, received ${pairs.length}`)
  return pairs.map(([, name = '', quoted, plain = '']) =>
    tagCondition(name, quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, '$1')),
  )
}

export interface OldSearch {
  /** Conditions as `name=value` pairs in logfmt. */
  readonly tags: string | undefined
  /** Minimum and maximum duration, ns. */
  readonly min: bigint | undefined
  readonly max: bigint | undefined
}

/** Converts the parameters of a search without TraceQL to a query; `undefined` without parameters. */
export function oldSearch({ tags, min, max }: OldSearch): SpanExpr | undefined {
  const duration: FieldRef = { kind: 'intrinsic', name: 'traceDuration', span }
  const conditions = [
    ...(tags === undefined ? [] : tagConditions(tags)),
    ...(min === undefined ? [] : [compared(duration, '>=', { type: 'duration', value: min })]),
    ...(max === undefined ? [] : [compared(duration, '<=', { type: 'duration', value: max })]),
  ]
  if (conditions.length === 0) return undefined
  const condition = conditions.reduce((lhs, rhs): FieldExpr => ({ kind: 'binary', op: '&&', lhs, rhs, span }))
  return { kind: 'filter', condition, span }
}
