import { span, type Diagnostic } from '../../../base/index.ts'
import { promqlDiagnostic } from '../diagnostics.ts'
import { quoteText } from '../text/go-text.ts'
import type { Token } from './refine.ts'
import { spanOfToken } from './read-tokens.ts'
import { ARITHMETIC_OPS, COMPARISON_OPS, SET_OPS, TRIM_OPS } from '../ast.ts'
import { aggregationSignatures } from '../../../plan/index.ts'
import * as t from './tokens.ts'

/** A syntax error, with the data from which its diagnostic is made. */
export interface GrammarFault {
  readonly token: Token
  readonly previousToken: Token | undefined
  /** Names of the grammar rules being parsed, outermost first. */
  readonly ruleStack: readonly string[]
  readonly isPastColon: boolean
}

const OTHER_OPERATORS = ['=~', '!~', '@']
const OPERATOR_TEXTS: ReadonlySet<string> = new Set<string>([
  ...ARITHMETIC_OPS,
  ...COMPARISON_OPS,
  ...SET_OPS,
  ...TRIM_OPS,
  ...OTHER_OPERATORS,
])
const GROUPING_WORDS = [t.By, t.Without, t.On, t.Ignoring, t.GroupLeft, t.GroupRight]
const KEYWORD_TYPES: ReadonlySet<Token['tokenType']> = new Set([
  t.Bool,
  t.Offset,
  t.Anchored,
  t.Smoothed,
  ...GROUPING_WORDS,
])

function quoteShort(text: string): string {
  const chars = Array.from(text)
  return chars.length > 10 ? `${quoteText(chars.slice(0, 10).join(''))}...` : quoteText(text)
}

/** Returns the name of a token as messages show it. */
export function describeToken(token: Token): string {
  const { image, tokenType: type } = token
  switch (type) {
    case t.NumberToken:
      return `number ${quoteShort(image)}`
    case t.DurationToken:
      return `duration ${quoteShort(image)}`
    case t.StringToken:
      return `string ${quoteShort(image)}`
    case t.Identifier:
      return `identifier ${quoteText(image)}`
    case t.MetricIdentifier:
      return `metric identifier ${quoteText(image)}`
    default:
  }
  if (t.isEnd(token)) return 'end of input'
  const word = image.toLowerCase()
  if (KEYWORD_TYPES.has(type) || t.isFillWord(type)) return `<${image}>`
  if (OPERATOR_TEXTS.has(word)) return `<op:${image}>`
  return aggregationSignatures.has(word) ? `<aggr:${image}>` : quoteShort(image)
}

interface ErrorContext {
  readonly context: string
  readonly expected: string
}

const IN_NOTHING: ErrorContext = { context: '', expected: '' }

function matcherContext(previous: Token | undefined): ErrorContext {
  const context = 'label matching'
  switch (previous?.tokenType) {
    case t.LBrace:
    case t.Comma:
      return { context, expected: 'identifier or "}"' }
    case t.Identifier:
      return { context, expected: 'label matching operator' }
    case t.StringToken:
      return { context, expected: '"," or "}"' }
    default:
      return { context, expected: 'string' }
  }
}

function labelListContext(previous: Token | undefined): ErrorContext {
  const context = 'grouping opts'
  const type = previous?.tokenType
  if (type === t.LParen || type === t.Comma) return { context, expected: 'label' }
  return { context, expected: type !== undefined && GROUPING_WORDS.includes(type) ? '"("' : '"," or ")"' }
}

function rangeContext(fault: GrammarFault, isInDuration: boolean): ErrorContext {
  const after = fault.previousToken?.tokenType
  if (fault.isPastColon) {
    if (!isInDuration && after !== t.Colon) return { context: 'subquery selector', expected: '"]"' }
    return { context: 'subquery selector', expected: 'number, duration, step(), range(), or "]"' }
  }
  if (!isInDuration && after !== t.LBracket) return { context: 'subquery or range', expected: '":" or "]"' }
  return { context: 'subquery or range selector', expected: 'number, duration, step(), or range()' }
}

/** Returns the innermost construct around a syntax error for which messages have a name. */
function contextOf(fault: GrammarFault): ErrorContext {
  const { ruleStack, previousToken } = fault
  let isInDuration = false
  for (let i = ruleStack.length - 1; i >= 0; i--) {
    switch (ruleStack[i]) {
      case 'matcher':
      case 'matcherList':
        return matcherContext(previousToken)
      case 'labelList':
      case 'groupingLabel':
        return labelListContext(previousToken)
      case 'offsetSuffix':
        return { context: 'offset', expected: 'number, duration, step(), or range()' }
      case 'atSuffix':
        return { context: '@', expected: 'timestamp' }
      case 'positiveDuration':
        isInDuration = true
        break
      case 'rangeSuffix':
        return rangeContext(fault, isInDuration)
      case 'aggregation':
        return { context: 'aggregation', expected: '' }
      default:
    }
  }
  return IN_NOTHING
}

/** Returns the diagnostic of a syntax error. */
export function describeFault(fault: GrammarFault, text: string): Diagnostic {
  const lexFault = t.faultOf(fault.token)
  if (lexFault !== undefined) {
    const where = span(Math.min(lexFault.start, text.length), text.length)
    return promqlDiagnostic('bad-token', { message: lexFault.message }, where)
  }
  const found = describeToken(fault.token)
  const where = t.isEnd(fault.token) ? span(text.length, text.length) : spanOfToken(fault.token)
  return promqlDiagnostic('unexpected', { found, ...contextOf(fault) }, where)
}
