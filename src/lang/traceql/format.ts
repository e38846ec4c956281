import { assertNever } from '../../base/index.ts'
import { durationText, printNumberShort } from '../../functions/go-template/format/index.ts'
import { quoteText } from '../promql/text/go-text.ts'
import type * as ast from './ast.ts'
import { printName } from './text/attribute.ts'

/** Maximum number of digits before the point; a number with more is printed with an exponent. */
const MAX_DIGITS = 6

const MIN_INT = -(2n ** 63n)

/** Any node of a query that can be printed alone. */
export type TraceqlNode = ast.TraceqlExpr | ast.SpanExpr | ast.Stage | ast.FieldExpr | ast.MetricExpr

function printString(text: string): string {
  // Back quotes allow no escapes, so strings with these characters are printed in double quotes.
  return /[`\r\ufffd\p{Surrogate}]/u.test(text) ? quoteText(text) : `\`${text}\``
}

function printNumber(value: number): string {
  return printNumberShort(value, MAX_DIGITS)
}

/** Formats a number so that it does not parse as an integer. */
function printFloat(value: number): string {
  const text = printNumber(value)
  return /[e.]/.test(text) ? text : `${text}.0`
}

function printLiteral(literal: ast.LiteralValue): string {
  switch (literal.type) {
    case 'string':
      return printString(literal.value)
    case 'int':
      return literal.value === MIN_INT ? 'minInt' : String(literal.value)
    case 'float':
      return printFloat(literal.value)
    case 'duration':
      return durationText(literal.value)
    case 'bool':
    case 'status':
    case 'kind':
      return String(literal.value)
    case 'nil':
      return 'nil'
    default:
      return assertNever(literal)
  }
}

function printAttribute({ scope, name }: ast.Attribute): string {
  return `${scope === 'none' ? '' : scope}.${printName(name)}`
}

function printField(expr: ast.FieldExpr): string {
  switch (expr.kind) {
    case 'attribute':
      return printAttribute(expr)
    case 'intrinsic':
      return expr.name
    case 'literal':
      return printLiteral(expr.literal)
    case 'unary':
      return `${expr.op}${printFieldOperand(expr.arg)}`
    case 'binary':
      return `${printLeft(expr)} ${expr.op} ${printFieldOperand(expr.rhs)}`
    default:
      return assertNever(expr)
  }
}

function printFieldOperand(expr: ast.FieldExpr): string {
  return expr.kind === 'unary' || expr.kind === 'binary' ? `(${printField(expr)})` : printField(expr)
}

/** Prints the left operand. A negative number gets parentheses before operators that bind tighter than its sign. */
function printLeft({ op, lhs }: ast.Binary): string {
  const text = printFieldOperand(lhs)
  return text.startsWith('-') && lhs.kind === 'literal' && '*/%^'.includes(op) ? `(${text})` : text
}

/** True for an operation between pipelines, whose operands are printed in parentheses. */
function joinsPipelines(expr: ast.SpanExpr): boolean {
  let first = expr
  while (first.kind === 'operation') first = first.lhs
  return first.kind === 'pipeline'
}

function printSpans(expr: ast.SpanExpr): string {
  switch (expr.kind) {
    case 'filter':
      return expr.condition === undefined ? '{}' : `{ ${printField(expr.condition)} }`
    case 'operation': {
      const isWrapped = joinsPipelines(expr)
      const operand = (side: ast.SpanExpr): string =>
        isWrapped || side.kind !== 'filter' ? `(${printSpans(side)})` : printSpans(side)
      return `${operand(expr.lhs)} ${expr.op} ${operand(expr.rhs)}`
    }
    case 'pipeline':
      return [printSpans(expr.input), ...expr.stages.map(printStage)].join(' | ')
    default:
      return assertNever(expr)
  }
}

/** Returns an aggregate without its comparison, which is its name in answers: `count()`, `avg(duration)`. */
export function printAggregate({ aggregate, argument }: Pick<ast.AggregateStage, 'aggregate' | 'argument'>): string {
  return `${aggregate}(${argument === undefined ? '' : printField(argument)})`
}

function printStage(stage: ast.Stage): string {
  switch (stage.kind) {
    case 'filter-stage':
      return printSpans(stage.spans)
    case 'aggregate':
      return `${printAggregate(stage)} ${stage.op} ${printLiteral(stage.value.literal)}`
    case 'by':
      return `by(${printField(stage.key)})`
    case 'coalesce':
      return 'coalesce()'
    case 'select':
      return `select(${stage.fields.map(printField).join(', ')})`
    default:
      return assertNever(stage)
  }
}

function printFunction(fn: ast.MetricFunction): string {
  switch (fn.name) {
    case 'rate':
    case 'count_over_time':
      return `${fn.name}()`
    case 'quantile_over_time':
      return `${fn.name}(${[printField(fn.field), ...fn.quantiles.map(printNumber)].join(', ')})`
    case 'compare': {
      const window = fn.window === undefined ? [] : [fn.window.startNs, fn.window.endNs]
      return `${fn.name}(${[printSpans(fn.selection), fn.top, ...window].join(', ')})`
    }
    default:
      return `${fn.name}(${printField(fn.field)})`
  }
}

function printSecondStages(stages: readonly ast.SecondStage[]): string {
  return stages
    .map((stage) =>
      stage.kind === 'compare' ? ` ${stage.op} ${printNumber(stage.value)}` : ` | ${stage.kind}(${stage.limit})`,
    )
    .join('')
}

function printMetric(expr: ast.MetricExpr): string {
  switch (expr.kind) {
    case 'number':
      return printNumber(expr.value)
    case 'arithmetic': {
      const operand = (side: ast.MetricExpr): string =>
        side.kind === 'number' ? printMetric(side) : `(${printMetric(side)})`
      return `${operand(expr.lhs)} ${expr.op} ${operand(expr.rhs)}${printSecondStages(expr.stages)}`
    }
    case 'metric': {
      const keys = expr.by.length === 0 ? '' : ` by (${expr.by.map(({ label }) => label).join(', ')})`
      return `${printSpans(expr.spans)} | ${printFunction(expr.fn)}${keys}${printSecondStages(expr.stages)}`
    }
    default:
      return assertNever(expr)
  }
}

function printHints(hints: readonly ast.Hint[]): string {
  if (hints.length === 0) return ''
  return ` with (${hints.map(({ name, value }) => `${name}=${printLiteral(value.literal)}`).join(', ')})`
}

/** Returns the canonical text of a query, or of a part of one, on one line. It parses to the same tree. */
export function printTraceql(node: TraceqlNode): string {
  switch (node.kind) {
    case 'trace-query':
      return `${printSpans(node.spans)}${printHints(node.hints)}`
    case 'metrics-query':
      return `${printMetric(node.metric)}${printHints(node.hints)}`
    case 'filter':
    case 'operation':
    case 'pipeline':
      return printSpans(node)
    case 'filter-stage':
    case 'aggregate':
    case 'by':
    case 'coalesce':
    case 'select':
      return printStage(node)
    case 'metric':
    case 'arithmetic':
    case 'number':
      return printMetric(node)
    default:
      return printField(node)
  }
}
