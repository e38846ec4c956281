import type { Scan } from '../../../plan/index.ts'
import type { OperatorFactory } from '../operator.ts'
import { scanRows } from '../scan/rows.ts'
import { ScanSource } from '../scan/source.ts'

export const scanOperator: OperatorFactory<Scan> = ({ node, context, measure }) =>
  scanRows(new ScanSource(node, context, measure))
