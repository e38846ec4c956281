import { INT64_END, type Span, spanUnion } from '../../base/index.ts'
import type { AtModifier, DurationExpr, MatrixSelector, PromqlExpr, RangeExtension, VectorSelector } from './ast.ts'
import { lengthOf, type Length } from './build-duration.ts'
import { promqlDiagnostic, type Report } from './diagnostics.ts'
import type { PromqlFeatures } from './features.ts'
import { printNumber, roundAway } from './text/go-text.ts'

/** Formats a number with six decimals, like Prometheus. */
function fixedNumber(value: number): string {
  if (!Number.isFinite(value)) return printNumber(value)
  return Math.abs(value) < 1e21 ? value.toFixed(6) : `${printNumber(value)}.000000`
}

/** Applies modifiers to a selector: range, subquery, offset, `@`, anchored and smoothed. */
export class ModifierBuilder {
  readonly #features: PromqlFeatures
  readonly #report: Report
  /** Placeholder selectors of ranges that follow an expression which is not a selector. */
  readonly #broken = new WeakSet<VectorSelector>()

  constructor(features: PromqlFeatures, report: Report) {
    this.#features = features
    this.#report = report
  }

  range(expr: PromqlExpr, range: DurationExpr, brackets: Span): PromqlExpr {
    const length = lengthOf(range)
    const span = { start: expr.span.start, end: brackets.end }
    if (expr.kind !== 'vector-selector') {
      this.#report(promqlDiagnostic('range-place', undefined, brackets))
      const broken = emptySelector(expr.span)
      this.#broken.add(broken)
      return matrixSelector(broken, length, span)
    }
    if (expr.offsetMs !== 0 || expr.offsetExpr !== undefined) {
      this.#report(promqlDiagnostic('offset-before-range', undefined, brackets))
    } else if (expr.at !== undefined) {
      this.#report(promqlDiagnostic('at-before-range', undefined, brackets))
    }
    return matrixSelector(expr, length, span)
  }

  subquery(expr: PromqlExpr, range: DurationExpr, step: DurationExpr | undefined, brackets: Span): PromqlExpr {
    const rangeLength = lengthOf(range)
    const stepLength = lengthOf(step)
    return {
      kind: 'subquery',
      valueType: 'matrix',
      expr,
      rangeMs: rangeLength.ms,
      rangeExpr: rangeLength.expr,
      stepMs: stepLength.ms,
      stepExpr: stepLength.expr,
      offsetMs: 0,
      offsetExpr: undefined,
      at: undefined,
      span: spanUnion(expr.span, brackets),
    }
  }

  offset(expr: PromqlExpr, offset: DurationExpr, end: number): PromqlExpr {
    if (expr.kind !== 'vector-selector' && expr.kind !== 'matrix-selector' && expr.kind !== 'subquery') {
      this.#report(promqlDiagnostic('offset-place', undefined, expr.span))
      return expr
    }
    if (this.#isBrokenRange(expr)) return expr
    const holder = expr.kind === 'matrix-selector' ? expr.selector : expr
    if (holder.offsetMs !== 0 || holder.offsetExpr !== undefined) {
      this.#report(promqlDiagnostic('offset-twice', undefined, expr.span))
    }
    const length = lengthOf(offset)
    const change = { offsetMs: length.ms, offsetExpr: length.expr }
    const span = { start: expr.span.start, end: Math.max(expr.span.end, end) }
    if (expr.kind === 'matrix-selector') return { ...expr, selector: { ...expr.selector, ...change }, span }
    return { ...expr, ...change, span }
  }

  atTime(expr: PromqlExpr, seconds: number, end: number): PromqlExpr {
    if (!(Math.abs(seconds) < INT64_END)) {
      this.#report(promqlDiagnostic('at-range', { value: fixedNumber(seconds) }, expr.span))
    }
    return this.#at(expr, { kind: 'time', timeMs: roundAway(seconds * 1000) }, end)
  }

  atEdge(expr: PromqlExpr, edge: 'start' | 'end', end: number): PromqlExpr {
    return this.#at(expr, { kind: edge }, end)
  }

  extension(expr: PromqlExpr, word: RangeExtension): PromqlExpr {
    if (!this.#features.extendedRangeSelectors) {
      this.#report(promqlDiagnostic('extension-off', { word }, expr.span))
      return expr
    }
    if (expr.kind === 'subquery') {
      this.#report(promqlDiagnostic('extension-subquery', { word }, expr.span))
      return expr
    }
    if (expr.kind !== 'vector-selector' && expr.kind !== 'matrix-selector') {
      this.#report(promqlDiagnostic('extension-place', { word }, expr.span))
      return expr
    }
    const selector = expr.kind === 'matrix-selector' ? expr.selector : expr
    if (selector.extension !== undefined && selector.extension !== word) {
      this.#report(promqlDiagnostic('extension-both', undefined, expr.span))
    }
    if (expr.kind === 'matrix-selector') return { ...expr, selector: { ...selector, extension: word } }
    return { ...expr, extension: word }
  }

  #at(expr: PromqlExpr, at: AtModifier, end: number): PromqlExpr {
    if (expr.kind !== 'vector-selector' && expr.kind !== 'matrix-selector' && expr.kind !== 'subquery') {
      this.#report(promqlDiagnostic('at-place', undefined, expr.span))
      return expr
    }
    if (this.#isBrokenRange(expr)) return expr
    const holder = expr.kind === 'matrix-selector' ? expr.selector : expr
    if (holder.at !== undefined) {
      this.#report(promqlDiagnostic('at-twice', undefined, expr.span))
      return expr
    }
    const span = { start: expr.span.start, end: Math.max(expr.span.end, end) }
    if (expr.kind === 'matrix-selector') return { ...expr, selector: { ...expr.selector, at }, span }
    return { ...expr, at, span }
  }

  /**
   * True if a range follows an expression that is not a selector. Then also reports the error for the modifier after
   * the range.
   */
  #isBrokenRange(expr: PromqlExpr): boolean {
    if (expr.kind !== 'matrix-selector' || !this.#broken.has(expr.selector)) return false
    this.#report(promqlDiagnostic('range-place', undefined, expr.span))
    return true
  }
}

function matrixSelector(selector: VectorSelector, range: Length, span: Span): MatrixSelector {
  return { kind: 'matrix-selector', valueType: 'matrix', selector, rangeMs: range.ms, rangeExpr: range.expr, span }
}

function emptySelector(span: Span): VectorSelector {
  return {
    kind: 'vector-selector',
    valueType: 'vector',
    name: '',
    matchers: [],
    offsetMs: 0,
    offsetExpr: undefined,
    at: undefined,
    extension: undefined,
    span,
  }
}
