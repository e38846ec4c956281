import { span, type Span } from '../../../base/index.ts'
import { logParser } from '../parser.ts'
import { scan } from '../scan.ts'

/** A token as plain data, independent of the parser library. */
export interface PlainToken {
  /** Name of the token type; for keywords `Kw_` followed by the word. */
  readonly type: string
  /** Text of the token as written. */
  readonly text: string
  /** Content of a quoted token; for other tokens the text as written. */
  readonly value: string
  readonly span: Span
  readonly isWord: boolean
  readonly isGlue: boolean
  /** True if no blank separates the token from the previous one. */
  readonly touches: boolean
}

const GLUE: ReadonlySet<string> = new Set(['Plus', 'Minus', 'Slash', 'Dot', 'Dollar'])

export interface TokensOfText {
  readonly tokens: readonly PlainToken[]
  readonly comments: readonly Span[]
}

/** Set of the names of user-defined pipes. */
export type CustomPipeNames = Pick<ReadonlySet<string>, 'has' | 'size'>

export function tokensOf(text: string, customPipes?: CustomPipeNames): TokensOfText {
  // Building the parser registers the keywords.
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
