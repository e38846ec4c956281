import {
  matchDuration,
  matching,
  matchNumber,
  matchString,
  NUMBER_STARTS,
  rawTypes,
  scanned,
  type ScanFault,
} from '../../go-scanner/index.ts'
import { EOF, lazyLexer, TokenBuilder, type Token, type TokenType } from '../../kit/index.ts'
import { readBytes } from '../text/units.ts'

/** A part of the text that is not a valid token, with the reason in Loki's wording. */
export type LexFault = ScanFault<ScanFault['kind'] | 'range'>

const builder = new TokenBuilder()

/** Returns all token types of the grammar, in the order in which messages list them. */
export function vocabulary(): TokenType[] {
  return builder.vocabulary
}

const matchSign = matching(/-?/)

/** Maximum length of the unit of a size, characters. Bounds the time to match one size. */
const MAX_SIZE_UNIT_LENGTH = 64
const matchByteUnits = matching(/[BikKMGTP0-9.]{1,65}/)

/** Matches a duration, with the minus sign directly before it, if there is one. */
function matchSignedDuration(text: string, offset: number): string | undefined {
  return matchDuration(text, offset, matchSign(text, offset)?.length)
}

function matchBytes(text: string, offset: number): string | undefined {
  const number = matchNumber(text, offset)
  const units = number === undefined ? undefined : matchByteUnits(text, offset + number.length)
  if (units === undefined || units.length > MAX_SIZE_UNIT_LENGTH) return undefined
  if (readBytes(`${number}${units}`) === undefined) return undefined
  return `${number}${units}`
}

/** Matches a range including its brackets. Without a closing bracket, matches the rest of the text. */
function matchRange(text: string, offset: number): string {
  const close = text.indexOf(']', offset)
  return text.slice(offset, close === -1 ? text.length : close + 1)
}

export const Bytes = builder.type('Bytes', undefined, [], scanned(matchBytes, NUMBER_STARTS))
export const Identifier = builder.type('Identifier')
export const StringToken = builder.type('String', undefined, [], scanned(matchString, ['"', '`']))
export const NumberToken = builder.type('Number', undefined, [], scanned(matchNumber, NUMBER_STARTS))
export const Flag = builder.type(
  'Flag',
  undefined,
  [],
  scanned(matching(/--(?:strict|keep-empty)(?![\p{L}\p{Nd}_-])/u), ['-']),
)
export const Duration = builder.type('Duration', undefined, [], scanned(matchSignedDuration, [...NUMBER_STARTS, '-']))
export const Range = builder.type('Range', undefined, [], scanned(matchRange, ['[']))

/** Token categories. */
export const LineOperator = builder.type('LineOperator')
export const MatchOperator = builder.type('MatchOperator')
export const RegexpOperator = builder.type('RegexpOperator')
export const EqualityOperator = builder.type('EqualityOperator')
export const OrderOperator = builder.type('OrderOperator')
export const BinaryOperator = builder.type('BinaryOperator')
export const Sign = builder.type('Sign')
export const RangeFunction = builder.type('RangeFunction')
export const VectorFunction = builder.type('VectorFunction')
export const Conversion = builder.type('Conversion')

export const Equal = builder.punctuation('Equal', '=', [MatchOperator, EqualityOperator])
const EqualRegexp = builder.punctuation('EqualRegexp', '=~', [MatchOperator, RegexpOperator])
const NotRegexp = builder.punctuation('NotRegexp', '!~', [MatchOperator, RegexpOperator, LineOperator])
const NotPattern = builder.punctuation('NotPattern', '!>', [LineOperator])
export const LBrace = builder.punctuation('LBrace', '{')
export const RBrace = builder.punctuation('RBrace', '}')
export const Comma = builder.punctuation('Comma', ',')
const Dot = builder.punctuation('Dot', '.')
const PipeRegexp = builder.punctuation('PipeRegexp', '|~', [LineOperator])
const PipeExact = builder.punctuation('PipeExact', '|=', [LineOperator])
const PipePattern = builder.punctuation('PipePattern', '|>', [LineOperator])
export const LParen = builder.punctuation('LParen', '(')
export const RParen = builder.punctuation('RParen', ')')

function keyword(name: string, categories: TokenType[] = []): TokenType {
  return builder.keyword(name.toLowerCase(), categories, name)
}

export const By = keyword('By')
export const Without = keyword('Without')
export const Bool = keyword('Bool')
export const Json = keyword('Json')
export const Regexp = keyword('Regexp')
export const Logfmt = keyword('Logfmt')
export const Pipe = builder.punctuation('Pipe', '|')
export const LineFormatWord = keyword('Line_Format')
export const LabelFormatWord = keyword('Label_Format')
export const UnwrapWord = keyword('Unwrap')

/** Names that are functions only before `(`, `by (` or `without (`; elsewhere they are labels. */
const functions = new Map<string, TokenType>()

function functionName(name: string, categories: TokenType[] = []): TokenType {
  const type = builder.type(`Fn_${name}`, name, categories)
  functions.set(name, type)
  return type
}

const RANGE_FUNCTIONS = ['count_over_time', 'rate', 'rate_counter', 'bytes_over_time', 'bytes_rate', 'absent_over_time']
for (const name of ['sum', 'avg', 'max', 'min', 'first', 'last', 'stddev', 'stdvar', 'quantile']) {
  RANGE_FUNCTIONS.push(`${name}_over_time`)
}
const VECTOR_FUNCTIONS = ['sum', 'avg', 'min', 'max', 'count', 'stddev', 'stdvar']
VECTOR_FUNCTIONS.push('topk', 'bottomk', 'approx_topk', 'sort', 'sort_desc')
for (const name of RANGE_FUNCTIONS) functionName(name, [RangeFunction])
for (const name of VECTOR_FUNCTIONS) functionName(name, [VectorFunction])
for (const name of ['bytes', 'duration', 'duration_seconds']) functionName(name, [Conversion])

export const Unpack = keyword('Unpack')
export const Offset = keyword('Offset')
export const Pattern = keyword('Pattern')
export const Ip = functionName('ip')
export const On = keyword('On')
export const Ignoring = keyword('Ignoring')
export const GroupLeft = keyword('Group_Left')
export const GroupRight = keyword('Group_Right')
export const DecolorizeWord = keyword('Decolorize')
export const Drop = keyword('Drop')
export const Keep = keyword('Keep')
export const LabelReplaceWord = functionName('label_replace')
export const Vector = functionName('vector')

export const Or = keyword('Or', [BinaryOperator])
export const And = keyword('And', [BinaryOperator])
keyword('Unless', [BinaryOperator])
const comparison = (name: string, mark: string, others: TokenType[] = []): TokenType =>
  builder.punctuation(name, mark, [BinaryOperator, ...others])
const EqualEqual = comparison('EqualEqual', '==', [OrderOperator])
const NotEqual = comparison('NotEqual', '!=', [MatchOperator, EqualityOperator, LineOperator])
const Less = comparison('Less', '<', [OrderOperator])
const LessEqual = comparison('LessEqual', '<=', [OrderOperator])
const Greater = comparison('Greater', '>', [OrderOperator])
const GreaterEqual = comparison('GreaterEqual', '>=', [OrderOperator])
const Add = builder.punctuation('Add', '+', [BinaryOperator, Sign])
const Sub = builder.punctuation('Sub', '-', [BinaryOperator, Sign])
const arithmetic = (name: string, mark: string): TokenType => builder.punctuation(name, mark, [BinaryOperator])
const Mul = arithmetic('Mul', '*')
const Div = arithmetic('Div', '/')
const Mod = arithmetic('Mod', '%')
const Pow = arithmetic('Pow', '^')

/** A part of the text that is not a valid token. No grammar rule accepts it. */
export const Fault = builder.type('Fault')

/** Raw token types, which only the lexer produces. `scan` converts them to the types above. */
export const raw = rawTypes(/(?:#|\/\/)[^\n]*/u, ['#', '/'])

/**
 * Splits a text into raw tokens, and returns the offsets at which no token starts. Longer operators are tried before
 * shorter ones.
 */
export const lex = lazyLexer(() => {
  const words = [raw.OpenComment, raw.Word, Duration, Bytes, NumberToken, StringToken, raw.Character, Range, Flag]
  const pairs = [PipeExact, PipeRegexp, PipePattern, NotEqual, NotRegexp, NotPattern, EqualEqual, EqualRegexp]
  const comparisons = [GreaterEqual, LessEqual, Equal, Greater, Less, Pipe]
  const punctuation = [LBrace, RBrace, LParen, RParen, Comma, Dot]
  const arithmetics = [Add, Sub, Mul, Div, Mod, Pow]
  return [...raw.blanks, ...words, ...pairs, ...comparisons, ...punctuation, ...arithmetics]
})

export function keywordOf(word: string): TokenType | undefined {
  return builder.keywordOf(word)
}

export function functionOf(word: string): TokenType | undefined {
  return functions.get(word)
}

/** Names of the functions that can start a metric query. */
export const functionNames: readonly string[] = [...RANGE_FUNCTIONS, ...VECTOR_FUNCTIONS, 'label_replace', 'vector']

export function faultOf(token: Token): LexFault | undefined {
  return token.tokenType === Fault ? (token.payload as LexFault) : undefined
}

/** Names of the tokens whose text varies, as used in Loki's messages and in Sluice's own. */
const VARYING: ReadonlyMap<TokenType, readonly [reference: string, ours: string]> = new Map([
  [Bytes, ['BYTES', 'size']],
  [Identifier, ['IDENTIFIER', 'name']],
  [StringToken, ['STRING', 'string']],
  [NumberToken, ['NUMBER', 'number']],
  [Flag, ['FUNCTION_FLAG', 'flag']],
  [Duration, ['DURATION', 'duration']],
  [Range, ['RANGE', '[duration]']],
])

export function nameOf(type: TokenType): string {
  return VARYING.get(type)?.[1] ?? type.LABEL ?? type.name
}

/** Returns the name of a token type in Loki's messages. */
export function referenceName(type: TokenType): string {
  const varying = VARYING.get(type)?.[0]
  if (varying !== undefined) return varying
  const { LABEL: label = '' } = type
  if (type === EOF) return '$end'
  if (type === Ip || functions.get(label) !== type) return label
  const suffix = type.CATEGORIES?.includes(Conversion) === true ? '_CONV' : ''
  return `${label.toUpperCase()}${suffix}`
}

/**
 * True for a token at which Loki's messages give line 0: a token that Loki's scanner assembles from several, such as an
 * operator of two characters or a number with a unit.
 */
export function losesLine(token: Token): boolean {
  if ([Bytes, Duration, Range, Flag].includes(token.tokenType)) return true
  return faultOf(token)?.kind === 'range' || /^[=!|<>][=~>]$/.test(token.image)
}
