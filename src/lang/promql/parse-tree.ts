import type { JsonValue } from '../../base/index.ts'
import { seriesSignatures } from '../../plan/index.ts'
import type { AtModifier, Binary, Call, DurationExpr, Matcher, PromqlExpr, VectorSelector } from './ast.ts'
import { printNumber } from './text/go-text.ts'

function timeOf(at: AtModifier | undefined): { timestamp: number | null; startOrEnd: string | null } {
  return {
    timestamp: at?.kind === 'time' ? at.timeMs : null,
    startOrEnd: at === undefined || at.kind === 'time' ? null : at.kind,
  }
}

/** Replaces lone surrogates, which represent invalid UTF-8, since JSON cannot express them. */
function wellFormed(text: string): string {
  return text.toWellFormed()
}

function matchersOf(matchers: readonly Matcher[]): JsonValue {
  return matchers.map((matcher) => ({
    name: wellFormed(matcher.label),
    type: matcher.op,
    value: wellFormed(matcher.value),
  }))
}

function selectionOf(selector: VectorSelector): Record<string, JsonValue> {
  return {
    name: selector.name,
    matchers: matchersOf(selector.matchers),
    offset: selector.offsetMs,
    offsetExpr: lengthOf(selector.offsetExpr),
    anchored: selector.extension === 'anchored',
    smoothed: selector.extension === 'smoothed',
    ...timeOf(selector.at),
  }
}

/** Returns a duration formula as JSON; `null` for a plain literal, which other members express in ms. */
function lengthOf(expr: DurationExpr | undefined): JsonValue {
  return expr === undefined || (expr.kind === 'duration-number' && !expr.isWrapped) ? null : durationOf(expr)
}

function durationOf(expr: DurationExpr): JsonValue {
  const wrapped = expr.isWrapped
  switch (expr.kind) {
    case 'duration-number': {
      const literal = { type: 'numberLiteral', val: printNumber(expr.seconds), duration: expr.isDuration }
      return wrapped ? { type: 'durationExpr', op: '+', lhs: null, rhs: literal, wrapped } : literal
    }
    case 'duration-unary':
      return { type: 'durationExpr', op: expr.op, lhs: null, rhs: durationOf(expr.expr), wrapped }
    case 'duration-binary':
      return { type: 'durationExpr', op: expr.op, lhs: durationOf(expr.lhs), rhs: durationOf(expr.rhs), wrapped }
    case 'duration-call': {
      const [lhs, rhs] = expr.args
      const sides = { lhs: lhs === undefined ? null : durationOf(lhs), rhs: rhs === undefined ? null : durationOf(rhs) }
      return { type: 'durationExpr', op: expr.name, ...sides, wrapped }
    }
  }
}

/** Returns a number for JSON; `null` for NaN and infinity, which JSON does not have. */
function numberOrNull(value: number | undefined): JsonValue {
  return value === undefined || !Number.isFinite(value) ? null : value
}

function binaryOf(expr: Binary): JsonValue {
  const { matching } = expr
  return {
    type: 'binaryExpr',
    op: expr.op,
    lhs: toParseTree(expr.lhs),
    rhs: toParseTree(expr.rhs),
    bool: expr.isBool,
    matching:
      matching === undefined
        ? null
        : {
            card: matching.cardinality,
            labels: matching.labels,
            on: matching.isOn,
            include: matching.include,
            fillValues: { lhs: numberOrNull(matching.fillLeft), rhs: numberOrNull(matching.fillRight) },
          },
  }
}

function callOf(expr: Call): JsonValue {
  const signature = seriesSignatures.get(expr.name)
  return {
    type: 'call',
    func: {
      name: expr.name,
      argTypes: signature?.args ?? [],
      variadic: signature?.variadic ?? 0,
      returnType: signature?.returns ?? 'none',
    },
    args: expr.args.map((arg) => toParseTree(arg)),
  }
}

/** Returns the tree in the format of Prometheus's endpoint `parse_query`. */
export function toParseTree(expr: PromqlExpr): JsonValue {
  switch (expr.kind) {
    case 'number':
      return { type: 'numberLiteral', val: printNumber(expr.value) }
    case 'string':
      return { type: 'stringLiteral', val: wellFormed(expr.value) }
    case 'vector-selector':
      return { type: 'vectorSelector', ...selectionOf(expr) }
    case 'matrix-selector': {
      const range = { range: expr.rangeMs, rangeExpr: lengthOf(expr.rangeExpr) }
      return { type: 'matrixSelector', ...selectionOf(expr.selector), ...range }
    }
    case 'subquery':
      return {
        type: 'subquery',
        expr: toParseTree(expr.expr),
        range: expr.rangeMs,
        rangeExpr: lengthOf(expr.rangeExpr),
        step: expr.stepMs,
        stepExpr: lengthOf(expr.stepExpr),
        offset: expr.offsetMs,
        offsetExpr: lengthOf(expr.offsetExpr),
        ...timeOf(expr.at),
      }
    case 'paren':
      return { type: 'parenExpr', expr: toParseTree(expr.expr) }
    case 'unary':
      return { type: 'unaryExpr', op: expr.op, expr: toParseTree(expr.expr) }
    case 'binary':
      return binaryOf(expr)
    case 'call':
      return callOf(expr)
    case 'aggregation':
      return {
        type: 'aggregation',
        op: expr.op,
        expr: toParseTree(expr.expr),
        param: expr.param === undefined ? null : toParseTree(expr.param),
        grouping: expr.grouping,
        without: expr.isWithout,
      }
  }
}
