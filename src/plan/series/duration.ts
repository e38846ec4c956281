import { pow } from '../../data/elementary/index.ts'

/** A length of time that may depend on the query's own step and range. */
export type SeriesDuration =
  | { readonly kind: 'fixed'; readonly ms: number }
  /** Worked out once per query, in seconds; a plain number counts as seconds. */
  | { readonly kind: 'computed'; readonly formula: DurationFormula }

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
    }

export function fixedDuration(ms: number): SeriesDuration {
  return { kind: 'fixed', ms }
}

/** What `step()` and `range()` are in one query, in seconds. */
export interface QueryExtent {
  readonly stepSeconds: number
  readonly rangeSeconds: number
}

/** Seconds; may be NaN or infinite, and then the caller refuses it. */
export function evaluateFormula(formula: DurationFormula, extent: QueryExtent): number {
  switch (formula.kind) {
    case 'seconds':
      return formula.value
    case 'step':
      return extent.stepSeconds
    case 'range':
      return extent.rangeSeconds
    case 'negate':
      return -evaluateFormula(formula.arg, extent)
    case 'binary': {
      const lhs = evaluateFormula(formula.lhs, extent)
      const rhs = evaluateFormula(formula.rhs, extent)
      switch (formula.op) {
        case '+':
          return lhs + rhs
        case '-':
          return lhs - rhs
        case '*':
          return lhs * rhs
        case '/':
          return lhs / rhs
        case '%':
          return lhs % rhs
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
