import { compileRegexp } from '../../base/index.ts'
import { dropColor } from '../../data/index.ts'
import type { CompileRow, RowFunction } from '../definition.ts'
import { replaceMatches, replaceText } from '../text/replace.ts'
import { textAt } from './shared.ts'

/**
 * Returns a row function that edits a string field. A value that the edit does not change keeps its type; a missing
 * field stays missing.
 */
export function editing(field: string, edit: (text: string) => string): ReturnType<CompileRow> {
  return (row) => {
    const text = textAt(row, field)
    const now = text === '' ? text : edit(text)
    return now === text ? row : row.set(field, now)
  }
}

export const collapseNums: RowFunction = {
  name: 'collapse_nums',
  fieldParams: ['field'],
  doc: {
    summary: 'Replaces numbers by `<N>`, and with prettify dates, addresses and the like by their names.',
    parameters: [
      { name: 'at', text: 'field that is changed' },
      { name: 'prettify', text: 'fold well-known groups of numbers' },
    ],
    examples: [{ query: '* | collapse_nums prettify | stats by (content) count() n | sort by (n desc) | limit 5' }],
  },
}

export const decolorize: RowFunction = {
  name: 'decolorize',
  fieldParams: ['field'],
  doc: {
    summary: 'Removes terminal colour codes.',
    parameters: [{ name: 'field', text: 'field that is changed' }],
    examples: [{ query: '* | decolorize content' }],
  },
}

export const compileDecolorize: CompileRow<{ readonly field: string }> = ({ field }) => editing(field, dropColor)

interface ReplaceParams {
  readonly field: string
  readonly old: string
  readonly new: string
  readonly limit: number
}

export const replace: RowFunction = {
  name: 'replace',
  fieldParams: ['field'],
  doc: {
    summary: 'Replaces a text wherever it occurs in a field.',
    parameters: [
      { name: 'old, new', text: 'the text and what takes its place' },
      { name: 'at', text: 'field that is changed' },
      { name: 'limit', text: 'at most so many times' },
    ],
    examples: [{ query: '* | replace ("GET", "get") at content limit 1' }],
  },
}

export const compileReplace: CompileRow<ReplaceParams> = ({ field, old, new: replacement, limit }, { meter }) =>
  editing(field, (text) => replaceText(text, old, replacement, limit, meter))

interface ReplaceRegexpParams {
  readonly field: string
  readonly pattern: string
  readonly replacement: string
  readonly limit: number
}

export const replaceRegexp: RowFunction = {
  name: 'replace_regexp',
  fieldParams: ['field'],
  doc: {
    summary: 'Replaces the matches of a regular expression; `$1`, `${1}` and `${name}` stand for its groups.',
    parameters: [
      { name: 'pattern, replacement', text: 'RE2 and what takes the place of a match' },
      { name: 'at', text: 'field that is changed' },
      { name: 'limit', text: 'at most so many times' },
    ],
    examples: [{ query: '* | replace_regexp ("user[0-9]+", "user") at content' }],
  },
}

export const compileReplaceRegexp: CompileRow<ReplaceRegexpParams> = (
  { field, pattern, replacement, limit },
  { meter },
) => {
  const regexp = compileRegexp(pattern, false)
  return editing(field, (text) => replaceMatches(text, regexp, replacement, limit, meter))
}
