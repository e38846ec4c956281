import { aggregationSignatures } from '../../../plan/index.ts'
import { EOF, lazyLexer, SKIPPED, TokenBuilder, type Lexed, type Token, type TokenType } from '../../kit/index.ts'
import { scanNumber } from '../text/number-text.ts'
import { scanString } from '../text/string-text.ts'

/**
 * A part of the text that is not a valid token, with the reason. The error covers the text from `start` to the text's
 * end.
 */
export interface LexFault {
  readonly message: string
  readonly start: number
}

const builder = new TokenBuilder()

/** Returns all token types of the grammar. */
export function vocabulary(): TokenType[] {
  return builder.vocabulary
}

const category = (name: string): TokenType => builder.type(name)

/** Words that can be a metric name before the braces. */
export const MetricWord = category('MetricWord')
/** Words that can be label names. */
export const LabelWord = category('LabelWord')
export const Aggregator = category('Aggregator')
/** Words that can be a function name if `(` follows. */
export const CallWord = category('CallWord')
export const BinaryOperator = category('BinaryOperator')
export const UnaryOperator = category('UnaryOperator')
export const DurationOperator = category('DurationOperator')
export const MatchOperator = category('MatchOperator')
export const NumberLike = category('NumberLike')
export const FillWord = category('FillWord')
export const Edge = category('Edge')
/** A part of the text that is not a valid token. No grammar rule accepts it. */
export const Fault = category('Fault')

const ARITHMETIC = [BinaryOperator, DurationOperator]

function punctuation(name: string, mark: string, categories: TokenType[] = []): TokenType {
  return builder.punctuation(name, mark, categories)
}

export const Comma = punctuation('Comma', ',')
export const Colon = punctuation('Colon', ':')
export const LParen = punctuation('LParen', '(')
export const RParen = punctuation('RParen', ')')
export const LBrace = builder.punctuation('LBrace', '{', [], { PUSH_MODE: 'braces' })
export const RBrace = builder.punctuation('RBrace', '}', [], { POP_MODE: true })
export const LBracket = builder.punctuation('LBracket', '[', [], { PUSH_MODE: 'range' })
export const RBracket = builder.punctuation('RBracket', ']', [], { POP_MODE: true })
export const At = punctuation('At', '@')
export const Add = punctuation('Add', '+', [...ARITHMETIC, UnaryOperator])
export const Sub = punctuation('Sub', '-', [...ARITHMETIC, UnaryOperator])
const Mul = punctuation('Mul', '*', ARITHMETIC)
const Div = punctuation('Div', '/', ARITHMETIC)
const Mod = punctuation('Mod', '%', ARITHMETIC)
const Pow = punctuation('Pow', '^', ARITHMETIC)
const EqualEqual = punctuation('EqualEqual', '==', [BinaryOperator])
const GreaterEqual = punctuation('GreaterEqual', '>=', [BinaryOperator])
const LessEqual = punctuation('LessEqual', '<=', [BinaryOperator])
const TrimLower = punctuation('TrimLower', '>/', [BinaryOperator])
const TrimUpper = punctuation('TrimUpper', '</', [BinaryOperator])
const Greater = punctuation('Greater', '>', [BinaryOperator])
const Less = punctuation('Less', '<', [BinaryOperator])
const NotEqual = punctuation('NotEqual', '!=', [BinaryOperator, MatchOperator])
export const Equal = punctuation('Equal', '=', [MatchOperator])
const EqualRegex = punctuation('EqualRegex', '=~', [MatchOperator])
const NotRegex = punctuation('NotRegex', '!~', [MatchOperator])

export const NumberToken = builder.type('Number', undefined, [NumberLike])
export const DurationToken = builder.type('Duration', undefined, [NumberLike])
export const Identifier = builder.type('Identifier', undefined, [MetricWord, LabelWord, CallWord])
/** A name that contains a colon. */
export const MetricIdentifier = builder.type('MetricIdentifier', undefined, [MetricWord, LabelWord])

function keyword(name: string, categories: TokenType[]): TokenType {
  return builder.keyword(name.toLowerCase(), categories, name)
}

const FREE = [MetricWord, LabelWord]
export const And = keyword('And', [BinaryOperator, ...FREE])
export const Or = keyword('Or', [BinaryOperator, ...FREE])
export const Unless = keyword('Unless', [BinaryOperator, ...FREE])
export const Atan2 = keyword('Atan2', [BinaryOperator, LabelWord])
export const Offset = keyword('Offset', FREE)
export const Smoothed = keyword('Smoothed', FREE)
export const Anchored = keyword('Anchored', FREE)
export const By = keyword('By', FREE)
export const Without = keyword('Without', [MetricWord])
export const On = keyword('On', [LabelWord])
export const Ignoring = keyword('Ignoring', [LabelWord])
export const GroupLeft = keyword('Group_Left', [LabelWord])
export const GroupRight = keyword('Group_Right', [LabelWord])
export const Bool = keyword('Bool', [LabelWord])
const Fill = keyword('Fill', [FillWord])
const FillLeft = keyword('Fill_Left', [FillWord])
const FillRight = keyword('Fill_Right', [FillWord])
keyword('Start', [...FREE, CallWord, Edge])
keyword('End', [...FREE, CallWord, Edge])
export const Step = keyword('Step', [...FREE, CallWord])
export const Range = keyword('Range', [...FREE, CallWord])
export const MaxOf = keyword('Max_Of', [...FREE, CallWord])
export const MinOf = keyword('Min_Of', [...FREE, CallWord])

for (const name of aggregationSignatures.keys()) keyword(name, [Aggregator, ...FREE])

const RANGE_WORDS: ReadonlyMap<string, TokenType> = new Map([
  ['step', Step],
  ['range', Range],
  ['max_of', MaxOf],
  ['min_of', MinOf],
])

const DIGIT_HINTS = Array.from('0123456789.')

function matchNumber(text: string, offset: number): [string] | null {
  if (!/[0-9]/.test(text.charAt(text[offset] === '.' ? offset + 1 : offset))) return null
  return [text.slice(offset, scanNumber(text, offset).end)]
}

function matchString(text: string, offset: number): [string] | null {
  if (text[offset] !== '"' && text[offset] !== "'" && text[offset] !== '`') return null
  return [text.slice(offset, scanString(text, offset).end)]
}

export const StringToken = builder.type('String', undefined, [], {
  PATTERN: matchString,
  START_CHARS_HINT: ['"', "'", '`'],
  LINE_BREAKS: true,
})

// Raw token types, which `refine.ts` converts to the types above.
const rawTypes = new TokenBuilder()
const numberShape: Lexed = { PATTERN: matchNumber, START_CHARS_HINT: DIGIT_HINTS, LINE_BREAKS: false }
const afterFirstNumber: Lexed = { ...numberShape, POP_MODE: true, PUSH_MODE: 'rest-of-range' }

/** Raw token types, which only the lexer produces. */
export const raw = {
  RawNumber: rawTypes.type('RawNumber', '', [], numberShape),
  FirstRangeNumber: rawTypes.type('FirstRangeNumber', '', [], afterFirstNumber),
  RawWord: rawTypes.type('RawWord', '', [], { PATTERN: /[A-Za-z_:][A-Za-z0-9_:]*/ }),
  LabelName: rawTypes.type('LabelName', '', [], { PATTERN: /[A-Za-z_][A-Za-z0-9_]*/ }),
  RangeWord: rawTypes.type('RangeWord', '', [], { PATTERN: /[A-Za-z_]+/ }),
  RestWord: rawTypes.type('RestWord', '', [], { PATTERN: /[A-Za-z_]+/ }),
} as const

const WhiteSpace = rawTypes.type('WhiteSpace', '', [], { PATTERN: /[ \t\r\n]+/, GROUP: SKIPPED, LINE_BREAKS: true })
const Comment = rawTypes.type('Comment', '', [], { PATTERN: /#[^\r\n]*/, GROUP: SKIPPED })

const comparisons = [EqualEqual, GreaterEqual, LessEqual, TrimLower, TrimUpper, NotEqual, Greater, Less, Equal]
const arithmetic = [Add, Sub, Mul, Div, Mod, Pow]
const matchOperators = [EqualRegex, NotRegex, NotEqual, Equal]
const brackets = [Comma, LParen, RParen, LBrace, LBracket]
const restBrackets = [Colon, Comma, LParen, RParen, LBrace, RBracket]
const blanks = [WhiteSpace, Comment]

/** Splits a text into raw tokens, and returns the offsets at which no token begins. */
export const lex = lazyLexer(() => ({
  defaultMode: 'query',
  modes: {
    query: [...blanks, raw.RawNumber, raw.RawWord, StringToken, ...comparisons, ...arithmetic, At, ...brackets],
    braces: [...blanks, raw.LabelName, StringToken, ...matchOperators, Comma, RBrace],
    // Between `[` and the first number, a number can only be a duration.
    range: [WhiteSpace, raw.FirstRangeNumber, raw.RangeWord, ...arithmetic, Comma, LParen, RParen, Colon, RBracket],
    'rest-of-range': [
      ...blanks,
      raw.RawNumber,
      raw.RestWord,
      StringToken,
      ...comparisons,
      ...arithmetic,
      At,
      ...restBrackets,
    ],
  },
}))

export function makeFault(fault: LexFault): Token {
  return {
    image: '',
    startOffset: fault.start,
    tokenType: Fault,
    tokenTypeIdx: Fault.tokenTypeIdx ?? 0,
    payload: fault,
  }
}

export function wordType(word: string): TokenType {
  const name = word.toLowerCase()
  if (name === 'inf' || name === 'nan') return NumberToken
  return builder.keywordOf(name) ?? (word.includes(':') ? MetricIdentifier : Identifier)
}

/** True if every selector can have this metric name without quotes. */
export function isPlainMetricName(name: string): boolean {
  const type = wordType(name)
  return /^[A-Za-z_:][A-Za-z0-9_:]*$/.test(name) && (type === Identifier || type === MetricIdentifier)
}

export function rangeWordType(word: string): TokenType | undefined {
  return RANGE_WORDS.get(word.toLowerCase())
}

export function isFillWord(type: TokenType): boolean {
  return type === Fill || type === FillLeft || type === FillRight
}

export function faultOf(token: Token): LexFault | undefined {
  return token.tokenType === Fault ? (token.payload as LexFault) : undefined
}

export function isEnd(token: Token): boolean {
  return token.tokenType === EOF
}
