import { compareText, fieldNamed, valueAt, type Column, type Schema, type Value } from '../../../data/index.ts'
import { matchesField, type AggregateCall } from '../../../plan/index.ts'
import type { Accumulator } from '../../../functions/index.ts'
import type { ExprCompiler } from './compile.ts'
import type { Frame } from '../frame.ts'

/** Adds the arguments in one row of a frame to an accumulator (the state of an aggregate function). */
export type RowFeeder = (state: Accumulator, row: number) => void

/**
 * Returns the names of a call's arguments. The name is `''` for an argument that is no column, and for a field pattern,
 * whose fields differ from row to row.
 */
export function argumentNames(call: AggregateCall): readonly string[] {
  return call.args.map((arg) => (arg.kind === 'column' ? arg.name : ''))
}

/**
 * Returns a function that makes the feeder of a frame. The feeder adds one row to an accumulator: the call's arguments,
 * then the values of its sort keys.
 */
export function argumentFeeder(
  call: AggregateCall,
  compiler: ExprCompiler,
  schema: Schema,
): (frame: Frame) => RowFeeder {
  const keys = call.orderBy.map((key) => compiler.expr(key.expr))
  if (call.args.some((arg) => arg.kind === 'columns')) return patternFeeder(call, compiler, schema)
  const args = [...call.args.map((arg) => compiler.expr(arg)), ...keys]
  return (frame) => {
    const columns = args.map((evaluate) => evaluate(frame))
    if (columns.length === 0) return (state) => state.add([])
    if (columns.length === 1) return (state, row) => state.add([valueAt(columns[0], row)])
    return (state, row) => state.add(columns.map((column) => valueAt(column, row)))
  }
}

/**
 * Like `argumentFeeder`, for calls with field patterns: the arguments are the matching fields that the row has, in
 * answer order.
 */
function patternFeeder(call: AggregateCall, compiler: ExprCompiler, schema: Schema): (frame: Frame) => RowFeeder {
  const keys = call.orderBy.map((key) => compiler.expr(key.expr))
  const fixed = call.args.map((arg) => (arg.kind === 'columns' ? undefined : compiler.expr(arg)))
  return (frame) => {
    const names = orderedNames(frame, schema)
    // A field that several patterns match is passed only once, at the first matching pattern.
    const taken = new Set<string>()
    const args = call.args.map((arg, index): readonly { readonly name: string; readonly column: Column }[] => {
      if (arg.kind === 'columns') {
        return names
          .filter((name) => !taken.has(name) && matchesField(arg.fields, name))
          .map((name) => {
            taken.add(name)
            return { name, column: frame.column(name) }
          })
      }
      const evaluate = fixed[index]
      const name = arg.kind === 'column' ? arg.name : ''
      return evaluate === undefined ? [] : [{ name, column: evaluate(frame) }]
    })
    const keyColumns = keys.map((key) => key(frame))
    return (state, row) => {
      const values: Value[] = []
      const found: string[] = []
      args.forEach((columns, index) => {
        for (const { name, column } of columns) {
          const value = valueAt(column, row)
          if (value === null && fixed[index] === undefined) continue
          values.push(value)
          found.push(name)
        }
      })
      for (const column of keyColumns) values.push(valueAt(column, row))
      state.add(values, found)
    }
  }
}

/** Returns the field names of a frame in answer order: first those of the schema, then the others by code point. */
export function orderedNames(frame: Frame, schema: Schema): readonly string[] {
  const others = frame.names.filter((name) => fieldNamed(schema, name) === undefined)
  return [...schema.fields.map((f) => f.name), ...others.sort(compareText)]
}
