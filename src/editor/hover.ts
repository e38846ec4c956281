import type { Span } from '../base/index.ts'
import { tableNamed } from '../plan/index.ts'
import { tokensOf, type PlainToken } from '../lang/log/index.ts'
import { filterNamed, mathFunctionNamed, pipeNamed, statsFunctionNamed, type Documentation } from './documentation.ts'
import { fieldOf, schemaBehind, tableOf } from './known-fields.ts'
import { wordsOf, type EditorOptions } from './editor-options.ts'

/** Documentation of a token, and where the token stands. */
export interface Hover {
  readonly span: Span
  /** The documentation as Markdown. */
  readonly text: string
}

const MATH: ReadonlySet<string> = new Set(['math', 'eval'])

function written({ title, form, summary, examples }: Documentation): string {
  const shown = examples.slice(0, 2).map((query) => `\n${query}`)
  return `**${title}**\n\n${summary}\n\n\`\`\`\n${form}\n${shown.join('')}\n\`\`\``.replace('\n\n```', '\n```')
}

/** Returns the name token of the pipe around a token, which is the first token of its stage. */
function pipeAround(tokens: readonly PlainToken[], index: number): PlainToken | undefined {
  let depth = 0
  for (let i = index; i > 0; i--) {
    const token = tokens[i]
    if (token?.text === ')') depth++
    if (token?.text === '(') depth--
    if (tokens[i - 1]?.type === 'Bar' && depth <= 0) return token
  }
  return undefined
}

function fieldText(tokens: readonly PlainToken[], index: number): { name: string; span: Span } {
  let first = index
  let last = index
  const glues = (token: PlainToken | undefined): boolean => token !== undefined && (token.isWord || token.isGlue)
  while (tokens[first]?.touches && glues(tokens[first - 1])) first--
  while (tokens[last + 1]?.touches && glues(tokens[last + 1])) last++
  while (tokens[first]?.isGlue && first < index) first++
  const parts = tokens.slice(first, last + 1)
  return {
    name: parts.map(({ text, value }) => (parts.length === 1 ? value : text)).join(''),
    span: { start: parts[0]?.span.start ?? 0, end: parts.at(-1)?.span.end ?? 0 },
  }
}

/**
 * Returns the documentation of the name at an offset: a pipe, function, filter or known field; `undefined` for other
 * names.
 */
export function hover(text: string, offset: number, options: EditorOptions): Hover | undefined {
  const vocabulary = wordsOf(options)
  const { tokens } = tokensOf(text, vocabulary.customPipes)
  const index = tokens.findIndex(({ span }) => span.start <= offset && offset < span.end)
  const token = tokens[index]
  if (token === undefined || !(token.isWord || token.type === 'Quoted' || token.isGlue)) return undefined
  const named = tokens[index - 1]?.text === '=' && tokens[index - 2]?.text.toLowerCase() === 'domain'
  const isFrom = tokens[index - 1]?.text.toLowerCase() === 'from' && tokens[index - 2]?.text === '('
  const isDomain = isFrom || (named && tokens[index - 3] !== undefined && '(,'.includes(tokens[index - 3]?.text ?? ' '))
  const shown = isDomain ? options.catalog.tables.get(tableNamed(token.value, options.catalog.tables)) : undefined
  if (shown !== undefined) {
    const { name, summary = '', schema } = shown
    const fields = schema.fields.map((field) => `\`${field.name}\``).join(', ')
    const lines = [`**table \`${name}\`**`, summary, fields === '' ? '' : `Fields: ${fields}`]
    return { span: token.span, text: lines.filter((line) => line !== '').join('\n\n') }
  }
  const pipe = pipeAround(tokens, index)
  if (token.isWord && pipe === token) {
    const doc = pipeNamed(token.text, vocabulary) ?? statsFunctionNamed(token.text, options.functions)
    return doc && { span: token.span, text: written(doc) }
  }
  const next = tokens[index + 1]?.text
  if (token.isWord && (next === '(' || next === '[')) {
    const isMath = pipe !== undefined && MATH.has(pipe.text.toLowerCase())
    const inFilter = filterNamed(token.text, vocabulary)
    const inStats = statsFunctionNamed(token.text, options.functions)
    const doc = isMath
      ? mathFunctionNamed(token.text, options.functions, vocabulary)
      : pipe === undefined
        ? inFilter
        : (inStats ?? inFilter)
    return doc && { span: token.span, text: written(doc) }
  }
  const { name, span } = fieldText(tokens, index)
  if (tokens[index - 1]?.text === ':' && next !== ':') return undefined
  const bar = tokens.slice(0, index).findLast(({ type }) => type === 'Bar')
  const schema = schemaBehind(bar === undefined ? '' : text.slice(0, bar.span.start), options)
  const field = fieldOf(name, schema, options)
  if (field === undefined) return undefined
  const table = tableOf(options)
  const aliases = [...(table?.aliases ?? [])]
    .filter(([, target]) => target === field.name)
    .map(([alias]) => `\`${alias}\``)
  const also = aliases.length === 0 ? '' : `\n\nAlso called ${aliases.join(', ')}.`
  return { span, text: `**field \`${field.name}\`**: ${field.type}${also}` }
}
