import { span, type Span } from '../base/index.ts'
import { tokensOf, type CustomPipeNames, type PlainToken } from '../lang/log/index.ts'

export interface Cursor {
  /** Span of the word at the cursor, which a completion replaces. */
  readonly span: Span
  /** The part of the word that is before the cursor. */
  readonly prefix: string
  /** Quote character if the cursor is inside a quoted string; `prefix` is the text after it. */
  readonly quote: string | undefined
  /** Tokens of the stage before `span`. */
  readonly tokens: readonly PlainToken[]
  readonly endsTouching: boolean
  readonly isFirstStage: boolean
  /** The query before the innermost stage; empty if the cursor is in the filter at its start. */
  readonly before: string
}

const OPEN: ReadonlySet<string> = new Set(['(', '[', '{'])
const CLOSE: ReadonlySet<string> = new Set([')', ']', '}'])
const WORD_BEFORE = /[\p{L}\p{Nd}_./$-]*$/u
const PLAIN_WORD_BEFORE = /[\p{L}\p{Nd}_.]*$/u
const WORD_AFTER = /^[\p{L}\p{Nd}_]*/u

interface Level {
  readonly start: number
  /** End of the last `|` at this nesting level. */
  bar: number | undefined
}

/**
 * Returns for each open parenthesis at the end of `tokens` the offsets where its content starts and its last `|` ends.
 */
function levelsOf(tokens: readonly PlainToken[]): readonly [Level, ...Level[]] {
  const outermost: Level = { start: 0, bar: undefined }
  const levels: [Level, ...Level[]] = [outermost]
  for (const token of tokens) {
    if (OPEN.has(token.text)) levels.push({ start: token.span.end, bar: undefined })
    else if (CLOSE.has(token.text) && levels.length > 1) levels.pop()
    else if (token.type === 'Bar') (levels.at(-1) ?? outermost).bar = token.span.end
  }
  return levels
}

/** Describes the position of the cursor; `undefined` inside a comment. Reads only the text up to the cursor. */
export function cursorAt(text: string, offset: number, customPipes?: CustomPipeNames): Cursor | undefined {
  const head = text.slice(0, offset)
  const { tokens, comments } = tokensOf(head, customPipes)
  if (comments.some(({ start, end }) => start < offset && offset <= end && end === head.length)) return undefined
  const last = tokens.at(-1)
  const quote = last?.type === 'Unclosed' ? last.text[0] : undefined
  const outer = levelsOf(tokens)
  const stageWord = tokens.find(({ span: where }) => where.start >= (outer[0].bar ?? Infinity))
  const isMath = stageWord?.text.toLowerCase() === 'math' || stageWord?.text.toLowerCase() === 'eval'
  const word = ((isMath ? PLAIN_WORD_BEFORE : WORD_BEFORE).exec(head)?.[0] ?? '').replace(/^[-./$]+/, '')
  const start = quote === undefined ? offset - word.length : (last?.span.start ?? offset)
  const kept = tokens.filter(({ span: where }) => where.end <= start)
  const levels = levelsOf(kept)
  const stageStart = levels[0].bar ?? 0
  const inner = levels.findLast((level) => level.bar !== undefined)
  return {
    span: span(start, offset + (quote === undefined ? (WORD_AFTER.exec(text.slice(offset))?.[0].length ?? 0) : 0)),
    prefix: quote === undefined ? word : head.slice(start + 1),
    quote,
    tokens: kept.filter(({ span: where }) => where.start >= stageStart),
    endsTouching: kept.at(-1)?.span.end === start && start > 0,
    isFirstStage: levels[0].bar === undefined,
    before: inner?.bar === undefined ? '' : head.slice(inner.start, inner.bar - 1),
  }
}
