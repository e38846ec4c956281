import type { TableFunction } from '../../../functions/index.ts'
import { hidesRows, type LogicalPlan, type TableApply } from '../../../plan/index.ts'

/** Returns the reason why a table function about segments cannot run over this input; `undefined` if it can run. */
export function physicalRefusal(
  node: TableApply,
  { physical }: TableFunction,
  keepsSegments: (table: string) => boolean,
): string | undefined {
  if (physical === undefined) return undefined
  if (hidesRows(node.input)) return `\`${node.fn}\` would tell of rows that a data scope hides`
  if (physical === 'reading') return undefined
  let below: LogicalPlan = node.input
  while (below.kind === 'filter') below = below.input
  if (below.kind === 'scan' && !keepsSegments(below.table)) {
    return `\`${node.fn}\` tells of stored segments, and the table \`${below.table}\` is read row by row`
  }
  const isEmpty = below.kind === 'values' && below.rows.length === 0
  return below.kind === 'scan' || isEmpty
    ? undefined
    : `\`${node.fn}\` tells of stored rows and stands right behind the filters`
}
