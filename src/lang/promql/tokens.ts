import { createToken, EOF, Lexer, type IToken, type TokenType } from 'chevrotain'
import { aggregationSignatures } from '../../plan/index.ts'
import { scanNumber } from './number-text.ts'
import { scanString } from './string-text.ts'

/** A place that no token fits, with the reason. `start` counts for the position: up to the end of the text. */
export interface LexFault {
  readonly message: string
  readonly start: number
}

const category = (name: string): TokenType => createToken({ name, pattern: Lexer.NA })

/** Words that may name a metric without braces. */
export const MetricWord = category('MetricWord')
/** Words that may stand in a list of labels. */
export const LabelWord = category('LabelWord')
export const Aggregator = category('Aggregator')
/** Words that are a function when `(` follows. */
export const CallWord = category('CallWord')
export const BinaryOperator = category('BinaryOperator')
export const UnaryOperator = category('UnaryOperator')
export const DurationOperator = category('DurationOperator')
export const MatchOperator = category('MatchOperator')
export const NumberLike = category('NumberLike')
export const FillWord = category('FillWord')
export const Edge = category('Edge')
/** A place that no token fits; no rule takes it. */
export const Fault = category('Fault')

const ARITHMETIC = [BinaryOperator, DurationOperator]

function punctuation(name: string, text: string, categories: TokenType[] = []): TokenType {
  return createToken({ name, pattern: text, label: text, categories })
}

export const Comma = punctuation('Comma', ',')
export const Colon = punctuation('Colon', ':')
export const LParen = punctuation('LParen', '(')
export const RParen = punctuation('RParen', ')')
export const LBrace = createToken({ name: 'LBrace', pattern: '{', label: '{', push_mode: 'braces' })
export const RBrace = createToken({ name: 'RBrace', pattern: '}', label: '}', pop_mode: true })
export const LBracket = createToken({ name: 'LBracket', pattern: '[', label: '[', push_mode: 'range' })
export const RBracket = createToken({ name: 'RBracket', pattern: ']', label: ']', pop_mode: true })
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

export const NumberToken = createToken({ name: 'Number', pattern: Lexer.NA, categories: [NumberLike] })
export const DurationToken = createToken({ name: 'Duration', pattern: Lexer.NA, categories: [NumberLike] })
export const Identifier = createToken({
  name: 'Identifier',
  pattern: Lexer.NA,
  categories: [MetricWord, LabelWord, CallWord],
})
/** A name with a colon in it. */
export const MetricIdentifier = createToken({
  name: 'MetricIdentifier',
  pattern: Lexer.NA,
  categories: [MetricWord, LabelWord],
})

function keyword(name: string, categories: TokenType[]): TokenType {
  return createToken({ name, pattern: Lexer.NA, label: name.toLowerCase(), categories })
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
const Start = keyword('Start', [...FREE, CallWord, Edge])
const End = keyword('End', [...FREE, CallWord, Edge])
export const Step = keyword('Step', [...FREE, CallWord])
export const Range = keyword('Range', [...FREE, CallWord])
export const MaxOf = keyword('Max_Of', [...FREE, CallWord])
export const MinOf = keyword('Min_Of', [...FREE, CallWord])

const aggregators = [...aggregationSignatures.keys()].map((name) => keyword(name, [Aggregator, ...FREE]))

const operatorWords = [And, Or, Unless, Atan2]
const clauseWords = [Offset, Smoothed, Anchored, By, Without, On, Ignoring, GroupLeft, GroupRight, Bool]
const fillWords = [Fill, FillLeft, FillRight]
const functionWords = [Start, End, Step, Range, MaxOf, MinOf]
const keywords = [...operatorWords, ...clauseWords, ...fillWords, ...functionWords, ...aggregators]

const keywordsByWord: ReadonlyMap<string, TokenType> = new Map([
  ...keywords.map((type) => [type.name.toLowerCase(), type] as const),
  ['inf', NumberToken],
  ['nan', NumberToken],
])

const RANGE_WORDS: ReadonlyMap<string, TokenType> = new Map([
  ['step', Step],
  ['range', Range],
  ['max_of', MaxOf],
  ['min_of', MinOf],
])

const WhiteSpace = createToken({ name: 'WhiteSpace', pattern: /[ \t\r\n]+/, group: Lexer.SKIPPED, line_breaks: true })
const Comment = createToken({ name: 'Comment', pattern: /#[^\r\n]*/, group: Lexer.SKIPPED })

const DIGIT_HINTS = Array.from('0123456789.')

function matchNumber(text: string, offset: number): [string] | null {
  if (!/[0-9]/.test(text.charAt(text[offset] === '.' ? offset + 1 : offset))) return null
  return [text.slice(offset, scanNumber(text, offset).end)]
}

function matchString(text: string, offset: number): [string] | null {
  if (text[offset] !== '"' && text[offset] !== "'" && text[offset] !== '`') return null
  return [text.slice(offset, scanString(text, offset).end)]
}

export const StringToken = createToken({
  name: 'String',
  pattern: matchString,
  start_chars_hint: ['"', "'", '`'],
  line_breaks: true,
})

// What the lexer finds and `refine` turns into the types above.
const numberShape = { pattern: matchNumber, start_chars_hint: DIGIT_HINTS, line_breaks: false }
const RawNumber = createToken({ name: 'RawNumber', ...numberShape })
const FirstRangeNumber = createToken({
  name: 'FirstRangeNumber',
  ...numberShape,
  pop_mode: true,
  push_mode: 'rest-of-range',
})
const RawWord = createToken({ name: 'RawWord', pattern: /[A-Za-z_:][A-Za-z0-9_:]*/ })
const LabelName = createToken({ name: 'LabelName', pattern: /[A-Za-z_][A-Za-z0-9_]*/ })
const RangeWord = createToken({ name: 'RangeWord', pattern: /[A-Za-z_]+/ })
const RestWord = createToken({ name: 'RestWord', pattern: /[A-Za-z_]+/ })

const comparisons = [EqualEqual, GreaterEqual, LessEqual, TrimLower, TrimUpper, NotEqual, Greater, Less, Equal]
const arithmetic = [Add, Sub, Mul, Div, Mod, Pow]
const matchOperators = [EqualRegex, NotRegex, NotEqual, Equal]
const brackets = [Comma, LParen, RParen, LBrace, LBracket]
const restBrackets = [Colon, Comma, LParen, RParen, LBrace, RBracket]
const blanks = [WhiteSpace, Comment]

/** The raw types, for `refine`. */
export const raw = {
  RawNumber,
  FirstRangeNumber,
  RawWord,
  LabelName,
  RangeWord,
  RestWord,
} as const

const promqlLexer = new Lexer(
  {
    defaultMode: 'query',
    modes: {
      query: [...blanks, RawNumber, RawWord, StringToken, ...comparisons, ...arithmetic, At, ...brackets],
      braces: [...blanks, LabelName, StringToken, ...matchOperators, Comma, RBrace],
      // Between `[` and the first number only durations are read.
      range: [WhiteSpace, FirstRangeNumber, RangeWord, ...arithmetic, Comma, LParen, RParen, Colon, RBracket],
      'rest-of-range': [
        ...blanks,
        RawNumber,
        RestWord,
        StringToken,
        ...comparisons,
        ...arithmetic,
        At,
        ...restBrackets,
      ],
    },
  },
  { positionTracking: 'onlyOffset', skipValidations: true },
)

const wordCategories = [MetricWord, LabelWord, Aggregator, CallWord, FillWord, Edge]
const operatorCategories = [BinaryOperator, UnaryOperator, DurationOperator, MatchOperator]
const categories = [...wordCategories, ...operatorCategories, NumberLike]
const literals = [NumberToken, DurationToken, Identifier, MetricIdentifier, StringToken]

/** Every type the parser may meet. */
export const vocabulary: TokenType[] = [
  ...categories,
  ...literals,
  ...comparisons,
  ...arithmetic,
  ...brackets,
  EqualRegex,
  NotRegex,
  At,
  Colon,
  RBrace,
  RBracket,
  Fault,
  ...keywords,
]

/** Raw tokens, and the offsets where no token begins. */
export function lex(text: string): { readonly tokens: IToken[]; readonly strays: readonly number[] } {
  const { tokens, errors } = promqlLexer.tokenize(text)
  return { tokens, strays: errors.map((error) => error.offset) }
}

export function makeFault(fault: LexFault): IToken {
  return { image: '', startOffset: fault.start, tokenType: Fault, tokenTypeIdx: Fault.tokenTypeIdx!, payload: fault }
}

export function wordType(word: string): TokenType {
  return keywordsByWord.get(word.toLowerCase()) ?? (word.includes(':') ? MetricIdentifier : Identifier)
}

/** Whether a metric's name can be written without quotes wherever a selector may stand. */
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

export function setType(token: IToken, type: TokenType): void {
  token.tokenType = type
  token.tokenTypeIdx = type.tokenTypeIdx!
}

export function faultOf(token: IToken): LexFault | undefined {
  return token.tokenType === Fault ? (token.payload as LexFault) : undefined
}

export function isEnd(token: IToken): boolean {
  return token.tokenType === EOF
}
