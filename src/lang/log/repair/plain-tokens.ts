import { span, type Span } from '../../../base/index.ts'
import { logParser } from '../parser.ts'
import { scan } from '../scan.ts'

/** A token without types of the parser library. */
export interface PlainToken {
  /** Name of the token type; for keywords `Kw_` and the word. */
  readonly type: string
  /** Text as written. */
  readonly text: string
  /** String of a quoted token; else as written. */
  readonly value: string
  readonly span: Span
  readonly isWord: boolean
  readonly isGlue: boolean
  /** True if it touches the previous token. */
  readonly touches: boolean
}

const GLUE: ReadonlySet<string> = new Set(['Plus', 'Minus', 'Slash', 'Dot', 'Dollar'])

export interface TokensOfText {
  readonly tokens: readonly PlainToken[]
  readonly comments: readonly Span[]
}

/** Names of user-defined pipes. */
export type CustomPipeNames = Pick<ReadonlySet<string>, 'has' | 'size'>

export function tokensOf(text: string, customPipes?: CustomPipeNames): TokensOfText {
  // Building the grammar registers the keywords.
  logParser()
  const { tokens, comments } = scan(text, customPipes, true)
  let before = -1
  return {
    comments,
    tokens: tokens.map((token) => {
      const type = token.tokenType.name
      const end = (token.endOffset ?? token.startOffset) + 1
      const touches = token.startOffset === before
      before = end
      return {
        type,
        text: token.image,
        value: token.value,
        span: span(token.startOffset, end),
        isWord: type === 'Identifier' || type === 'CustomPipeName' || type.startsWith('Kw_'),
        isGlue: GLUE.has(type),
        touches,
      }
    }),
  }
}
