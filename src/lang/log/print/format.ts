import { LINE_CHARS, type Span } from '../../../base/index.ts'
import { openParameters } from '../open-parameters.ts'
import { checkParse, parse, type ParseOptions } from '../parse.ts'
import { canon } from './print.ts'
import { scan } from '../scan.ts'
import * as t from '../tokens.ts'
import type { Token } from '../tokens.ts'

const INDENT = '  '

type Fragment =
  | { readonly kind: 'token'; readonly token: Token; readonly start: number; readonly end: number }
  | {
      readonly kind: 'comment'
      readonly text: string
      /** True if the comment stands alone on its line. */
      readonly isAlone: boolean
      readonly start: number
      readonly end: number
    }

function isBlankBefore(source: string, start: number): boolean {
  return source.slice(source.lastIndexOf('\n', start - 1) + 1, start).trim() === ''
}

function fragmentsOf(source: string): readonly Fragment[] {
  const { tokens, comments } = scan(source)
  const fragments: Fragment[] = tokens.map((token) => ({
    kind: 'token',
    token,
    start: token.startOffset,
    end: (token.endOffset ?? token.startOffset) + 1,
  }))
  const ofComment = ({ start, end }: Span): Fragment => ({
    kind: 'comment',
    text: source.slice(start, end).trimEnd(),
    isAlone: isBlankBefore(source, start),
    start,
    end,
  })
  return [...fragments, ...comments.map(ofComment)].toSorted((a, b) => a.start - b.start)
}

const opening = new Set([t.LParen, t.LBracket, t.LBrace])
const closing = new Set([t.RParen, t.RBracket, t.RBrace])

/** Words that are not function names, so that a blank separates them from an opening parenthesis. */
const spaced = new Set(['by', 'on', 'if', 'and', 'or', 'case', 'partition'].map(t.keyword))

const operators = new Set([t.And, t.Or])
/** Tokens that end an operand, so that `and` or `or` after them is an operator. */
const ends = new Set([...closing, t.Quoted])

/** True if two tokens on one line get a blank between them. Blanks that do not change the meaning are dropped. */
function hasBlank(before: Token, after: Token, wasApart: boolean): boolean {
  if (before.tokenType === t.Comma) return true
  if (before.tokenType === t.Bar || after.tokenType === t.Bar) return true
  if (after.tokenType === t.Comma || closing.has(after.tokenType)) return false
  if (opening.has(before.tokenType)) return false
  if (after.tokenType === t.LParen && (spaced.has(before.tokenType) || closing.has(before.tokenType))) return true
  if (operators.has(after.tokenType) && ends.has(before.tokenType)) return true
  if (operators.has(before.tokenType) && after.tokenType === t.Quoted) return true
  return before.tokenType === t.RParen && !t.punctuations.includes(after.tokenType) ? true : wasApart
}

/** Lays out a query by changing only blanks and line breaks. If `isBroken`, each stage has a line of its own. */
function layOut(fragments: readonly Fragment[], isBroken: boolean): string {
  let text = ''
  let depth = 0
  let previous: Fragment | undefined
  for (const fragment of fragments) {
    const isFirst = previous === undefined
    if (fragment.kind === 'comment') {
      text += isFirst ? fragment.text : fragment.isAlone ? `\n${INDENT}${fragment.text}` : ` ${fragment.text}`
      previous = fragment
      continue
    }
    const { token } = fragment
    const isStage = token.tokenType === t.Bar && depth === 0
    if (isFirst) text += token.image
    else if (previous?.kind === 'comment' || (isStage && isBroken)) {
      text += `\n${isStage || depth > 0 || text.includes('\n') ? INDENT : ''}${token.image}`
    } else if (previous !== undefined) {
      text += (hasBlank(previous.token, token, previous.end < fragment.start) ? ' ' : '') + token.image
    }
    if (opening.has(token.tokenType)) depth++
    else if (closing.has(token.tokenType)) depth--
    previous = fragment
  }
  return text
}

/**
 * Formats a query: changes blanks and line breaks, and keeps comments. Returns a text with errors unchanged.
 * Idempotent.
 */
export function format(source: string, given: ParseOptions = {}): string {
  checkParse(source, given, "format('level:error')")
  const options = { ...given, parameters: given.parameters ?? openParameters(source, given) }
  const { ast, diagnostics } = parse(source, options)
  if (diagnostics.some(({ severity }) => severity === 'error')) return source
  const fragments = fragmentsOf(source)
  const hasComments = fragments.some(({ kind }) => kind === 'comment')
  const line = layOut(fragments, hasComments)
  const text = hasComments || line.length <= LINE_CHARS ? line : layOut(fragments, true)
  // Blanks can decide where a filter ends, so a layout that parses to a different query is not used.
  const again = parse(text, options)
  const isSame =
    again.diagnostics.length === diagnostics.length && canon(again.ast, options.dialect) === canon(ast, options.dialect)
  return isSame ? text : source
}
