import { positionHash, recordHash, type Row } from '../../data/index.ts'
import type { Functions } from '../../functions/index.ts'
import type { Sample, Sort } from '../../plan/index.ts'
import type { Environment } from './environment.ts'
import { valueOfExpr } from './expr.ts'
import { groupRows } from './groups.ts'
import { copyOf, withRow, type ModelRow } from './model-row.ts'
import { compareCharacters, comparePositionsIn, sortPositionOf, type SortPosition } from './order.ts'

/** Compares rows by all fields, in code point order of their names. A missing field is an empty value. */
function compareAllFields(a: Row, b: Row, direction: 'asc' | 'desc'): number {
  for (const name of [...new Set([...a.keys(), ...b.keys()])].sort(compareCharacters)) {
    const order = comparePositionsIn(
      sortPositionOf(a.get(name) ?? null),
      sortPositionOf(b.get(name) ?? null),
      direction,
    )
    if (order !== 0) return order
  }
  return 0
}

/** The sort value of a row under one key: the whole row if the key is a field pattern, else a value. */
type Sorted = { readonly row: Row } | SortPosition

function compareSorted(a: Sorted, b: Sorted, direction: 'asc' | 'desc'): number {
  if ('row' in a || 'row' in b) return 'row' in a && 'row' in b ? compareAllFields(a.row, b.row, direction) : 0
  return comparePositionsIn(a, b, direction)
}

function sorted(node: Sort, input: readonly ModelRow[], functions: Functions): ModelRow[] {
  const keys = node.keys.length === 0 ? [undefined] : node.keys
  return input
    .map((row) => ({
      row,
      by: keys.map((key): Sorted =>
        key === undefined || key.expr.kind === 'columns'
          ? row
          : sortPositionOf(valueOfExpr(key.expr, row.row, functions)),
      ),
    }))
    .sort((a, b) => {
      for (const [i, key] of keys.entries()) {
        const [left, right] = [a.by[i], b.by[i]]
        const order =
          left === undefined || right === undefined ? 0 : compareSorted(left, right, key?.direction ?? 'asc')
        if (order !== 0) return order
      }
      return 0
    })
    .map(({ row }) => row)
}

export function evaluateSort(node: Sort, input: readonly ModelRow[], environment: Environment): ModelRow[] {
  const { functions } = environment
  const all = sorted(node, input, functions)
  const ranks = new Map<ModelRow, number>()
  for (const partition of groupRows(all, ({ row }) => node.partitionBy.map((e) => valueOfExpr(e, row, functions)))) {
    for (const [position, row] of partition.rows.entries()) ranks.set(row, position + 1)
  }
  const end = node.limit === undefined ? Infinity : node.offset + node.limit
  const kept = all.filter((row) => (ranks.get(row) ?? 0) > node.offset && (ranks.get(row) ?? 0) <= end)
  const { rankName } = node
  if (rankName === undefined) return kept
  return kept.map((from) => withRow(from, copyOf(from.row).set(rankName, ranks.get(from) ?? null)))
}

/** Returns the sampling hash of a row. If the row is not a stored record, hashes its position. */
function hashOf(row: ModelRow, index: number): number {
  return row.record === undefined ? positionHash(index) : recordHash(row.record)
}

export function evaluateSample(node: Sample, input: readonly ModelRow[]): ModelRow[] {
  if (node.mode === 'one-in') return input.filter((row, index) => hashOf(row, index) % node.n === 0)
  const chosen = input
    .map((row, index) => ({ index, hash: hashOf(row, index) }))
    .toSorted((a, b) => a.hash - b.hash || a.index - b.index)
    .slice(0, node.n)
  const indexes = new Set(chosen.map(({ index }) => index))
  return input.filter((_, index) => indexes.has(index))
}
