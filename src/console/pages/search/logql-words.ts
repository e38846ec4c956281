import { tokensOf, wantedIn, type Token, type Wanted } from '../../editor/word-tokens.ts'
import type { Colour } from '../../language/requests.ts'

/** Matches a token. Strings may be unterminated. */
const TOKEN = new RegExp(
  [
    /(?<comment>#[^\n]*)/,
    /(?<string>"(?:[^"\\\n]|\\.)*"?|`[^`]*`?)/,
    /(?<keyword>--(?:strict|keep-empty)\b)/,
    /(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?(?:[a-zµ]|\d)*)/,
    /(?<word>[\p{L}_][\p{L}\p{N}_]*)/u,
    /(?<operator>\|[=~>]|![=~>]|=~|[=<>]=|\S)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
)

const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '=~', '!~'])

const KEYWORDS: ReadonlySet<string> = new Set(
  'by without on ignoring group_left group_right and or unless bool offset'.split(' '),
)

/** Words that are keywords after `|`. Elsewhere they may be names of labels. */
const STAGES: ReadonlySet<string> = new Set(
  'json logfmt pattern regexp unpack unwrap line_format label_format decolorize drop keep'.split(' '),
)

function colourOf({ text, kind }: Token, before: Token | undefined, next: Token | undefined): string {
  if (kind !== 'word') return kind
  const word = text.toLowerCase()
  if (KEYWORDS.has(word) || (before?.text === '|' && STAGES.has(word))) return 'keyword'
  return next?.text === '(' || ['by', 'without'].includes(next?.text.toLowerCase() ?? '') ? 'function' : 'property'
}

/**
 * Returns the highlighting of a query. A word is a keyword (some only after `|`), a function before `(`, `by` or
 * `without`, or else a label.
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

/** The streams that an offset in a query refers to. */
export interface StreamsAt {
  /** The last selector before the offset, or else the first one after it; `undefined` if none is complete. */
  readonly selector: string | undefined
  /** True if the offset is inside a selector. */
  readonly isInside: boolean
}

export function streamsAt(text: string, offset: number): StreamsAt {
  let open: number | undefined
  let selector: string | undefined
  let isInside = false
  for (const { text: sign, start, end } of tokensOf(text, TOKEN)) {
    if (sign === '{') open = start
    if (start < offset) isInside = open !== undefined && sign !== '}'
    if (sign !== '}' || open === undefined) continue
    if (end <= offset || selector === undefined) selector = text.slice(open, end)
    open = undefined
  }
  return { selector, isInside }
}
