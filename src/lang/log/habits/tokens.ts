/**
 * A token of a text in any query language: a word with all characters that touch it, a quoted string, or a special
 * character.
 */
export interface HabitToken {
  readonly kind: 'word' | 'text' | 'mark'
  /** Text of the token as written. */
  readonly text: string
  /** Content of a quoted string; for other tokens the text as written. */
  readonly value: string
  readonly start: number
  readonly end: number
  /** True if no blank separates the token from the previous one. */
  readonly touches: boolean
}

const MARKS = ['&&', '||', '|=', '|~', '==', '=~', '!~', '!=', '<>', '<=', '>=', ...'=<>()[]{},;|!'.split('')]
const ENDS = /[\s()[\]{},;=<>!|&"'`]/
const BLANK = /\s/

function endOfQuotes(text: string, start: number): number {
  const quote = text[start]
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\' && quote !== '`') i++
    else if (text[i] === quote) return i + 1
  }
  return -1
}

/** Splits a text of any query language into tokens, in linear time; `undefined` if a quote never closes. */
export function habitTokens(text: string): readonly HabitToken[] | undefined {
  const tokens: HabitToken[] = []
  let before = -1
  const add = (kind: HabitToken['kind'], start: number, end: number, value = text.slice(start, end)): void => {
    tokens.push({ kind, text: text.slice(start, end), value, start, end, touches: before === start })
    before = end
  }
  for (let i = 0; i < text.length;) {
    const char = text.charAt(i)
    if (BLANK.test(char)) {
      i++
      continue
    }
    if (char === '"' || char === "'" || char === '`') {
      const end = endOfQuotes(text, i)
      if (end === -1) return undefined
      // A backslash escapes only a quote or a backslash. Any other backslash is literal, because patterns in other
      // languages contain unescaped ones.
      const inside = text.slice(i + 1, end - 1)
      add('text', i, end, char === '`' ? inside : inside.replaceAll(/\\(["'\\])/g, '$1'))
      i = end
      continue
    }
    const mark = MARKS.find((each) => text.startsWith(each, i))
    if (mark !== undefined) {
      add('mark', i, i + mark.length)
      i += mark.length
      continue
    }
    let end = i + 1
    while (end < text.length && !ENDS.test(text.charAt(end))) end++
    add('word', i, end)
    i = end
  }
  return tokens
}

export interface QuerySegment {
  readonly tokens: readonly HabitToken[]
  /** Text of the part, trimmed. */
  readonly text: string
  /** Separator before the part; empty for the first part. */
  readonly mark: string
}

const OPENING = new Set(['(', '[', '{'])
const CLOSING = new Set([')', ']', '}'])

/** Splits a text at the separators in `marks` that stand outside parentheses. */
export function segmentsOf(
  source: string,
  tokens: readonly HabitToken[],
  marks: readonly string[],
): readonly QuerySegment[] {
  const segments: QuerySegment[] = []
  let depth = 0
  let from = 0
  let mark = ''
  const end = (to: number): void => {
    const inside = tokens.slice(from, to)
    const [first] = inside
    const last = inside.at(-1)
    const text = first === undefined || last === undefined ? '' : source.slice(first.start, last.end)
    segments.push({ tokens: inside, text, mark })
  }
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== 'mark') continue
    if (OPENING.has(token.text)) depth++
    else if (CLOSING.has(token.text)) depth--
    else if (depth === 0 && marks.includes(token.text)) {
      end(i)
      from = i + 1
      mark = token.text
    }
  }
  end(tokens.length)
  return segments
}

export function isWord(token: HabitToken | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toLowerCase())
}
