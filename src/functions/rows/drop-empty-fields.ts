import { isEmptyValue } from '../../data/index.ts'
import { defineRowFunction } from './define.ts'

export const dropEmptyFields = defineRowFunction<{ readonly keepsRows: boolean }>({
  name: 'drop_empty_fields',
  compile:
    ({ keepsRows }) =>
    (row) => {
      for (const [name, value] of row) if (isEmptyValue(value)) row.delete(name)
      return row.size === 0 && !keepsRows ? [] : row
    },
  doc: {
    summary: 'Removes empty fields, then rows that have none left.',
    parameters: [],
    examples: [{ query: '* | drop_empty_fields | limit 3' }],
  },
})
