import type { Colour } from '../../language/requests.ts'

/** Matches an attribute name; quoted parts may contain any character. */
const NAME = String.raw`(?:[^\s{}()=~!<>&|^,"]|"(?:[^"\\]|\\.)*"?)*`

/** Matches a token. Strings and comments may be unterminated. */
const TOKEN = new RegExp(
  [
    String.raw`(?<comment>//[^\n]*|/\*[^]*?(?:\*/|$))`,
    String.raw`(?<string>"(?:[^"\\\n]|\\.)*"?|\`[^\`]*\`?)`,
    String.raw`(?<field>(?:(?:parent\.)?(?:span|resource|event|link|instrumentation)\.|\.(?!\d))${NAME}|(?:trace|span|event|link|instrumentation):\w*)`,
    String.raw`(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?(?:[a-zµ]|\d)*)`,
    String.raw`(?<word>[a-z_]\w*)`,
    String.raw`(?<operator>=~|!~|!=|<=|>=|&&|\|\||>>|<<|\S)`,
  ].join('|'),
  'gi',
)

interface Token {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly kind: string
}

function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: found, index, groups = {} }) => ({
    start: index,
    end: index + found.length,
    text: found,
    kind: Object.keys(groups).find((name) => groups[name] !== undefined) ?? 'operator',
  }))
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '!='])

function colourOf({ text, kind }: Token, before: Token | undefined, next: Token | undefined): string {
  if (kind === 'field') return 'property'
  if (kind !== 'word') return kind
  if (next?.text === '(') return 'function'
  return COMPARISONS.has(before?.text ?? '') || ['true', 'false', 'nil'].includes(text) ? 'keyword' : 'property'
}

/**
 * Returns the highlighting of a query. A word before `(` is a function, one after `=` a constant, any other a field.
 */
export function coloursOf(text: string): readonly Colour[] {
  const tokens = tokensOf(text)
  return tokens.map((token, i) => ({
    start: token.start,
    end: token.end,
    kind: colourOf(token, tokens[i - 1], tokens[i + 1]),
  }))
}

/** Span to complete at an offset of a query, and its context. */
export interface Wanted {
  readonly start: number
  readonly end: number
  /** Text of the token before the offset; without the quote for a string. */
  readonly text: string
  /**
   * `nothing`: no completions, because the offset is in a comment, a number, or a string that is not compared with a
   * field.
   */
  readonly kind: 'words' | 'string' | 'nothing'
  /** Field that is compared with the value at the offset. */
  readonly field: string | undefined
}

/** Determines what to complete at an offset. */
export function wantedAt(text: string, offset: number): Wanted {
  const tokens = tokensOf(text)
  const at = tokens.findIndex(({ start, end, kind }) => start < offset && offset <= end && kind !== 'operator')
  const present = tokens[at]
  const before = present === undefined ? tokens.filter(({ end }) => end <= offset) : tokens.slice(0, at)
  const [compared, sign] = before.slice(-2)
  const isCompared = COMPARISONS.has(sign?.text ?? '') && ['field', 'word'].includes(compared?.kind ?? '')
  const field = isCompared ? compared?.text : undefined
  if (present === undefined) return { start: offset, end: offset, text: '', kind: 'words', field }
  const { start, kind } = present
  if (kind === 'field' || kind === 'word')
    return { start, end: present.end, text: text.slice(start, offset), kind: 'words', field }
  if (kind !== 'string' || field === undefined) return { start, end: offset, text: '', kind: 'nothing', field }
  const isClosed = present.text.length > 1 && present.text.endsWith(present.text.charAt(0))
  // An unterminated string ends at the end of the line, so text after the cursor is not part of the word.
  const end = isClosed ? present.end : offset
  return { start, end, text: text.slice(start + 1, offset), kind: 'string', field }
}
