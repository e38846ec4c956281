import { isEmptyValue } from '../../data/index.ts'
import type { CompileRow, RowFunction } from '../definition.ts'

export const dropEmptyFields: RowFunction = {
  name: 'drop_empty_fields',
  doc: {
    summary: 'Removes empty fields, then rows that have none left.',
    parameters: [],
    examples: [{ query: '* | drop_empty_fields | limit 3' }],
  },
}

export const compileDropEmptyFields: CompileRow<{ readonly keepsRows: boolean }> =
  ({ keepsRows }) =>
  (row) => {
    for (const [name, value] of row) if (isEmptyValue(value)) row.delete(name)
    return row.size === 0 && !keepsRows ? [] : row
  }
