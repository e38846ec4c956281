import type { Colour } from '../../language/requests.ts'

/** The name of an attribute; what is quoted may have any character. */
const NAME = String.raw`(?:[^\s{}()=~!<>&|^,"]|"(?:[^"\\]|\\.)*"?)*`

/** The kinds of tokens. Strings and comments may be open at the end of the text. */
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

/** Returns the colours of a query: a word is a function in front of `(`, a constant behind `=`, or else a field. */
export function coloursOf(text: string): readonly Colour[] {
  const tokens = tokensOf(text)
  return tokens.map((token, i) => ({
    start: token.start,
    end: token.end,
    kind: colourOf(token, tokens[i - 1], tokens[i + 1]),
  }))
}

/** Words that can stand at an offset of a query, and the text that one of them would replace. */
export interface Wanted {
  readonly start: number
  readonly end: number
  /** The text in front of the offset; of a string without its quote. */
  readonly text: string
  /** `nothing`: in a comment, a number, or a string that is compared with no field. */
  readonly kind: 'words' | 'string' | 'nothing'
  /** The field whose value stands here. */
  readonly field: string | undefined
}

/** Returns what completion offers at an offset. */
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
  // An open string reaches to the end of the line, over what stands behind the cursor.
  const end = isClosed ? present.end : offset
  return { start, end, text: text.slice(start + 1, offset), kind: 'string', field }
}
