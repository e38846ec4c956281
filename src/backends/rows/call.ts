import { InvariantError } from '../../base/index.ts'
import { fieldNamed, type Row, type Schema, type Value } from '../../data/index.ts'
import { matchesField, type AggregateCall, type Expr, type FieldPattern } from '../../plan/index.ts'
import { naiveAggregates } from './aggregates.ts'
import type { Environment } from './environment.ts'
import { holds, valueOfExpr } from './expr.ts'
import { compareCharacters } from './order.ts'

/** The names of a row's fields in answer order: those of the schema first, then the others by code point. */
export function orderedNames(row: Row, schema: Schema): readonly string[] {
  const others = [...row.keys()].filter((name) => fieldNamed(schema, name) === undefined).sort(compareCharacters)
  return [...schema.fields.map((f) => f.name), ...others]
}

/** The fields of a row that match and are there. */
export function matchingFields(pattern: FieldPattern, row: Row, schema: Schema): (readonly [string, Value])[] {
  return orderedNames(row, schema).flatMap((name): (readonly [string, Value])[] => {
    const value = row.get(name) ?? null
    return value !== null && matchesField(pattern, name) ? [[name, value]] : []
  })
}

function argument(arg: Expr, row: Row, schema: Schema, environment: Environment): (readonly [string, Value])[] {
  if (arg.kind === 'columns') return matchingFields(arg.fields, row, schema)
  return [[arg.kind === 'column' ? arg.name : '', valueOfExpr(arg, row, environment.functions)]]
}

/** The value of a stats call over some rows, in order. */
export function aggregateOf(
  call: AggregateCall,
  rows: readonly Row[],
  schema: Schema,
  rangeSeconds: number | undefined,
  environment: Environment,
): Value {
  const { functions } = environment
  const { filter } = call
  const seen = filter === undefined ? rows : rows.filter((row) => holds(filter, row, functions))
  const argumentsOf = seen.map((row) => call.args.flatMap((arg) => argument(arg, row, schema, environment)))
  const naive = naiveAggregates.get(call.fn)
  if (naive !== undefined) {
    return naive({
      rows: argumentsOf.map((fields) => fields.map(([, value]) => value)),
      params: call.params,
      limit: call.limit,
      hasArgs: call.args.length > 0,
    })
  }
  const fn = functions.stats.get(call.fn)
  if (fn === undefined) throw new InvariantError(`there is no stats function ${call.fn}`)
  const accumulator = fn.accumulator({
    params: call.params,
    limit: call.limit,
    argNames: call.args.map((arg) => (arg.kind === 'column' ? arg.name : '')),
    orderDirections: call.orderBy.map((key) => key.direction),
    context: { rangeSeconds },
  })
  for (const [i, row] of seen.entries()) {
    const keys = call.orderBy.map((key) => valueOfExpr(key.expr, row, functions))
    const fields = argumentsOf[i]
    accumulator.add(
      [...fields.map(([, value]) => value), ...keys],
      fields.map(([name]) => name),
    )
  }
  return accumulator.finish()
}
