import { recordHash, type Row } from '../../data/index.ts'
import type { Functions } from '../../functions/index.ts'
import type { Sample, Sort, SortKey } from '../../plan/index.ts'
import type { Environment } from './environment.ts'
import { valueOfExpr } from './expr.ts'
import { groupRows } from './groups.ts'
import { copyOf, withRow, type ModelRow } from './model-row.ts'
import { compareCharacters, compareInDirection } from './order.ts'

/** Without keys: all fields, names by code point. */
function compareAllFields(a: Row, b: Row, direction: 'asc' | 'desc'): number {
  for (const name of [...new Set([...a.keys(), ...b.keys()])].sort(compareCharacters)) {
    const order = compareInDirection(a.get(name) ?? null, b.get(name) ?? null, direction)
    if (order !== 0) return order
  }
  return 0
}

/** A key that names columns by pattern is all fields. */
function compareByKey(key: SortKey, a: Row, b: Row, functions: Functions): number {
  if (key.expr.kind === 'columns') return compareAllFields(a, b, key.direction)
  return compareInDirection(valueOfExpr(key.expr, a, functions), valueOfExpr(key.expr, b, functions), key.direction)
}

export function evaluateSort(node: Sort, input: readonly ModelRow[], environment: Environment): ModelRow[] {
  const { functions } = environment
  const sorted = input.toSorted((a, b) => {
    if (node.keys.length === 0) return compareAllFields(a.row, b.row, 'asc')
    for (const key of node.keys) {
      const order = compareByKey(key, a.row, b.row, functions)
      if (order !== 0) return order
    }
    return 0
  })
  const ranks = new Map<ModelRow, number>()
  for (const partition of groupRows(sorted, ({ row }) => node.partitionBy.map((e) => valueOfExpr(e, row, functions)))) {
    for (const [position, row] of partition.rows.entries()) ranks.set(row, position + 1)
  }
  const end = node.limit === undefined ? Infinity : node.offset + node.limit
  const kept = sorted.filter((row) => (ranks.get(row) ?? 0) > node.offset && (ranks.get(row) ?? 0) <= end)
  const { rankName } = node
  if (rankName === undefined) return kept
  return kept.map((from) => withRow(from, copyOf(from.row).set(rankName, ranks.get(from) ?? null)))
}

/** A row that is no record counts by its place. */
function hashOf(row: ModelRow, place: number): number {
  return row.record === undefined ? recordHash(0n, place) : recordHash(row.record.timeNs, row.record.sequence)
}

export function evaluateSample(node: Sample, input: readonly ModelRow[]): ModelRow[] {
  if (node.mode === 'one-in') return input.filter((row, place) => hashOf(row, place) % node.n === 0)
  const chosen = input
    .map((row, place) => ({ place, hash: hashOf(row, place) }))
    .toSorted((a, b) => a.hash - b.hash || a.place - b.place)
    .slice(0, node.n)
  const places = new Set(chosen.map(({ place }) => place))
  return input.filter((_, place) => places.has(place))
}
