import { jsonArray } from '../json-text.ts'
import { splitText } from '../text/json-fields.ts'
import { defineRowFunction } from './define.ts'
import { textAt } from './shared.ts'

interface Params {
  readonly from: string
  readonly into: string
  readonly separator: string
}

export const split = defineRowFunction<Params>({
  name: 'split',
  fieldParams: ['from'],
  compile:
    ({ from, into, separator }, { meter }) =>
    (row) =>
      row.set(into, jsonArray(splitText(textAt(row, from), separator, meter), meter, 'split')),
  doc: {
    summary: 'Cuts a text into a JSON list; an empty separator cuts between characters.',
    parameters: [
      { name: 'separator', text: 'where to cut' },
      { name: 'from', text: 'field that is read' },
    ],
    examples: [{ query: '* | split "-" from pod as parts | fields parts | limit 3' }],
  },
})
