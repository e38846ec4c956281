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

/** A part of the text that is not a valid token, with the reason in Tempo's wording. */
export type LexFault = ScanFault<ScanFault['kind'] | 'attribute'>

const builder = new TokenBuilder()

/** Returns all token types of the grammar, in the order of Tempo's messages. */
export function vocabulary(): TokenType[] {
  return builder.vocabulary
}

const plain = (name: string, match: Parameters<typeof scanned>[0], starts: readonly string[]): TokenType =>
  builder.type(name, undefined, [], scanned(match, starts))

/** Pattern of an attribute name. A quoted part may contain any character. */
const NAME = String.raw`(?:[^\p{White_Space}{}()=~!<>&|^,"]|"(?:[^"\\]|\\[^])*(?:"|$))*`
const ATTRIBUTE = new RegExp(
  String.raw`(?:parent\.(?:(?:span|resource)\.)?|(?:span|resource|event|link|instrumentation)\.|\.(?![0-9]))${NAME}`,
)

export const Identifier = builder.type('Identifier')
export const StringToken = plain('String', matchString, ['"', '`'])
/** An integer, possibly invalid. The lexer matches integers and floats by the same function. */
export const Integer = plain('Integer', matchNumber, NUMBER_STARTS)
export const Float = builder.type('Float')
export const Duration = plain('Duration', (text, offset) => matchDuration(text, offset), NUMBER_STARTS)
/** An attribute with its scope, such as `.a`, `span.a` or `parent.resource."a b"`. */
export const Attribute = plain('Attribute', matching(ATTRIBUTE), Array.from('.spreli'))

/** Token categories. */
export const SpanOperator = builder.type('SpanOperator')
export const CompareOperator = builder.type('CompareOperator')
export const ArithmeticOperator = builder.type('ArithmeticOperator')
export const PartOperator = builder.type('PartOperator')
export const FieldOperator = builder.type('FieldOperator')
export const Constant = builder.type('Constant')
export const PlainIntrinsic = builder.type('PlainIntrinsic')
export const Aggregate = builder.type('Aggregate')
export const FieldMetric = builder.type('FieldMetric')
export const CountMetric = builder.type('CountMetric')
export const Ranking = builder.type('Ranking')

export const LBrace = builder.punctuation('LBrace', '{')
export const RBrace = builder.punctuation('RBrace', '}')
export const LParen = builder.punctuation('LParen', '(')
export const RParen = builder.punctuation('RParen', ')')
export const Comma = builder.punctuation('Comma', ',')

const words = new Map<string, TokenType>()

function word(text: string, categories: readonly TokenType[] = []): TokenType {
  const type = builder.type(`Kw_${text}`, text, categories)
  words.set(text, type)
  return type
}

export const Nil = word('nil')
for (const text of ['true', 'false', 'minInt', 'maxInt', 'error', 'ok', 'unset']) word(text, [Constant])
for (const text of ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']) word(text, [Constant])

const intrinsic = (text: string): TokenType => word(text, [PlainIntrinsic])
export const DurationWord = intrinsic('duration')
export const ChildCount = word('childCount')
export const Name = intrinsic('name')
export const Status = intrinsic('status')
export const StatusMessage = intrinsic('statusMessage')
export const Parent = word('parent')
export const Kind = intrinsic('kind')
export const RootName = intrinsic('rootName')
intrinsic('rootServiceName')
export const RootService = word('rootService')
intrinsic('traceDuration')
for (const text of ['nestedSetLeft', 'nestedSetRight', 'nestedSetParent']) intrinsic(text)
export const Id = word('id')
export const TraceId = word('traceID')
export const SpanId = word('spanID')
export const ParentId = word('parentID')
export const TimeSinceStart = word('timeSinceStart')
export const Version = word('version')

/** Creates the token type of an intrinsic's scope, including the colon. */
const scope = (name: string): TokenType => {
  const mark = `${name}:`
  const match = (text: string, offset: number): string | undefined => (text.startsWith(mark, offset) ? mark : undefined)
  return builder.type(`Scope_${name}`, mark, [], scanned(match, [mark.charAt(0)]))
}
export const TraceScope = scope('trace')
export const SpanScope = scope('span')
export const EventScope = scope('event')
export const LinkScope = scope('link')
export const InstrumentationScope = scope('instrumentation')

export const Count = word('count')
for (const text of ['avg', 'max', 'min', 'sum']) word(text, [Aggregate])
export const By = word('by')
export const Coalesce = word('coalesce')
export const Select = word('select')
for (const text of ['rate', 'count_over_time']) word(text, [CountMetric])
for (const text of ['min', 'max', 'avg', 'sum', 'histogram']) word(`${text}_over_time`, [FieldMetric])
export const QuantileOverTime = word('quantile_over_time')
export const Compare = word('compare')
for (const text of ['topk', 'bottomk']) word(text, [Ranking])
export const With = word('with')

export const Pipe = builder.punctuation('Pipe', '|')

/** Creates an operator. Its categories say whether it applies to spans, scalars, metrics or fields. */
function operator(name: string, mark: string, ...categories: readonly TokenType[]): TokenType {
  const isOfParts = categories.some((category) => category !== FieldOperator)
  return builder.punctuation(name, mark, isOfParts ? [...categories, PartOperator] : categories)
}

const And = operator('And', '&&', SpanOperator, FieldOperator)
const Or = operator('Or', '||', SpanOperator, FieldOperator)
export const Equal = operator('Equal', '=', CompareOperator, FieldOperator)
export const NotEqual = operator('NotEqual', '!=', CompareOperator, FieldOperator)
const Less = operator('Less', '<', SpanOperator, CompareOperator, FieldOperator)
const LessEqual = operator('LessEqual', '<=', CompareOperator, FieldOperator)
const Greater = operator('Greater', '>', SpanOperator, CompareOperator, FieldOperator)
const GreaterEqual = operator('GreaterEqual', '>=', CompareOperator, FieldOperator)
const NotRegexp = operator('NotRegexp', '!~', SpanOperator, FieldOperator)
const Regexp = operator('Regexp', '=~', FieldOperator)
const Sibling = operator('Sibling', '~', SpanOperator)
/** Relations written with several characters; longer ones are first. */
const relations = ['!>>', '!<<', '&>>', '&<<', '>>', '<<', '!>', '!<', '&>', '&<', '&~'].map((mark) =>
  operator(`Relation_${mark}`, mark, SpanOperator),
)
export const Add = operator('Add', '+', ArithmeticOperator, FieldOperator)
export const Sub = operator('Sub', '-', ArithmeticOperator, FieldOperator)
export const Not = builder.punctuation('Not', '!')
export const Mul = operator('Mul', '*', ArithmeticOperator, FieldOperator)
export const Div = operator('Div', '/', ArithmeticOperator, FieldOperator)
const Mod = operator('Mod', '%', ArithmeticOperator, FieldOperator)
const Pow = operator('Pow', '^', ArithmeticOperator, FieldOperator)

/** A part of the text that is not a valid token. No grammar rule accepts it. */
export const Fault = builder.type('Fault')

/** Raw token types, which only the lexer produces. `scan` converts them to the types above. */
export const raw = rawTypes(/\/\/[^\n]*/u, ['/'])

/**
 * Splits a text into raw tokens, and returns the offsets at which no token starts. Longer operators are tried before
 * shorter ones.
 */
export const lex = lazyLexer(() => {
  const scopes = [TraceScope, SpanScope, EventScope, LinkScope, InstrumentationScope]
  const long = [raw.OpenComment, Attribute, ...scopes, raw.Word, Duration, Integer, StringToken, raw.Character]
  const pairs = [...relations, And, Or, NotEqual, NotRegexp, Regexp]
  const comparisons = [GreaterEqual, LessEqual, Equal, Greater, Less, Pipe, Not]
  const punctuation = [LBrace, RBrace, LParen, RParen, Comma, Sibling]
  return [...raw.blanks, ...long, ...pairs, ...comparisons, ...punctuation, Add, Sub, Mul, Div, Mod, Pow]
})

export function keywordOf(text: string): TokenType | undefined {
  return words.get(text)
}

/** Words that may begin a stage, for suggestions. */
export const stageNames: readonly string[] = [...words].flatMap(([text, type]) =>
  [Count, By, Coalesce, Select, QuantileOverTime, Compare].includes(type) ||
  [Aggregate, CountMetric, FieldMetric, Ranking].some((category) => type.CATEGORIES?.includes(category))
    ? [text]
    : [],
)

/** Words for fields and constants inside braces, for suggestions. */
export const fieldNames: readonly string[] = [...words].flatMap(([text, type]) =>
  type === Nil || [Constant, PlainIntrinsic].some((category) => type.CATEGORIES?.includes(category)) ? [text] : [],
)

export function faultOf(token: Token): LexFault | undefined {
  return token.tokenType === Fault ? (token.payload as LexFault) : undefined
}

/** Names of the tokens whose text varies, as used in Tempo's messages and in Sluice's own. */
const VARYING: ReadonlyMap<TokenType, readonly [reference: string, ours: string]> = new Map([
  [Identifier, ['IDENTIFIER', 'a name']],
  [StringToken, ['STRING', 'a string']],
  [Integer, ['INTEGER', 'a whole number']],
  [Float, ['FLOAT', 'a number']],
  [Duration, ['DURATION', 'a duration']],
  [Attribute, ['.', 'an attribute']],
  [EOF, ['$end', 'the end of the query']],
])

export function nameOf(type: TokenType): string {
  return VARYING.get(type)?.[1] ?? type.LABEL ?? type.name
}

/** Returns the name of a token type in Tempo's messages. */
export function referenceName(type: TokenType): string {
  return VARYING.get(type)?.[0] ?? type.LABEL ?? type.name
}

/**
 * True for a token at which Tempo's messages give line 0: a token that Tempo's scanner assembles from several, such as
 * an operator of several characters, a scope with its dot or colon, or a number with a unit.
 */
export function losesLine({ tokenType, image }: Token): boolean {
  if (tokenType === EOF) return false
  if (tokenType === Duration) return true
  if (tokenType === Attribute || tokenType === Fault) return /^[a-z]+\./.test(image)
  return tokenType.LABEL !== undefined && !words.has(image) && tokenType.LABEL.length > 1
}
