import { Instant, JsonText, type DataType, type Schema, type Value } from '../data/index.ts'
import type { FunctionDefinitions } from '../functions/index.ts'
import { declaredField, type AggregateCall, type Expr } from '../plan/index.ts'

export function typeOfValue(value: Value): DataType {
  if (value === null) return 'any'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'integer'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (value instanceof Instant) return 'time'
  if (value instanceof JsonText) return 'json'
  return 'string'
}

/** Returns the smallest type that contains the values of both. */
export function commonType(a: DataType, b: DataType): DataType {
  if (a === b) return a
  const isNumeric = (type: DataType): boolean => type === 'number' || type === 'integer'
  return isNumeric(a) && isNumeric(b) ? 'number' : 'any'
}

/** Returns the type of a bound expression over rows of `schema`. */
export function typeOf(expr: Expr, schema: Schema, functions: FunctionDefinitions): DataType {
  const recurse = (inner: Expr): DataType => typeOf(inner, schema, functions)
  switch (expr.kind) {
    case 'column':
      return declaredField(schema, expr.name)?.type ?? 'any'
    case 'literal':
      return typeOfValue(expr.value)
    case 'call':
      return functions.scalar.get(expr.name)?.returns(expr.args.map(recurse)) ?? 'any'
    case 'case':
      return expr.branches.map((branch) => recurse(branch.value)).reduce(commonType, recurse(expr.otherwise))
    case 'bucket': {
      // A bucket of a time is a time, a bucket of a number or integer is a number; buckets of other values have any
      // type.
      const type = recurse(expr.arg)
      return type === 'time' ? type : type === 'number' || type === 'integer' ? 'number' : 'any'
    }
    case 'columns':
      return 'any'
    default:
      return 'bool'
  }
}

export function typeOfCall(call: AggregateCall, schema: Schema, functions: FunctionDefinitions): DataType {
  const args = call.args.map((arg) => typeOf(arg, schema, functions))
  return functions.stats.get(call.fn)?.returns(args) ?? 'any'
}
