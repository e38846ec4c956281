import { invariant } from '../../../base/index.ts'
import type { Scan } from '../../../plan/index.ts'
import type { OperatorFactory } from '../operator.ts'
import { scanRows } from '../scan/rows.ts'
import { ScanSource } from '../segments/source.ts'
import { tableRows } from '../scan/table-source.ts'

export const scanOperator: OperatorFactory<Scan> = ({ node, context, measure }) => {
  if (context.segments.has(node)) return scanRows(new ScanSource(node, context, measure))
  const table = context.tables.get(node.table)
  const plan = context.scans.get(node)
  invariant(table !== undefined && plan !== undefined, `no table named ${node.table}`)
  return tableRows(table, plan, context, measure)
}
