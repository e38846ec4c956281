import { xxh64 } from '../../data/index.ts'
import type { CompileRow, RowFunction } from '../definition.ts'
import { textAt } from './shared.ts'

export const hash: RowFunction = {
  name: 'hash',
  fieldParams: ['field'],
  doc: {
    summary:
      'The low 53 bits of the XXH64 hash of the UTF-8 text of a field: a whole number that every reader of JSON keeps exact.',
    parameters: [{ name: 'field', text: 'field that is hashed' }],
    examples: [{ query: '* | hash(trace_id) as h | fields h | limit 3' }],
  },
}

export const compileHash: CompileRow<{ readonly field: string; readonly into: string }> =
  ({ field, into }) =>
  (row) =>
    row.set(into, Number(BigInt.asUintN(53, xxh64(textAt(row, field)))))
