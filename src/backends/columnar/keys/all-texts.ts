import type { Column } from '../../../data/index.ts'

/** Whether a column is known to hold texts alone, or nothing: then equal values are the same, as 0 and -0 are not. */
export function isAllTexts(column: Column): boolean {
  switch (column.kind) {
    case 'text':
      return true
    case 'constant':
      return column.value === null || typeof column.value === 'string'
    case 'dictionary':
      return column.dictionary.isAllText
    case 'gathered':
      return isAllTexts(column.source)
    case 'sparse':
      return isAllTexts(column.present)
    case 'chunked':
      return column.parts.every(isAllTexts)
    default:
      return false
  }
}
