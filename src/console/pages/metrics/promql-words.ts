import { aggregationSignatures, seriesSignatures } from '../../../plan/index.ts'
import type { Colour } from '../../language/requests.ts'

export const FUNCTIONS: readonly string[] = [...seriesSignatures.keys()].toSorted()
export const AGGREGATIONS: readonly string[] = [...aggregationSignatures.keys()].toSorted()

/** Keywords that are followed by a list of labels. */
const LABEL_LISTS = ['by', 'without', 'on', 'ignoring', 'group_left', 'group_right'] as const
export const KEYWORDS = [...LABEL_LISTS, 'and', 'or', 'unless', 'bool', 'offset', 'atan2'] as const

const functions: ReadonlySet<string> = new Set([...FUNCTIONS, ...AGGREGATIONS])
const keywords: ReadonlySet<string> = new Set(KEYWORDS)
const labelLists: ReadonlySet<string> = new Set(LABEL_LISTS)

/** Matches a comment, a string (possibly unterminated), a number or duration, a name, or another character. */
const TOKEN = new RegExp(
  [
    /#[^\n]*/,
    /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,
    /(?:0x[\da-f]+|\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+)(?:ms|[smhdwy]|\d)*/,
    /[\p{L}_:][\p{L}\p{N}_:.]*/u,
    /=~|!~|!=|==|<=|>=|\S/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
)

interface Token {
  readonly start: number
  readonly end: number
  readonly text: string
}

function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    text: found,
  }))
}

/** Context of a name, which decides what it means. */
interface NameContext {
  /** `labels`: between braces, or in a list after `by` and the like. `expression`: anywhere else. */
  readonly kind: 'expression' | 'labels'
  /** Name of the metric before the braces. */
  readonly metric: string | undefined
}

/** Tracks the open brackets of an expression. */
class Brackets {
  readonly #open: NameContext[] = []
  #before: Token | undefined
  /** Label before the operator of a matcher. */
  label: string | undefined
  #metric: string | undefined

  get context(): NameContext {
    return this.#open.at(-1) ?? { kind: 'expression', metric: undefined }
  }

  meet(token: Token): void {
    const { text } = token
    const word = this.#before?.text ?? ''
    if (text === '{') this.#open.push({ kind: 'labels', metric: /^[\p{L}_:]/u.test(word) ? word : undefined })
    else if (text === '(') {
      const isList = labelLists.has(word.toLowerCase())
      this.#open.push({ kind: isList ? 'labels' : 'expression', metric: isList ? this.#metric : undefined })
    } else if (text === '}' || text === ')') this.#open.pop()
    else if (/^[\p{L}_:]/u.test(text)) {
      if (this.context.kind === 'labels') this.label = text
      else if (!functions.has(text) && !keywords.has(text)) this.#metric = text
    }
    this.#before = token
  }
}

/** Returns the highlighting of an expression. */
export function coloursOf(text: string): readonly Colour[] {
  const brackets = new Brackets()
  return tokensOf(text).flatMap((token): readonly Colour[] => {
    const { kind } = brackets.context
    brackets.meet(token)
    const { start, end, text: word } = token
    const [first = ''] = word
    if (first === '#') return [{ start, end, kind: 'comment' }]
    if (/["'`]/.test(first)) return [{ start, end, kind: 'string' }]
    if (/\d/.test(first) || /^\.\d/.test(word)) return [{ start, end, kind: 'number' }]
    if (!/[\p{L}_:]/u.test(first)) return [{ start, end, kind: 'operator' }]
    if (keywords.has(word.toLowerCase())) return [{ start, end, kind: 'keyword' }]
    if (kind === 'labels') return [{ start, end, kind: 'property' }]
    return functions.has(word.toLowerCase()) ? [{ start, end, kind: 'function' }] : []
  })
}

/** Span to complete at an offset of an expression, and its context. */
export interface Wanted {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly kind: 'expression' | 'labels' | 'values' | 'nothing'
  readonly metric: string | undefined
  readonly label: string | undefined
}

/** Determines what to complete at an offset. */
export function wantedAt(text: string, offset: number): Wanted {
  const brackets = new Brackets()
  let present: Token | undefined
  for (const token of tokensOf(text)) {
    if (token.start >= offset) break
    if (token.end >= offset && /^[\p{L}\p{N}_:"'`#]/u.test(token.text)) {
      present = token
      break
    }
    brackets.meet(token)
  }
  const { kind, metric } = brackets.context
  const { label } = brackets
  const [first = ''] = present?.text ?? ''
  if (present === undefined) return { start: offset, end: offset, text: '', kind, metric, label }
  if (/["'`]/.test(first)) {
    const isClosed = present.text.length > 1 && present.text.endsWith(first)
    const end = isClosed ? present.end - 1 : present.end
    const isValue = kind === 'labels' && offset <= end
    return {
      start: present.start + 1,
      end: Math.max(end, present.start + 1),
      text: text.slice(present.start + 1, offset),
      kind: isValue ? 'values' : 'nothing',
      metric,
      label,
    }
  }
  const isName = /^[\p{L}_:]/u.test(first)
  const { start, end } = present
  return { start, end, text: text.slice(start, offset), kind: isName ? kind : 'nothing', metric, label }
}
