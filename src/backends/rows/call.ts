import { InvariantError, type Meter } from '../../base/index.ts'
import { fieldNamed, type Row, type Schema, type Value } from '../../data/index.ts'
import { matchesField, type AggregateCall, type Expr, type FieldPattern } from '../../plan/index.ts'
import { meteredValue, type Functions } from '../../functions/index.ts'
import { modelFunctions, type Running } from './aggregates.ts'
import type { Environment } from './environment.ts'
import { holds, valueOfExpr } from './expr.ts'
import { compareCharacters } from './order.ts'

/** Returns the names of a row's fields in answer order: names of the schema first, then the others by code point. */
export function orderedNames(row: Row, schema: Schema): readonly string[] {
  const others = [...row.keys()].filter((name) => fieldNamed(schema, name) === undefined).sort(compareCharacters)
  return [...schema.fields.map((f) => f.name), ...others]
}

/** Returns the matching fields of a row that have a value. */
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

/** A call of a stats function that receives rows one by one; `value` may be called after each row. */
export interface RunningCall {
  readonly add: (row: Row) => void
  readonly value: () => Value
}

export function startCall(
  call: AggregateCall,
  schema: Schema,
  rangeSeconds: number | undefined,
  environment: Environment,
): RunningCall {
  const { functions } = environment
  const meter = environment.context.budget
  const running = startFunction(call, rangeSeconds, functions, meter)
  const { filter } = call
  return {
    add: (row) => {
      if (filter !== undefined && !holds(filter, row, functions)) return
      const ofPatterns = new Map<string, Expr>()
      const fields = call.args.flatMap((arg) =>
        argument(arg, row, schema, environment).filter(([name]) => {
          if (arg.kind !== 'columns') return true
          const first = ofPatterns.get(name) ?? arg
          ofPatterns.set(name, first)
          return first === arg
        }),
      )
      running.add({
        values: fields.map(([, value]) => value),
        names: fields.map(([name]) => name),
        keys: call.orderBy.map((key) => valueOfExpr(key.expr, row, functions)),
      })
    },
    value: () => meteredValue(running.value(), meter, call.fn),
  }
}

function startFunction(
  call: AggregateCall,
  rangeSeconds: number | undefined,
  functions: Functions,
  meter: Meter,
): Running {
  const { params, limit } = call
  const directions = call.orderBy.map((key) => key.direction)
  const fn = functions.stats.get(call.fn)
  if (fn === undefined) throw new InvariantError(`there is no stats function ${call.fn}`)
  const own = modelFunctions.get(fn.name)
  if (own !== undefined) {
    return own({
      params,
      limit,
      hasArgs: call.args.length > 0,
      directions,
      seconds: rangeSeconds ?? 1,
      maker: fn.name,
      meter,
    })
  }
  const accumulator = fn.accumulator({
    params,
    limit,
    argNames: call.args.map((arg) => (arg.kind === 'column' ? arg.name : '')),
    orderDirections: directions,
    context: { rangeSeconds },
    meter,
  })
  return {
    add: ({ values, names, keys }) => accumulator.add([...values, ...keys], names),
    value: () => accumulator.finish(),
  }
}
