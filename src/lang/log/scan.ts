import { isWordAt } from '../../data/index.ts'
import { span, type Span } from '../../base/index.ts'
import * as t from './tokens.ts'
import type { Token } from './tokens.ts'
import { endOfQuoted, unquote, type QuoteFault } from './unquote.ts'

export interface Scanned {
  readonly tokens: Token[]
  /** From `#` to the end of the line, in order. */
  readonly comments: readonly Span[]
  readonly faults: readonly QuoteFault[]
}

const byFirst = new Map<string, readonly (typeof t.Bar)[]>()
for (const type of t.punctuations) {
  const first = type.label.charAt(0)
  byFirst.set(first, [...(byFirst.get(first) ?? []), type])
}

function token(type: typeof t.Bar, source: string, start: number, end: number, value?: string): Token {
  const image = source.slice(start, end)
  return {
    tokenType: type,
    image,
    startOffset: start,
    endOffset: end - 1,
    value: value ?? image,
  }
}

const BLANK = /\s/

function isBlank(source: string, i: number): boolean {
  const unit = source.charCodeAt(i)
  return unit === 32 || (unit >= 9 && unit <= 13) || (unit >= 0x80 && BLANK.test(source.charAt(i)))
}

const NAME = /\$[A-Za-z_][A-Za-z0-9_]*/y

/** `$name` at an offset, unless it is glued to a word or quoted text in front of it. */
function parameterAt(source: string, i: number): string {
  let before = i - 1
  while (before >= 0 && '+-/.'.includes(source.charAt(before))) before--
  const isGlued = before >= 0 && (isWordAt(source, before) || '"\'`$'.includes(source.charAt(before)))
  if (isGlued) return ''
  NAME.lastIndex = i
  return NAME.exec(source)?.[0] ?? ''
}

/** Keywords are ASCII, and short. */
function wordType(word: string, customPipes: Names | undefined): typeof t.Bar {
  const name = word.toLowerCase()
  const keyword = word.length <= 32 ? t.keywordOf(name) : undefined
  return keyword ?? (customPipes?.has(name) === true ? t.CustomPipeName : t.Identifier)
}

/** The names of pipes that a user has defined. */
type Names = Pick<ReadonlySet<string>, 'has' | 'size'>

/**
 * Cuts a text into tokens in one pass; never fails: what fits nothing becomes an `Other` or `Unclosed` token that no
 * rule takes. Blanks are dropped but show as gaps between offsets, which is how the parser sees that tokens touch.
 */
export function scan(source: string, customPipes?: Names, hasParameters = false): Scanned {
  const tokens: Token[] = []
  const comments: Span[] = []
  const faults: QuoteFault[] = []
  for (let i = 0; i < source.length;) {
    if (isBlank(source, i)) {
      i++
      continue
    }
    const char = source[i]
    if (char === '#') {
      const newline = source.indexOf('\n', i)
      const end = newline === -1 ? source.length : newline
      comments.push(span(i, end))
      i = end
      continue
    }
    if (isWordAt(source, i)) {
      const start = i
      while (i < source.length && isWordAt(source, i)) i += (source.codePointAt(i) ?? 0) > 0xffff ? 2 : 1
      const word = source.slice(start, i)
      tokens.push(token(wordType(word, customPipes), source, start, i))
      continue
    }
    const parameter = hasParameters && char === '$' ? parameterAt(source, i) : ''
    if (parameter !== '') {
      tokens.push(token(t.Parameter, source, i, i + parameter.length))
      i += parameter.length
      continue
    }
    if (char === '"' || char === "'" || char === '`') {
      const end = endOfQuoted(source, i)
      if (end === -1) {
        tokens.push(token(t.Unclosed, source, i, source.length))
        i = source.length
        continue
      }
      const { value, fault } = unquote(source, i, end)
      if (fault !== undefined) faults.push(fault)
      tokens.push(token(t.Quoted, source, i, end, value))
      i = end
      continue
    }
    const type = byFirst.get(char ?? '')?.find((candidate) => source.startsWith(candidate.label, i))
    const length = type === undefined ? ((source.codePointAt(i) ?? 0) > 0xffff ? 2 : 1) : type.label.length
    tokens.push(token(type ?? t.Other, source, i, i + length))
    i += length
  }
  return { tokens, comments, faults }
}
