import { assertNever, at, present } from '../../base/index.ts'
import {
  fixedDuration,
  type DurationFormula,
  type SeriesDuration,
  type SeriesPlan,
  type SeriesSelect,
  type TimeShift,
} from '../../plan/series/index.ts'
import type { AtModifier, DurationExpr, MatrixSelector, PromqlExpr, VectorSelector } from './ast.ts'

/** Inputs of the conversion to a metric plan, besides the syntax tree. */
export interface LowerOptions {
  /** Table that selectors read. */
  readonly table: string
}

export const SAMPLES_TABLE = 'samples'

function lowerFormula(expr: DurationExpr): DurationFormula {
  switch (expr.kind) {
    case 'duration-number':
      return { kind: 'seconds', value: expr.seconds }
    case 'duration-unary': {
      const arg = lowerFormula(expr.expr)
      return expr.op === '-' ? { kind: 'negate', arg } : arg
    }
    case 'duration-binary':
      return {
        kind: 'binary',
        op: expr.op,
        lhs: lowerFormula(expr.lhs),
        rhs: lowerFormula(expr.rhs),
        origin: at(expr.span),
      }
    case 'duration-call': {
      if (expr.name === 'step' || expr.name === 'range') return { kind: expr.name }
      const [lhs, rhs] = expr.args.map((arg) => lowerFormula(arg))
      const op = expr.name === 'min_of' ? 'min' : 'max'
      return { kind: 'binary', op, lhs: present(lhs), rhs: present(rhs), origin: at(expr.span) }
    }
    default:
      return assertNever(expr)
  }
}

function lowerDuration(ms: number, expr: DurationExpr | undefined): SeriesDuration {
  return expr === undefined
    ? fixedDuration(ms)
    : { kind: 'computed', formula: lowerFormula(expr), origin: at(expr.span) }
}

function lowerShift(node: {
  readonly at: AtModifier | undefined
  readonly offsetMs: number
  readonly offsetExpr: DurationExpr | undefined
}): TimeShift {
  return { at: node.at, offset: lowerDuration(node.offsetMs, node.offsetExpr) }
}

/** Lowers a vector selector. `selector` is the range selector that contains it, if there is one. */
function lowerSelector(
  node: VectorSelector,
  options: LowerOptions,
  selector: VectorSelector | MatrixSelector,
): SeriesSelect {
  return {
    kind: 'series-select',
    table: options.table,
    matchers: node.matchers,
    guard: undefined,
    shift: lowerShift(node),
    extension: node.extension ?? 'none',
    origin: at(selector.span),
  }
}

/** Converts a checked PromQL tree to a metric plan; parentheses are dropped. */
export function lowerPromql(expr: PromqlExpr, options: LowerOptions = { table: SAMPLES_TABLE }): SeriesPlan {
  const lower = (node: PromqlExpr): SeriesPlan => lowerPromql(node, options)
  const origin = at(expr.span)
  switch (expr.kind) {
    case 'number':
      return { kind: 'series-number', value: expr.value, origin }
    case 'string':
      return { kind: 'series-text', value: expr.value, origin }
    case 'paren':
      return lower(expr.expr)
    case 'vector-selector':
      return lowerSelector(expr, options, expr)
    case 'matrix-selector': {
      const select = lowerSelector(expr.selector, options, expr)
      return { kind: 'series-range', select, range: lowerDuration(expr.rangeMs, expr.rangeExpr), origin }
    }
    case 'subquery': {
      const hasStep = expr.stepMs !== 0 || expr.stepExpr !== undefined
      return {
        kind: 'series-subquery',
        input: lower(expr.expr),
        range: lowerDuration(expr.rangeMs, expr.rangeExpr),
        step: hasStep ? lowerDuration(expr.stepMs, expr.stepExpr) : undefined,
        shift: lowerShift(expr),
        origin,
      }
    }
    case 'unary':
      return { kind: 'series-unary', op: expr.op, input: lower(expr.expr), origin }
    case 'binary': {
      const { op, isBool, matching } = expr
      return { kind: 'series-binary', op, lhs: lower(expr.lhs), rhs: lower(expr.rhs), isBool, matching, origin }
    }
    case 'call':
      return { kind: 'series-call', name: expr.name, args: expr.args.map((arg) => lower(arg)), origin }
    case 'aggregation': {
      const { op, grouping, isWithout } = expr
      const param = expr.param === undefined ? undefined : lower(expr.param)
      return { kind: 'series-aggregate', op, input: lower(expr.expr), param, grouping, isWithout, origin }
    }
    default:
      return assertNever(expr)
  }
}
