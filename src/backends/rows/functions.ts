import { InvariantError } from '../../base/index.ts'
import type { Row } from '../../data/index.ts'
import type { Apply, TableApply } from '../../plan/index.ts'
import type { Environment } from './environment.ts'
import { holds } from './expr.ts'
import { copyOf, withRow, type ModelRow } from './model-row.ts'

function isOneRow(result: Row | readonly Row[]): result is Row {
  return result instanceof Map
}

export function evaluateApply(node: Apply, input: readonly ModelRow[], environment: Environment): ModelRow[] {
  const { functions, context } = environment
  const fn = functions.rows.get(node.fn)
  if (fn === undefined) throw new InvariantError(`there is no row function ${node.fn}`)
  const run = fn.compile(node.params, { nowNs: context.nowNs, range: context.range })
  return input.flatMap((from) => {
    if (node.condition !== undefined && !holds(node.condition, from.row, functions)) return [from]
    const result = run(copyOf(from.row))
    return (isOneRow(result) ? [result] : result).map((row) => withRow(from, row))
  })
}

export function evaluateTableApply(node: TableApply, input: readonly ModelRow[], environment: Environment): ModelRow[] {
  const { functions, context } = environment
  const fn = functions.tables.get(node.fn)
  if (fn === undefined) throw new InvariantError(`there is no table function ${node.fn}`)
  const state = fn.compile(node.params, { nowNs: context.nowNs, range: context.range })
  for (const { row } of input) state.add(row)
  return Array.from(state.finish(), (row) => ({ row, record: undefined }))
}
