import { work } from '../../base/index.ts'
import { printLogfmtPair, toText } from '../../data/index.ts'
import type { CompileRow, RowFunction } from '../definition.ts'
import { jsonObject, textJson, typedJson } from '../json-text.ts'
import { TextBuilder } from '../text/text-builder.ts'
import { fieldsAt, patternsOf, type PatternLists } from './shared.ts'

interface Params {
  readonly fieldPatterns: PatternLists
  readonly into: string
  /**
   * For the `logsql` dialect: `areTexts` writes all JSON values as strings, and `writesMissing` writes `name=` for a
   * plain name that a row lacks.
   */
  readonly areTexts?: boolean
  readonly writesMissing?: boolean
}

const parameters = [
  { name: 'fields', text: 'fields that are packed; all without any' },
  { name: 'as', text: 'field that gets the text' },
]

export const packJson: RowFunction = {
  name: 'pack_json',
  fieldParams: ['fieldPatterns'],
  doc: {
    summary: 'The row as a JSON object.',
    parameters,
    examples: [{ query: '* | pack_json fields (level, workload) as j | fields j | limit 3' }],
  },
}

export const compilePackJson: CompileRow<Params> = ({ fieldPatterns, into, areTexts }, { meter }) => {
  const patterns = patternsOf(fieldPatterns)
  const form = areTexts === true ? textJson : typedJson
  return (row) => row.set(into, jsonObject(fieldsAt(row, patterns), meter, 'pack_json', form))
}

export const packLogfmt: RowFunction = {
  name: 'pack_logfmt',
  fieldParams: ['fieldPatterns'],
  doc: {
    summary: 'The row as `name=value` pairs.',
    parameters,
    examples: [{ query: '* | pack_logfmt fields (level, workload) as line | fields line | limit 3' }],
  },
}

export const compilePackLogfmt: CompileRow<Params> = ({ fieldPatterns, into, writesMissing = false }, { meter }) => {
  const patterns = patternsOf(fieldPatterns)
  return (row) => {
    const text = new TextBuilder(meter, 'pack_logfmt')
    for (const [i, [name, value]] of fieldsAt(row, patterns, writesMissing).entries()) {
      if (i > 0) text.add(' ')
      const plain = toText(value)
      work(plain.length >>> 2)
      text.add(printLogfmtPair(name, plain))
    }
    return row.set(into, text.text())
  }
}
