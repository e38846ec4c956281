import type { Span } from '../base/index.ts'
import { grammarKeywords, standardVocabulary, tokensOf, type PlainToken, type Vocabulary } from '../lang/log/index.ts'
import { filterNamed, pipeNamed } from './documentation.ts'

/** Token kinds in the order of their index in the protocol's legend. */
export const semanticKinds = ['keyword', 'function', 'property', 'string', 'number', 'operator', 'comment'] as const
/** Highlighting class of a token. */
export type SemanticKind = (typeof semanticKinds)[number]

/** A part of a text with its highlighting class. */
export interface SemanticToken {
  readonly span: Span
  readonly kind: SemanticKind
}

const NUMBER = /^[0-9]/

/** Returns the keywords of clauses: all keywords of the grammar except the names of pipes and filters. */
function clauses(): ReadonlySet<string> {
  return new Set(grammarKeywords())
}

let clauseWords: ReadonlySet<string> | undefined

function kindOf(
  [before, token, next]: readonly [PlainToken | undefined, PlainToken, PlainToken | undefined],
  inPipes: boolean,
  vocabulary: Vocabulary,
): SemanticKind | undefined {
  const text = token.text.toLowerCase()
  if (token.type === 'Quoted' || token.type === 'Unclosed' || token.type === 'Parameter')
    return next?.text === ':' ? 'property' : 'string'
  if (!token.isWord) return token.type === 'Other' || /^[()[\]{},;]$/.test(token.text) ? undefined : 'operator'
  if (before?.type === 'Bar' && pipeNamed(text, vocabulary) !== undefined) return 'keyword'
  if (next?.text === ':') return 'property'
  if (NUMBER.test(text)) return 'number'
  if (['and', 'or', 'not'].includes(text)) return 'keyword'
  const isClause = inPipes && (clauseWords ??= clauses()).has(text)
  if (next?.text === '(' || next?.text === '[') {
    // A name directly before `(` is a call, even if the name, such as `count`, is a keyword elsewhere.
    return isClause && filterNamed(text, vocabulary) === undefined && !next.touches ? 'keyword' : 'function'
  }
  const isPart = (token.touches && before?.isGlue === true) || (next?.touches === true && next.isGlue)
  if (isClause && !isPart && !/^[(,:]$/.test(before?.text ?? '')) return 'keyword'
  return inPipes ? 'property' : 'string'
}

/** Classifies each part of a text for highlighting, in linear time. */
export function semanticTokens(text: string, vocabulary: Vocabulary = standardVocabulary): readonly SemanticToken[] {
  const { tokens, comments } = tokensOf(text, vocabulary.customPipes)
  const found: SemanticToken[] = comments.map((span) => ({ span, kind: 'comment' }))
  // A stack, one entry for each open parenthesis: true if it contains pipes, false if it contains a filter.
  const inPipes = [false]
  for (const [i, token] of tokens.entries()) {
    const [before, next] = [tokens[i - 1], tokens[i + 1]]
    if (token.type === 'Bar') inPipes[inPipes.length - 1] = !isFilterPipe(next)
    const isInPipes = inPipes.at(-1) === true
    const kind = kindOf([before, token, next], isInPipes, vocabulary)
    if (kind !== undefined) found.push({ span: token.span, kind })
    if (token.text === '(') inPipes.push(isInPipes && !opensFilter(before))
    if (token.text === ')' && inPipes.length > 1) inPipes.pop()
  }
  return found.toSorted((a, b) => a.span.start - b.span.start)
}

function isFilterPipe(token: PlainToken | undefined): boolean {
  return token !== undefined && /^(filter|where)$/i.test(token.text)
}

function opensFilter(token: PlainToken | undefined): boolean {
  return token !== undefined && /^(if|case|union)$/i.test(token.text)
}
