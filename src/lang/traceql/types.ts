import type { BinaryOp, FieldExpr, IntrinsicName } from './ast.ts'

/**
 * Type of an expression, as far as the text determines it. `any` is the type of an attribute, which depends on the
 * data.
 */
export type FieldType = 'any' | 'string' | 'int' | 'float' | 'bool' | 'duration' | 'status' | 'kind' | 'nil'

const INTRINSIC_TYPES: Readonly<Partial<Record<IntrinsicName, FieldType>>> = {
  status: 'status',
  kind: 'kind',
  duration: 'duration',
  traceDuration: 'duration',
  'event:timeSinceStart': 'duration',
  'span:childCount': 'int',
  nestedSetLeft: 'int',
  nestedSetRight: 'int',
  nestedSetParent: 'int',
}

/** Returns the type of a built-in field. */
export function intrinsicType(name: IntrinsicName): FieldType {
  return INTRINSIC_TYPES[name] ?? 'string'
}

const ARITHMETIC: ReadonlySet<BinaryOp> = new Set(['+', '-', '*', '/', '%', '^'])

export function isArithmetic(op: BinaryOp): boolean {
  return ARITHMETIC.has(op)
}

export function isNumeric(type: FieldType): boolean {
  return type === 'int' || type === 'float' || type === 'duration'
}

/** Returns the type of an expression. The type of arithmetic is that of its first operand with a known type. */
export function typeOf(expr: FieldExpr): FieldType {
  switch (expr.kind) {
    case 'attribute':
      return 'any'
    case 'intrinsic':
      return intrinsicType(expr.name)
    case 'literal':
      return expr.literal.type
    case 'unary':
      return typeOf(expr.arg)
    case 'binary': {
      if (!isArithmetic(expr.op)) return 'bool'
      const type = typeOf(expr.lhs)
      return type === 'any' ? typeOf(expr.rhs) : type
    }
  }
}

/** True if an expression reads at least one field of a span. */
export function readsSpan(expr: FieldExpr): boolean {
  switch (expr.kind) {
    case 'attribute':
    case 'intrinsic':
      return true
    case 'literal':
      return false
    case 'unary':
      return readsSpan(expr.arg)
    case 'binary':
      return readsSpan(expr.lhs) || readsSpan(expr.rhs)
  }
}
