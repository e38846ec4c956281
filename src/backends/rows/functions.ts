import { InvariantError } from '../../base/index.ts'
import type { MutableRow, Row, Schema, Value } from '../../data/index.ts'
import { meteredRow } from '../../functions/index.ts'
import { schemaOf, type Apply, type TableApply } from '../../plan/index.ts'
import { orderedNames } from './call.ts'
import { textOf } from './coerce.ts'
import type { Environment } from './environment.ts'
import { holds } from './expr.ts'
import { withRow, type ModelRow } from './model-row.ts'
import { foldNumbers } from './number-runs.ts'

/** Returns the row as functions receive it: only fields with a value, in answer order. */
function inAnswerOrder(row: Row, schema: Schema): MutableRow {
  return new Map(
    orderedNames(row, schema).flatMap((name): (readonly [string, Value])[] => {
      const value = row.get(name) ?? null
      return value === null ? [] : [[name, value]]
    }),
  )
}

function isOneRow(result: Row | Iterable<Row>): result is Row {
  return result instanceof Map
}

/** Row functions that the model implements independently, in order to detect faults in the engine's versions. */
const ownRowFunctions: Readonly<Record<string, (params: Apply['params']) => (row: MutableRow) => Row>> = {
  collapse_nums: (params) => {
    const { field, isPretty } = params as { readonly field: string; readonly isPretty: boolean }
    return (row) => {
      const text = textOf(row.get(field) ?? null)
      const folded = foldNumbers(text, isPretty)
      return folded === text ? row : row.set(field, folded)
    }
  },
}

export function evaluateApply(node: Apply, input: readonly ModelRow[], environment: Environment): ModelRow[] {
  const { functions, context } = environment
  const fn = functions.rows.get(node.fn)
  if (fn === undefined) throw new InvariantError(`there is no row function ${node.fn}`)
  const { nowNs, range, budget: meter } = context
  const run = ownRowFunctions[node.fn]?.(node.params) ?? fn.compile(node.params, { nowNs, range, meter })
  const schema = schemaOf(node.input)
  return input.flatMap((from) => {
    if (node.condition !== undefined && !holds(node.condition, from.row, functions)) return [from]
    const result = run(inAnswerOrder(from.row, schema))
    const rows = [...(isOneRow(result) ? [result] : result)].filter((row) => row !== undefined)
    return rows.map((row) => {
      meteredRow(row, meter, node.fn)
      return withRow(from, row)
    })
  })
}

export function evaluateTableApply(node: TableApply, input: readonly ModelRow[], environment: Environment): ModelRow[] {
  const { functions, context } = environment
  const fn = functions.tables.get(node.fn)
  if (fn === undefined) throw new InvariantError(`there is no table function ${node.fn}`)
  const { nowNs, range, budget: meter } = context
  const state = fn.compile(node.params, { nowNs, range, meter })
  const schema = schemaOf(node.input)
  for (const { row } of input) state.add(inAnswerOrder(row, schema))
  const rows = [...state.finish()].filter((row) => row !== undefined)
  for (const row of rows) meteredRow(row, meter, node.fn)
  return rows.map((row) => ({ row, record: undefined }))
}
