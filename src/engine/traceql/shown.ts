import type {
  AggregateStage,
  CompareOp,
  FieldExpr,
  FieldRef,
  IntrinsicName,
  SpanExpr,
  Stage,
} from '../../lang/traceql/index.ts'
import { fieldValue, literalOperand, singleValue } from './fields.ts'
import type { TraceSpan } from './model.ts'
import { compareOperands, type Operand } from './values.ts'

/** A field that a query reads, and the comparison in which it occurs. */
interface ReadField {
  readonly field: FieldRef
  /** The comparison; missing if the field is read without one. */
  readonly test?: { readonly op: CompareOp; readonly value: Operand }
  /** True if the field is compared by `= nil`. */
  readonly isNil?: boolean
}

/** A field of a span in an answer. */
export interface ShownField {
  readonly name: string
  /** Value of the field; `undefined` is shown as nil. */
  readonly value: Operand | undefined
}

/**
 * Intrinsics that are not shown among a span's fields, because other members of the answer show them, or because all
 * spans of a trace share them.
 */
const notShown: ReadonlySet<IntrinsicName> = new Set([
  'name',
  'duration',
  'traceDuration',
  'rootName',
  'rootServiceName',
  'trace:id',
  'span:id',
])

/** Comparison operators; `mirrored` is the operator for exchanged operands. */
const comparisons: ReadonlyMap<string, { readonly op: CompareOp; readonly mirrored: CompareOp }> = new Map([
  ['=', { op: '=', mirrored: '=' }],
  ['!=', { op: '!=', mirrored: '!=' }],
  ['<', { op: '<', mirrored: '>' }],
  ['<=', { op: '<=', mirrored: '>=' }],
  ['>', { op: '>', mirrored: '<' }],
  ['>=', { op: '>=', mirrored: '<=' }],
])

function isField(expr: FieldExpr): expr is FieldRef {
  return expr.kind === 'attribute' || expr.kind === 'intrinsic'
}

function fieldsOf(expr: FieldExpr): readonly ReadField[] {
  switch (expr.kind) {
    case 'attribute':
    case 'intrinsic':
      return [{ field: expr }]
    case 'literal':
      return []
    case 'unary':
      return fieldsOf(expr.arg)
    case 'binary': {
      const { lhs, rhs, op } = expr
      const comparison = comparisons.get(op)
      if (comparison !== undefined && isField(lhs) && rhs.kind === 'literal')
        return [tested(lhs, comparison.op, literalOperand(rhs.literal))]
      if (comparison !== undefined && isField(rhs) && lhs.kind === 'literal')
        return [tested(rhs, comparison.mirrored, literalOperand(lhs.literal))]
      return [...fieldsOf(lhs), ...fieldsOf(rhs)]
    }
  }
}

/** Returns a field with its comparison. A comparison with nil only tests whether the field exists. */
function tested(field: FieldRef, op: CompareOp, value: Operand | undefined): ReadField {
  return value === undefined ? { field, isNil: op === '=' } : { field, test: { op, value } }
}

function fieldsOfStage(stage: Stage): readonly ReadField[] {
  switch (stage.kind) {
    case 'filter-stage':
      return fieldsOfSpans(stage.spans)
    case 'aggregate':
      return argumentFields(stage)
    case 'by':
      return fieldsOf(stage.key)
    case 'select':
      return stage.fields.map((field) => ({ field }))
    case 'coalesce':
      return []
  }
}

function argumentFields({ argument }: AggregateStage): readonly ReadField[] {
  return argument === undefined ? [] : fieldsOf(argument)
}

function fieldsOfSpans(expr: SpanExpr): readonly ReadField[] {
  switch (expr.kind) {
    case 'filter':
      return expr.condition === undefined ? [] : fieldsOf(expr.condition)
    case 'operation':
      return [...fieldsOfSpans(expr.lhs), ...fieldsOfSpans(expr.rhs)]
    case 'pipeline':
      return [...fieldsOfSpans(expr.input), ...expr.stages.flatMap(fieldsOfStage)]
  }
}

/**
 * Returns the value of a field if the value satisfies the field's comparison. For an array, returns the last item that
 * satisfies it.
 */
function shownValue({ field, test }: ReadField, span: TraceSpan): Operand | undefined {
  if (test === undefined) return singleValue(field, span) ?? fieldValue(field, span)
  const { op, value: wanted } = test
  const value = fieldValue(field, span)
  if (value?.type === 'array') return value.items.findLast((item) => compareOperands(op, item, wanted))
  return compareOperands(op, value, wanted) ? value : undefined
}

/** True if the query tests the field for nil, and this span lacks the field. */
function isShownMissing({ field, isNil }: ReadField, span: TraceSpan): boolean {
  return isNil === true && fieldValue(field, span) === undefined
}

/**
 * Compiles a query to a function that returns what an answer shows of a span: its name, and the fields of the query
 * whose values satisfy their comparisons.
 */
export function shownFields(expr: SpanExpr): (span: TraceSpan) => {
  readonly name: string | undefined
  readonly fields: readonly ShownField[]
} {
  const read = fieldsOfSpans(expr)
  return (span) => {
    const fields = new Map<string, Operand | undefined>()
    let name: string | undefined
    for (const each of read) {
      const { field } = each
      const value = shownValue(each, span)
      if (value === undefined && !isShownMissing(each, span)) continue
      if (field.kind === 'intrinsic' && field.name === 'name') name = span.sent.name
      if (field.kind === 'attribute' || !notShown.has(field.name)) fields.set(field.name, value)
    }
    return { name, fields: [...fields].map(([each, value]) => ({ name: each, value })) }
  }
}
