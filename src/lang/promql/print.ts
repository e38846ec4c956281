import { hasMember, checkArgument } from '../../base/index.ts'
import { compareText } from '../../data/index.ts'
import type {
  Aggregation,
  AtModifier,
  Binary,
  DurationExpr,
  MatrixSelector,
  Matcher,
  NumberLiteral,
  PromqlExpr,
  Subquery,
  VectorMatching,
  VectorSelector,
} from './ast.ts'
import { printNumber, printNumberShort, quoteText } from './text/go-text.ts'
import { printDurationMs } from './text/number-text.ts'

const PLAIN_LABEL = /^[A-Za-z_][A-Za-z0-9_]*$/

function printLabel(label: string): string {
  return PLAIN_LABEL.test(label) ? label : quoteText(label)
}

export function printLabels(labels: readonly string[]): string {
  return labels.map((label) => printLabel(label)).join(', ')
}

export function printMatcher(matcher: Matcher): string {
  return `${printLabel(matcher.label)}${matcher.op}${quoteText(matcher.value)}`
}

/** Prints a selector, with its matchers sorted by text. A name before the braces is not repeated inside the braces. */
function printSelection(selector: VectorSelector): string {
  const { name, matchers } = selector
  const inside = matchers
    .filter((matcher) => name === '' || matcher.label !== '__name__' || matcher.op !== '=' || matcher.value !== name)
    .map((matcher) => printMatcher(matcher))
    .toSorted(compareText)
  // A selector without a metric name needs braces even if they are empty.
  return inside.length === 0 && name !== '' ? name : `${name}{${inside.join(',')}}`
}

function printSeconds(seconds: number, isDuration: boolean): string {
  if (!isDuration) return printNumber(seconds)
  const ms = Math.round(Math.abs(seconds) * 1000)
  return seconds < 0 ? `-${printDurationMs(ms)}` : printDurationMs(ms)
}

function printDurationBody(expr: DurationExpr): string {
  switch (expr.kind) {
    case 'duration-number':
      return printSeconds(expr.seconds, expr.isDuration)
    case 'duration-unary':
      return `${expr.op === '-' ? '-' : ''}${printDurationExpr(expr.expr)}`
    case 'duration-binary':
      return `${printDurationExpr(expr.lhs)} ${expr.op} ${printDurationExpr(expr.rhs)}`
    case 'duration-call':
      return `${expr.name}(${expr.args.map((arg) => printDurationExpr(arg)).join(', ')})`
  }
}

export function printDurationExpr(expr: DurationExpr): string {
  const body = printDurationBody(expr)
  return expr.isWrapped ? `(${body})` : body
}

function printLength(ms: number, expr: DurationExpr | undefined): string {
  return expr === undefined ? printDurationMs(ms) : printDurationExpr(expr)
}

function printOffset(ms: number, expr: DurationExpr | undefined): string {
  if (expr !== undefined) return ` offset ${printDurationExpr(expr)}`
  if (ms === 0) return ''
  return ms < 0 ? ` offset -${printDurationMs(-ms)}` : ` offset ${printDurationMs(ms)}`
}

function printAt(at: AtModifier | undefined): string {
  if (at === undefined) return ''
  return at.kind === 'time' ? ` @ ${(at.timeMs / 1000).toFixed(3)}` : ` @ ${at.kind}()`
}

function printVectorSelector(selector: VectorSelector): string {
  const extension = selector.extension === undefined ? '' : ` ${selector.extension}`
  const offset = printOffset(selector.offsetMs, selector.offsetExpr)
  return `${printSelection(selector)}${printAt(selector.at)}${extension}${offset}`
}

function printMatrixSelector(expr: MatrixSelector): string {
  const { selector } = expr
  const extension = selector.extension === undefined ? '' : ` ${selector.extension}`
  const offset = printOffset(selector.offsetMs, selector.offsetExpr)
  const range = printLength(expr.rangeMs, expr.rangeExpr)
  return `${printSelection(selector)}[${range}]${extension}${printAt(selector.at)}${offset}`
}

/** Prints `[range:step]` with the modifiers after it. */
export function printSubquerySuffix(expr: Subquery): string {
  const step = expr.stepMs === 0 && expr.stepExpr === undefined ? '' : printLength(expr.stepMs, expr.stepExpr)
  const range = printLength(expr.rangeMs, expr.rangeExpr)
  return `[${range}:${step}]${printAt(expr.at)}${printOffset(expr.offsetMs, expr.offsetExpr)}`
}

function printFill(matching: VectorMatching): string {
  const { fillLeft: left, fillRight: right } = matching
  if (left !== undefined && left === right) return ` fill (${printNumberShort(left)})`
  const leftText = left === undefined ? '' : ` fill_left (${printNumberShort(left)})`
  return right === undefined ? leftText : `${leftText} fill_right (${printNumberShort(right)})`
}

function printMatching(matching: VectorMatching | undefined): string {
  if (matching === undefined) return ''
  const { cardinality, isOn, labels, include } = matching
  const isGrouped = cardinality === 'many-to-one' || cardinality === 'one-to-many'
  let text = ''
  if (labels.length > 0 || isOn || isGrouped) text += ` ${isOn ? 'on' : 'ignoring'} (${printLabels(labels)})`
  if (isGrouped) text += ` group_${cardinality === 'many-to-one' ? 'left' : 'right'} (${printLabels(include)})`
  return text + printFill(matching)
}

/** Prints a binary operator with all its modifiers. */
export function printOperator(expr: Binary): string {
  return `${expr.op}${expr.isBool ? ' bool' : ''}${printMatching(expr.matching)}`
}

/** Prints an aggregation up to its opening parenthesis. */
export function printAggregationHead(expr: Aggregation): string {
  if (expr.isWithout) return `${expr.op} without (${printLabels(expr.grouping)}) `
  return expr.grouping.length > 0 ? `${expr.op} by (${printLabels(expr.grouping)}) ` : expr.op
}

function printAggregation(expr: Aggregation): string {
  const param = expr.param === undefined ? '' : `${printPromql(expr.param)}, `
  return `${printAggregationHead(expr)}(${param}${printPromql(expr.expr)})`
}

/** True if the base of a power is `+Inf`, whose sign would apply to the whole power: `+Inf ^ 2` means `+(Inf ^ 2)`. */
export function isSignedBase({ op, lhs }: Binary): boolean {
  return op === '^' && lhs.kind === 'number' && lhs.value === Infinity
}

/** Operators that the parser reads as part of a preceding offset in parentheses. */
const DURATION_OPERATORS = new Set<Binary['op']>(['+', '-', '*', '/', '%', '^'])

/** Returns the offset formula with which the text of an expression ends; `undefined` if it ends without one. */
function lastOffset(expr: PromqlExpr): DurationExpr | undefined {
  switch (expr.kind) {
    case 'vector-selector':
    case 'subquery':
      return expr.offsetExpr
    case 'matrix-selector':
      return expr.selector.offsetExpr
    case 'unary':
      return lastOffset(expr.expr)
    case 'binary':
      return lastOffset(expr.rhs)
    default:
      return undefined
  }
}

/**
 * Returns the text of the left operand so that an operator can follow. In `a offset (1m) + b`, the plus would belong to
 * the offset; a sign before the parenthesis prevents that.
 */
export function endOffset({ op, lhs }: Binary, text: string): string {
  const offset = lastOffset(lhs)
  if (offset === undefined || !DURATION_OPERATORS.has(op)) return text
  const printed = printDurationExpr(offset)
  if (!printed.startsWith('(')) return text
  return `${text.slice(0, -printed.length)}+${offset.isWrapped ? printed : `(${printed})`}`
}

export function printLiteral(literal: NumberLiteral): string {
  return printSeconds(literal.value, literal.isDuration)
}

/**
 * Prints an expression in canonical form on one line. The text parses to the same tree, except for the order of
 * matchers and a plus before a duration.
 */
export function printPromql(expr: PromqlExpr): string {
  checkArgument(
    hasMember(expr, 'kind'),
    expr,
    'the `ast` that `parsePromql` gives',
    'printPromql(parsePromql(text).ast)',
  )
  switch (expr.kind) {
    case 'number':
      return printLiteral(expr)
    case 'string':
      return quoteText(expr.value)
    case 'vector-selector':
      return printVectorSelector(expr)
    case 'matrix-selector':
      return printMatrixSelector(expr)
    case 'subquery':
      return `${printPromql(expr.expr)}${printSubquerySuffix(expr)}`
    case 'paren':
      return `(${printPromql(expr.expr)})`
    case 'unary':
      return `${expr.op}${printPromql(expr.expr)}`
    case 'binary': {
      const lhs = isSignedBase(expr) ? 'Inf' : endOffset(expr, printPromql(expr.lhs))
      return `${lhs} ${printOperator(expr)} ${printPromql(expr.rhs)}`
    }
    case 'call':
      return `${expr.name}(${expr.args.map((arg) => printPromql(arg)).join(', ')})`
    case 'aggregation':
      return printAggregation(expr)
  }
}
