import { work } from '../../../base/index.ts'
import {
  compilePattern,
  ExpansionFault,
  isTrue,
  lowerText,
  replaceMatches,
  textOfBytes,
  upperText,
  utf8Bytes,
} from '../../go-template/index.ts'
import { numberAndString, strings, type EntryContext, type EntryFunction, type EntryFunctions } from './context.ts'

/** White space of Unicode. JavaScript's `\s` differs in two characters. */
const SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const IS_SPACE = new RegExp(SPACE)

/**
 * Removes white space at both ends. Uses loops, because a pattern for trailing space takes quadratic time on long runs
 * of spaces.
 */
function trimSpace(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && IS_SPACE.test(text.charAt(from))) from++
  while (to > from && IS_SPACE.test(text.charAt(to - 1))) to--
  return text.slice(from, to)
}

/** Removes characters of a set from one end or both ends. */
function trimSet(text: string, set: string, sides: 'left' | 'right' | 'both'): string {
  const chars = Array.from(text)
  const inSet = new Set(set)
  let [from, to] = [0, chars.length]
  if (sides !== 'right') while (from < to && inSet.has(chars[from] ?? '')) from++
  if (sides !== 'left') while (to > from && inSet.has(chars[to - 1] ?? '')) to--
  return chars.slice(from, to).join('')
}

function trimPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text
}

function trimSuffix(text: string, suffix: string): string {
  return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
}

/**
 * Matches the first letter of each word. Words consist of letters, digits, `_`, and all non-ASCII characters except
 * white space.
 */
const WORD_START = new RegExp(`(?<=^|[\\0-/:-@[-^\`{-\\x7f]|${SPACE})[^\\0-/:-@[-^\`{-\\x7f]`, 'gu')

function title(text: string): string {
  return text.replaceAll(WORD_START, upperText)
}

/**
 * Replaces at most `most` occurrences of `from`; all if `most` is negative. An empty `from` matches between characters.
 */
function replaceText(text: string, [from, to, most]: readonly [string, string, number], context: EntryContext): string {
  const parts = from === '' ? ['', ...Array.from(text), ''] : text.split(from)
  const count = most < 0 ? parts.length - 1 : Math.min(most, parts.length - 1)
  context.budget.checkLength(text.length + count * Math.max(0, to.length - from.length))
  if (from !== '') return [parts.slice(0, count + 1).join(to), ...parts.slice(count + 1)].join(from)
  const chars = Array.from(text)
  return chars.map((char, i) => (i < count ? to : '') + char).join('') + (count > chars.length ? to : '')
}

function truncate(count: number, text: string): string {
  const bytes = utf8Bytes(text)
  if (count >= 0) return bytes.length > count ? textOfBytes(bytes.slice(0, count)) : text
  return bytes.length + count > 0 ? textOfBytes(bytes.slice(count)) : text
}

/** Returns part of a string. A negative start means its beginning; a negative or too large end means its end. */
function substring(start: number, end: number, text: string): string {
  const bytes = utf8Bytes(text)
  const [from, to] = start < 0 ? [0, end] : [start, end < 0 || end > bytes.length ? bytes.length : end]
  if (to < 0 || to > bytes.length) {
    const range = to < 0 ? `[:${to}]` : `[:${to}] with length ${bytes.length}`
    throw new ExpansionFault(`runtime error: slice bounds out of range ${range}`)
  }
  if (from > to) throw new ExpansionFault(`runtime error: slice bounds out of range [${from}:${to}]`)
  return textOfBytes(bytes.slice(from, to))
}

function indent(count: number, text: string, context: EntryContext): string {
  const lines = text.split('\n')
  const size = Math.max(0, count)
  context.budget.checkLength(text.length + lines.length * size)
  return lines.map((line) => ' '.repeat(size) + line).join('\n')
}

function repeat(count: number, text: string, context: EntryContext): string {
  if (count < 0) throw new ExpansionFault('strings: negative Repeat count')
  context.budget.checkLength(text.length * count)
  return text.repeat(count)
}

/** Returns a template function that pads or truncates a string to a number of characters. */
function align(side: 'left' | 'right'): EntryFunction {
  return numberAndString((count, text, context) => {
    const chars = Array.from(text)
    if (count < 0 || count === chars.length) return text
    if (count < chars.length)
      return (side === 'left' ? chars.slice(0, count) : chars.slice(-count || chars.length)).join('')
    context.budget.checkLength(count)
    const fill = ' '.repeat(count - chars.length)
    return side === 'left' ? text + fill : fill + text
  })
}

function countMatches(pattern: string, text: string): bigint {
  work(pattern.length * text.length)
  const regexp = compilePattern(pattern)
  let count = 0n
  let previousEnd = -1
  for (let from = 0; from <= text.length;) {
    const match = regexp.find(text, from)
    if (match === undefined) break
    const [start = 0, end = 0] = match
    // An empty match directly after another match is not counted.
    if (end > start || start !== previousEnd) count++
    previousEnd = end
    const width = String.fromCodePoint(text.codePointAt(from) ?? 0).length
    from = Math.max(end, from + width)
  }
  return count
}

function replacing(isLiteral: boolean): EntryFunction {
  return {
    parameters: ['string', 'string', 'string'],
    call: (args, { budget }) => {
      const [pattern = '', text = '', replacement = ''] = args as string[]
      return replaceMatches(pattern, text, { replacement, isLiteral }, (chars) => budget.checkLength(chars))
    },
  }
}

/** Functions on strings, whose last argument is the string. */
export const stringFunctions: EntryFunctions = {
  lower: strings(1, (text = '') => lowerText(text)),
  upper: strings(1, (text = '') => upperText(text)),
  title: strings(1, (text = '') => title(text)),
  trunc: numberAndString(truncate),
  substr: {
    parameters: ['int', 'int', 'string'],
    call: ([start, end, text]) => substring(Number(start), Number(end), text as string),
  },
  contains: strings(2, (substring = '', text = '') => text.includes(substring)),
  hasPrefix: strings(2, (prefix = '', text = '') => text.startsWith(prefix)),
  hasSuffix: strings(2, (suffix = '', text = '') => text.endsWith(suffix)),
  indent: numberAndString(indent),
  nindent: numberAndString((count, text, context) => `\n${indent(count, text, context)}`),
  replace: {
    parameters: ['string', 'string', 'string'],
    call: ([from, to, text], context) => replaceText(text as string, [from as string, to as string, -1], context),
  },
  repeat: numberAndString(repeat),
  trim: strings(1, (text = '') => trimSpace(text)),
  trimAll: strings(2, (set = '', text = '') => trimSet(text, set, 'both')),
  trimPrefix: strings(2, (prefix = '', text = '') => trimPrefix(text, prefix)),
  trimSuffix: strings(2, (suffix = '', text = '') => trimSuffix(text, suffix)),
  default: {
    parameters: ['any'],
    rest: 'any',
    call: ([otherwise = null, value = null]) => (isTrue(value) ? value : otherwise),
  },
  alignLeft: align('left'),
  alignRight: align('right'),
  count: strings(2, (pattern = '', text = '') => countMatches(pattern, text)),
  regexReplaceAll: replacing(false),
  regexReplaceAllLiteral: replacing(true),
}

/** Functions of the first version of the language, whose first argument is the string. */
export const oldStringFunctions: EntryFunctions = {
  ToLower: strings(1, (text = '') => lowerText(text)),
  ToUpper: strings(1, (text = '') => upperText(text)),
  Replace: {
    parameters: ['string', 'string', 'string', 'int'],
    call: ([text, from, to, most], context) =>
      replaceText(text as string, [from as string, to as string, Number(most)], context),
  },
  Trim: strings(2, (text = '', set = '') => trimSet(text, set, 'both')),
  TrimLeft: strings(2, (text = '', set = '') => trimSet(text, set, 'left')),
  TrimRight: strings(2, (text = '', set = '') => trimSet(text, set, 'right')),
  TrimPrefix: strings(2, (text = '', prefix = '') => trimPrefix(text, prefix)),
  TrimSuffix: strings(2, (text = '', suffix = '') => trimSuffix(text, suffix)),
  TrimSpace: strings(1, (text = '') => trimSpace(text)),
}
