import { compileRegexp } from '../../base/index.ts'
import { readTextPattern } from '../../data/index.ts'
import type { CompileRow, RowFunction } from '../definition.ts'
import { applyPattern } from '../text/pattern.ts'
import { textAt, writeResult, type Overwriting } from './shared.ts'

interface Params extends Overwriting {
  readonly from: string
  readonly pattern: string
}

const parameters = [
  { name: 'pattern', text: 'what the text looks like' },
  { name: 'from', text: 'field that is read' },
  { name: 'keep_original_fields', text: 'a field that has a value keeps it' },
  { name: 'skip_empty_results', text: 'an empty result is not written' },
]

export const extract: RowFunction = {
  name: 'extract',
  fieldParams: ['from'],
  doc: {
    summary: 'Takes fields out of a text by literal text with placeholders between.',
    parameters,
    examples: [{ query: '* | extract "in <ms> ms" from content | fields content, ms | limit 3' }],
  },
}

export const compileExtract: CompileRow<Params> = (params) => {
  const parsed = readTextPattern(params.pattern)
  const steps = typeof parsed === 'string' ? [] : parsed
  const names = steps.flatMap((step) => (step.field === undefined || step.field === '' ? [] : [step.field]))
  return (row) => {
    if (steps.length === 0) return row
    const values = applyPattern(steps, textAt(row, params.from))
    for (const [i, name] of names.entries()) writeResult(row, name, values[i] ?? null, params)
    return row
  }
}

export const extractRegexp: RowFunction = {
  name: 'extract_regexp',
  fieldParams: ['from'],
  doc: {
    summary: 'Takes fields out of a text by the named groups of a regular expression.',
    parameters,
    examples: [{ query: '* | extract_regexp "(?P<ms>[0-9.]+) ms" from content | fields ms | limit 3' }],
  },
}

export const compileExtractRegexp: CompileRow<Params> = (params) => {
  const regexp = compileRegexp(params.pattern, false)
  return (row) => {
    const text = textAt(row, params.from)
    const match = regexp.find(text)
    for (const [group, name] of regexp.groupNames.entries()) {
      if (name === undefined) continue
      const start = match === undefined ? -1 : match[2 * group]
      writeResult(row, name, start === -1 || match === undefined ? '' : text.slice(start, match[2 * group + 1]), params)
    }
    return row
  }
}
