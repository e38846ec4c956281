import { tokensOf, wantedIn, type Token, type Wanted } from '../../editor/word-tokens.ts'
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
  const tokens = tokensOf(text, TOKEN)
  return tokens.map((token, i) => ({
    start: token.start,
    end: token.end,
    kind: colourOf(token, tokens[i - 1], tokens[i + 1]),
  }))
}

/** Returns what completion offers at an offset. */
export function wantedAt(text: string, offset: number): Wanted {
  return wantedIn(tokensOf(text, TOKEN), text, offset, COMPARISONS)
}
