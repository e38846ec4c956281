import { INT64_END, spanUnion, type Span } from '../../base/index.ts'
import type { DurationBinary, DurationCall, DurationExpr, DurationNumber } from './ast.ts'
import { promqlDiagnostic, type Report } from './diagnostics.ts'
import type { PromqlFeatures } from './features.ts'
import { roundAway } from './text/go-text.ts'

/** Maximum duration, seconds: the largest int64 in ns. */
const MAX_SECONDS = INT64_END / 1e9

const NOWHERE: Span = { start: 0, end: 0 }

/** Returns a placeholder for a duration with a reported error. */
function refused(span: Span = NOWHERE): DurationNumber {
  return { kind: 'duration-number', seconds: 0, isDuration: false, isWrapped: false, span }
}

/** A duration in a selector: whole ms, or a formula that is computed when the query runs. */
export interface Length {
  readonly ms: number
  readonly expr: DurationExpr | undefined
}

const NO_LENGTH: Length = { ms: 0, expr: undefined }

function isPlainNumber(expr: DurationExpr): expr is DurationNumber {
  return expr.kind === 'duration-number' && !expr.isWrapped
}

/**
 * Converts a literal duration to whole ms. A literal that is not a whole number of ms stays a formula, to keep its
 * exact value; so do all other formulas.
 */
export function lengthOf(expr: DurationExpr | undefined): Length {
  if (expr === undefined) return NO_LENGTH
  if (!isPlainNumber(expr)) return { ms: 0, expr }
  const ns = BigInt(roundAway(expr.seconds * 1e9))
  const ms = Number(ns / 1_000_000n)
  return { ms, expr: ns % 1_000_000n === 0n ? undefined : expr }
}

/** Builds the nodes of duration formulas and reports errors. */
export class DurationBuilder {
  readonly #features: PromqlFeatures
  readonly #report: Report

  constructor(features: PromqlFeatures, report: Report) {
    this.#features = features
    this.#report = report
  }

  number(seconds: number, isDuration: boolean, span: Span): DurationNumber {
    if (this.#isOutOfRange(seconds, span)) return refused()
    return { kind: 'duration-number', seconds, isDuration, isWrapped: false, span }
  }

  call(name: DurationCall['name'], args: readonly DurationExpr[], span: Span): DurationCall {
    const call: DurationCall = { kind: 'duration-call', name, args, isWrapped: false, span }
    this.#needFlag(call)
    return call
  }

  paren(inner: DurationExpr): DurationExpr {
    this.#needFlag(inner)
    return { ...inner, isWrapped: true }
  }

  /**
   * Builds a duration in parentheses that follows the sign of an offset. Allowed even if the feature for duration
   * formulas is off.
   */
  signedParen(inner: DurationExpr): DurationExpr {
    return { ...inner, isWrapped: true }
  }

  /** Applies a sign to a duration. A plus is dropped, unless `keepsPlus` or the operand is a number. */
  unary(op: '+' | '-', opSpan: Span, operand: DurationExpr, keepsPlus = false): DurationExpr {
    const span = spanUnion(opSpan, operand.span)
    if (isPlainNumber(operand)) {
      const seconds = op === '-' ? -operand.seconds : operand.seconds
      if (this.#isOutOfRange(seconds, opSpan)) return refused()
      return { ...operand, seconds, span }
    }
    if (op === '+' && !keepsPlus) return operand
    return { kind: 'duration-unary', op, expr: operand, isWrapped: false, span }
  }

  binary(op: DurationBinary['op'], opSpan: Span, lhs: DurationExpr, rhs: DurationExpr): DurationExpr {
    this.#needFlag(lhs)
    if ((op === '/' || op === '%') && isPlainNumber(rhs) && rhs.seconds === 0) {
      this.#report(promqlDiagnostic(op === '/' ? 'division-by-zero' : 'modulo-by-zero', undefined, opSpan))
      return refused()
    }
    return { kind: 'duration-binary', op, lhs, rhs, isWrapped: false, span: spanUnion(lhs.span, rhs.span) }
  }

  /** Reports a range or step that is zero or negative. A formula is checked later, when its value is known. */
  positive(expr: DurationExpr): DurationExpr {
    if (!isPlainNumber(expr) || expr.seconds > 0) return expr
    this.#report(promqlDiagnostic('duration-positive', undefined, expr.span))
    return refused(expr.span)
  }

  #isOutOfRange(seconds: number, span: Span): boolean {
    if (Math.abs(seconds) <= MAX_SECONDS) return false
    this.#report(promqlDiagnostic('duration-range', undefined, span))
    return true
  }

  #needFlag(expr: DurationExpr): void {
    if (!this.#features.durationExpressions) this.#report(promqlDiagnostic('duration-off', undefined, expr.span))
  }
}
