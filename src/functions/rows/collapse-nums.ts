import { collapseNumbers, collapseNumbersPretty } from '../../data/index.ts'
import type { CompileRow } from '../definition.ts'
import { editing } from './text-edits.ts'

export const compileCollapseNums: CompileRow<{ readonly field: string; readonly isPretty: boolean }> = ({
  field,
  isPretty,
}) => editing(field, isPretty ? collapseNumbersPretty : collapseNumbers)
