import { present } from '../../../base/index.ts'
import type { Row } from '../../../data/index.ts'
import type { TableApply } from '../../../plan/index.ts'
import { columnBytes, storedBytes, type Segment, type StoredColumn } from '../../../store/index.ts'
import { frameOfRows } from '../frame-rows.ts'
import { again, type OperatorFactory } from '../operator.ts'
import { matchingSegments } from './matching-segments.ts'

type Encoded = StoredColumn['column']

/** Returns the name of a column's encoding; for a sparse column, includes the encoding of the inner column. */
function encoding(column: Encoded): string {
  return column.kind === 'sparse' ? `sparse ${encoding(column.present)}` : column.kind
}

function dictionaryOf(column: Encoded): { readonly items: number; readonly bytes: number } {
  if (column.kind === 'sparse') return dictionaryOf(column.present)
  if (column.kind !== 'dictionary') return { items: 0, bytes: 0 }
  const { size, offsets } = column.dictionary
  return { items: size, bytes: present(offsets[size], 'the end of a dictionary') }
}

function statsOf(segment: Segment, field: string, stored: StoredColumn): Row {
  const dictionary = dictionaryOf(stored.column)
  const valuesBytes = columnBytes(stored.column)
  const wordBytes = field === segment.textField ? (segment.words?.memoryBytes ?? 0) : 0
  return new Map<string, string | number>([
    ['block', segment.id],
    ['field', field],
    ['type', encoding(stored.column)],
    ['rows', segment.rowCount],
    ['missing_rows', stored.missingCount],
    ['values_bytes', valuesBytes],
    ['index_bytes', storedBytes(stored) - valuesBytes + wordBytes],
    ['dictionary_items', dictionary.items],
    ['dictionary_bytes', dictionary.bytes],
  ])
}

/**
 * Makes the operator that returns one row for each field of each segment with a matching row. Segments are newest
 * first.
 */
export const blockStatsOperator: OperatorFactory<TableApply> = ({ inputs: [input] }) => {
  const segments = matchingSegments(input)
  let waiting: Row[] = []
  return {
    pull(want) {
      if (waiting.length === 0) {
        const next = segments.next()
        if (next.done === true) return undefined
        const segment = next.value
        if (segment !== undefined) {
          waiting = [...segment.columns].map(([field, stored]) => statsOf(segment, field, stored))
        }
        if (waiting.length === 0) return again
      }
      const rows = waiting.slice(0, want)
      waiting = waiting.slice(want)
      return frameOfRows(rows)
    },
  }
}
