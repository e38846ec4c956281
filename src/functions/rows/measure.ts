import { utf8Length } from '../../data/index.ts'
import type { CompileRow, RowFunction } from '../definition.ts'
import { jsonItems } from '../text/json-fields.ts'
import { jsonTextAt, textAt } from './shared.ts'

interface Params {
  readonly field: string
  readonly into: string
}

export const len: RowFunction = {
  name: 'len',
  fieldParams: ['field'],
  doc: {
    summary: 'The bytes that the text of a field takes as UTF-8.',
    parameters: [{ name: 'field', text: 'field that is measured' }],
    examples: [{ query: '* | len(content) as bytes | fields bytes | limit 3' }],
  },
}

export const compileLen: CompileRow<Params> =
  ({ field, into }) =>
  (row) =>
    row.set(into, utf8Length(textAt(row, field)))

export const jsonArrayLen: RowFunction = {
  name: 'json_array_len',
  fieldParams: ['field'],
  doc: {
    summary: 'How many items a JSON list has; 0 for anything else.',
    parameters: [{ name: 'field', text: 'field with the list' }],
    examples: [{ query: '* | json_array_len(tags) as n | fields n | limit 3' }],
  },
}

export const compileJsonArrayLen: CompileRow<Params> =
  ({ field, into }, { meter }) =>
  (row) =>
    row.set(into, jsonItems(jsonTextAt(row, field, meter)).length)
