import { isEmptyValue } from '../../data/index.ts'
import type { CompileRow, RowFunction } from '../definition.ts'
import { fieldsAt, patternsOf, type PatternLists } from './shared.ts'

interface Params {
  readonly fieldPatterns: PatternLists
  readonly default: string
  readonly into: string
}

export const coalesce: RowFunction = {
  name: 'coalesce',
  fieldParams: ['fieldPatterns'],
  doc: {
    summary: 'The first of some fields that is not empty.',
    parameters: [
      { name: 'fields', text: 'fields in the order in which they are tried' },
      { name: 'default', text: 'value when all are empty' },
    ],
    examples: [{ query: '* | coalesce(trace_id, pod) as origin | fields origin' }],
  },
}

export const compileCoalesce: CompileRow<Params> = ({ fieldPatterns, default: otherwise, into }) => {
  const patterns = patternsOf(fieldPatterns)
  return (row) => {
    const found = fieldsAt(row, patterns).find(([, value]) => !isEmptyValue(value))
    return row.set(into, found === undefined ? otherwise : found[1])
  }
}
