import type { MutableRow, Row } from '../../data/index.ts'
import {
  matchesField,
  plainName,
  renamed,
  schemaOf,
  type Drop,
  type Extend,
  type Project,
  type Rename,
  type Renaming,
} from '../../plan/index.ts'
import { orderedNames } from './call.ts'
import type { Environment } from './environment.ts'
import { valueOfExpr } from './expr.ts'
import { copyOf, withRow, type ModelRow } from './model-row.ts'

export function evaluateProject(node: Project, input: readonly ModelRow[]): ModelRow[] {
  return input.map((from) => {
    const row: MutableRow = new Map()
    for (const pattern of node.fields) {
      const name = plainName(pattern)
      if (name !== undefined) row.set(name, from.row.get(name) ?? null)
      else for (const [key, value] of from.row) if (matchesField(pattern, key)) row.set(key, value)
    }
    return withRow(from, row)
  })
}

export function evaluateDrop(node: Drop, input: readonly ModelRow[]): ModelRow[] {
  return input.map((from) => {
    const kept = [...from.row].filter(([name]) => !node.fields.some((pattern) => matchesField(pattern, name)))
    return withRow(from, new Map(kept))
  })
}

function renameOnce(row: Row, names: readonly string[], step: Renaming, isCopy: boolean): Row {
  const result = copyOf(row)
  const moves: (readonly [string, string])[] = []
  const plain = plainName(step.from)
  for (const name of plain === undefined ? names : [plain]) {
    const target = renamed(step, name)
    if (target !== undefined && target !== name && (plain !== undefined || row.has(name))) moves.push([name, target])
  }
  if (!isCopy) for (const [name] of moves) result.delete(name)
  for (const [name, target] of moves) result.set(target, row.get(name) ?? null)
  return result
}

/** Renames fields in each row. If several fields get the same name, the last one in answer order is kept. */
export function evaluateRename(node: Rename, input: readonly ModelRow[]): ModelRow[] {
  const schema = schemaOf(node.input)
  return input.map((from) =>
    withRow(
      from,
      node.steps.reduce((row, step) => renameOnce(row, orderedNames(row, schema), step, node.isCopy), from.row),
    ),
  )
}

export function evaluateExtend(node: Extend, input: readonly ModelRow[], environment: Environment): ModelRow[] {
  return input.map((from) => {
    const row = copyOf(from.row)
    for (const { name, expr } of node.assignments) row.set(name, valueOfExpr(expr, row, environment.functions))
    return withRow(from, row)
  })
}
