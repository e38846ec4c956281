import { fieldNamed, type MutableRow, type Row } from '../../data/index.ts'
import { rightColumnName, schemaOf, type Join } from '../../plan/index.ts'
import { isEmpty, textOf } from './coerce.ts'
import { ticker, type Environment } from './environment.ts'
import { copyOf, withRow, type ModelRow } from './model-row.ts'

function isMatch(node: Join, left: Row, right: Row): boolean {
  return node.on.every((pair) => textOf(left.get(pair.left) ?? null) === textOf(right.get(pair.right) ?? null))
}

/** Merges a pair of rows. A field is taken from the left row if the left schema declares it or the left row has it. */
function merged(node: Join, left: Row, right: Row): Row {
  const row: MutableRow = copyOf(left)
  const leftSchema = schemaOf(node.left)
  for (const [name, value] of right) {
    if (value === null || node.on.some((pair) => pair.right === name)) continue
    const isOnLeft = fieldNamed(leftSchema, name) !== undefined || (left.get(name) ?? null) !== null
    const target = rightColumnName(node, name, isOnLeft)
    if (isEmpty(row.get(target) ?? null)) row.set(target, value)
  }
  return row
}

function withoutLeft(node: Join, right: Row): Row {
  const keys: Row = new Map(node.on.map((pair) => [pair.left, right.get(pair.right) ?? null]))
  return merged(node, keys, right)
}

/** Joins by comparing every left row with every right row. */
export function evaluateJoin(
  node: Join,
  left: readonly ModelRow[],
  right: readonly ModelRow[],
  environment: Environment,
): ModelRow[] {
  const tick = ticker(environment.context.budget)
  const matched = new Set<ModelRow>()
  const rows: ModelRow[] = []
  for (const a of left) {
    let isMatched = false
    for (const b of right) {
      tick()
      if (node.type !== 'cross' && !isMatch(node, a.row, b.row)) continue
      isMatched = true
      matched.add(b)
      rows.push(withRow(a, merged(node, a.row, b.row)))
    }
    if (!isMatched && (node.type === 'left' || node.type === 'full')) rows.push(a)
  }
  if (node.type === 'right' || node.type === 'full') {
    for (const b of right) if (!matched.has(b)) rows.push(withRow(b, withoutLeft(node, b.row)))
  }
  return rows
}
