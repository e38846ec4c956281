import type { Origin } from '../../base/index.ts'
import { pow } from '../../data/elementary/index.ts'

/** A duration. It may depend on the query's step and range. */
export type SeriesDuration =
  | { readonly kind: 'fixed'; readonly ms: number }
  /** A formula, evaluated once per query. Its result and its plain numbers are in seconds. */
  | { readonly kind: 'computed'; readonly formula: DurationFormula; readonly origin: Origin }

export type DurationFormula =
  | { readonly kind: 'seconds'; readonly value: number }
  | { readonly kind: 'step' }
  | { readonly kind: 'range' }
  | { readonly kind: 'negate'; readonly arg: DurationFormula }
  | {
      readonly kind: 'binary'
      readonly op: '+' | '-' | '*' | '/' | '%' | '^' | 'min' | 'max'
      readonly lhs: DurationFormula
      readonly rhs: DurationFormula
      readonly origin: Origin
    }

export function fixedDuration(ms: number): SeriesDuration {
  return { kind: 'fixed', ms }
}

/** The values of `step()` and `range()` in one query, in seconds. */
export interface QueryExtent {
  readonly stepSeconds: number
  readonly rangeSeconds: number
}

/** Throws the error for a division or remainder by 0. `origin` is the origin of the whole operation. */
export type RefuseDivision = (operation: 'division' | 'modulo', origin: Origin) => never

/** Evaluates a formula in seconds. The result may be NaN or infinite, which the caller must refuse. */
export function evaluateFormula(formula: DurationFormula, extent: QueryExtent, refuse: RefuseDivision): number {
  switch (formula.kind) {
    case 'seconds':
      return formula.value
    case 'step':
      return extent.stepSeconds
    case 'range':
      return extent.rangeSeconds
    case 'negate':
      return -evaluateFormula(formula.arg, extent, refuse)
    case 'binary': {
      const lhs = evaluateFormula(formula.lhs, extent, refuse)
      const rhs = evaluateFormula(formula.rhs, extent, refuse)
      switch (formula.op) {
        case '+':
          return lhs + rhs
        case '-':
          return lhs - rhs
        case '*':
          return lhs * rhs
        case '/':
          return rhs === 0 ? refuse('division', formula.origin) : lhs / rhs
        case '%':
          return rhs === 0 ? refuse('modulo', formula.origin) : lhs % rhs
        case '^':
          return pow(lhs, rhs)
        case 'min':
          return Math.min(lhs, rhs)
        case 'max':
          return Math.max(lhs, rhs)
      }
    }
  }
}

export function printDuration(duration: SeriesDuration): string {
  return duration.kind === 'fixed' ? `${duration.ms}ms` : printFormula(duration.formula)
}

function printFormula(formula: DurationFormula): string {
  switch (formula.kind) {
    case 'seconds':
      return String(formula.value)
    case 'step':
    case 'range':
      return `${formula.kind}()`
    case 'negate':
      return `-${printFormula(formula.arg)}`
    case 'binary':
      return `(${printFormula(formula.lhs)} ${formula.op} ${printFormula(formula.rhs)})`
  }
}
