import { spanOf, type Diagnostic } from '../../base/index.ts'
import { quoteText } from '../promql/text/go-text.ts'

/** Union of the parameters of all diagnostics in `lexing.ts`. A message reads only the parameters of its own code. */
interface Data {
  readonly found: string
  readonly name: string
  readonly what: string
  readonly word: string
}

function characterAt(text: string, offset: number): string {
  const code = text.codePointAt(offset) ?? 0xfffd
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')} '${String.fromCodePoint(code)}'`
}

/** Returns the keyword of the action that contains an offset; `command` if the action has no keyword. */
function actionAt(source: string, offset: number): string {
  const before = source.slice(source.lastIndexOf('{{', offset), offset)
  return /^\{\{-?\s*(if|range|with|template|block)\b/.exec(before)?.[1] ?? 'command'
}

/**
 * Returns Go's name for the construct expected at an offset: a pipeline after `{{`, a keyword, `(` or `|`; else an
 * operand.
 */
function contextAt(source: string, offset: number): string {
  const before = source.slice(source.lastIndexOf('{{', offset), offset).trimEnd()
  if (before.endsWith('(')) return 'parenthesized pipeline'
  return /(?:^\{\{-?|\||\b(?:if|range|with))$/.test(before) ? actionAt(source, offset) : 'operand'
}

function badConstant(image: string): string {
  if (image.startsWith("'")) return `malformed character constant: ${image}`
  return /^["`]/.test(image) ? 'invalid syntax' : `bad number syntax: ${quoteText(image)}`
}

function unclosed(what: string, image: string): string {
  if (what === 'comment') return 'unclosed comment'
  if (image.startsWith('`')) return 'unterminated raw quoted string'
  return image.startsWith("'") ? 'unterminated character constant' : 'unterminated quoted string'
}

function unexpected(found: string, source: string, offset: number): string {
  const isInAction = source.lastIndexOf('{{', offset) > source.lastIndexOf('}}', offset)
  if (found === '') return isInAction ? 'unclosed action' : 'unexpected EOF'
  if (found.endsWith('}}')) return `missing value for ${actionAt(source, offset)}`
  if (found.startsWith('{{')) return `unexpected {{${found.replace(/^\{\{-?\s*/, '').replaceAll(/\s+/g, ' ')}}}`
  if (found === ')') return 'unexpected right paren'
  if (/^[^\p{L}\p{N}$.("'`|,:=_-]/u.test(found)) return `unrecognized character in action: ${characterAt(found, 0)}`
  const shown =
    Array.from(found).length > 10 ? `${quoteText(Array.from(found).slice(0, 10).join(''))}...` : quoteText(found)
  return `unexpected ${shown} in ${contextAt(source, offset)}`
}

function reason({ code, data, origin }: Diagnostic, source: string): string {
  const span = spanOf(origin) ?? { start: 0, end: 0 }
  const { found, name, what, word } = data as unknown as Data
  switch (code) {
    case 'template/unknown-function':
      return `function ${quoteText(name)} not defined`
    case 'template/unknown-variable':
      return `undefined variable ${quoteText(name)}`
    case 'template/no-end':
      return `bad character ${characterAt(source, span.end)}`
    case 'template/not-closed':
      return unclosed(what, source.slice(span.start))
    case 'template/outside-range':
      return `{{${word}}} outside {{range}}`
    case 'template/defined-twice':
      return `multiple definition of template ${quoteText(name)}`
    case 'template/bad-constant':
      return badConstant(source.slice(span.start, span.end))
    case 'template/unexpected':
      return unexpected(found, source, span.start)
    default:
      return code === 'template/too-deep' ? 'max expression depth exceeded' : 'invalid template'
  }
}

/** Returns Go's message for an error in a template called `name`, such as `template: line:1: unexpected EOF`. */
export function goTemplateError(diagnostic: Diagnostic, source: string, name: string): string {
  const start = spanOf(diagnostic.origin)?.start ?? 0
  return `template: ${name}:${source.slice(0, start).split('\n').length}: ${reason(diagnostic, source)}`
}
