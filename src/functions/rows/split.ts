import type { CompileRow, RowFunction } from '../definition.ts'
import { jsonArray } from '../json-text.ts'
import { splitText } from '../text/json-fields.ts'
import { textAt } from './shared.ts'

interface Params {
  readonly from: string
  readonly into: string
  readonly separator: string
}

export const split: RowFunction = {
  name: 'split',
  fieldParams: ['from'],
  doc: {
    summary: 'Cuts a text into a JSON list; an empty separator cuts between characters.',
    parameters: [
      { name: 'separator', text: 'where to cut' },
      { name: 'from', text: 'field that is read' },
    ],
    examples: [{ query: '* | split "-" from pod as parts | fields parts | limit 3' }],
  },
}

export const compileSplit: CompileRow<Params> =
  ({ from, into, separator }, { meter }) =>
  (row) =>
    row.set(into, jsonArray(splitText(textAt(row, from), separator, meter), meter, 'split'))
