import { integer, xxh64 } from '../../data/index.ts'
import { defineRowFunction } from './define.ts'
import { textAt } from './shared.ts'

export const hash = defineRowFunction<{ readonly field: string; readonly into: string }>({
  name: 'hash',
  fieldParams: ['field'],
  compile:
    ({ field, into }) =>
    (row) =>
      row.set(into, integer(xxh64(textAt(row, field)))),
  doc: {
    summary: 'A 64-bit hash (XXH64) of the UTF-8 text of a field.',
    parameters: [{ name: 'field', text: 'field that is hashed' }],
    examples: [{ query: '* | hash(trace_id) as h | fields h | limit 3' }],
  },
})
