import { rightColumnName, type Join } from '../../../plan/index.ts'
import type { Frame } from '../frame.ts'
import { rowsWithin, type Bound } from '../keys/bound.ts'
import { NO_KEY } from '../keys/key-table.ts'
import type { Narrowing } from '../operator.ts'
import { RightSide } from './right-side.ts'

/** Right rows that a bound leaves out are taken out of the keys once they are so many: of all, one in so many are left. */
const LEFT_SHARE = 2

/** The right column that alone comes out under a name, whatever left rows come; `undefined` where there is no such one. */
export function rightColumnOf(node: Join, left: Narrowing | undefined, right: Frame, name: string): string | undefined {
  if (left === undefined || node.on.some((pair) => pair.left === name)) return undefined
  const found = right.names.filter(
    (own) =>
      node.on.every((pair) => pair.right !== own) &&
      (rightColumnName(node, own, false) === name || rightColumnName(node, own, true) === name),
  )
  const [own] = found
  if (own === undefined || found.length > 1) return undefined
  if (rightColumnName(node, own, false) !== rightColumnName(node, own, true)) return undefined
  return left.source.ranges().some(({ segment }) => left.frame(segment).has(name)) ? undefined : own
}

/** The right side without rows beyond a bound; `undefined` where most are within. */
export function rightWithin(right: RightSide, name: string, bound: Bound): RightSide | undefined {
  const rows = rowsWithin(right.frame.column(name), bound)
  if (rows.length * LEFT_SHARE > right.keyedRows) return undefined
  const numbers = new Uint32Array(right.frame.rowCount).fill(NO_KEY)
  for (const row of rows) numbers[row] = right.numbers[row] ?? NO_KEY
  return new RightSide(right.frame, numbers, right.keyCount, false)
}
