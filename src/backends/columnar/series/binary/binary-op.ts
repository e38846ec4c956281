import { type Origin } from '../../../../base/index.ts'
import {
  addHistograms,
  divideHistogram,
  equalHistograms,
  multiplyHistogram,
  subtractHistograms,
  type Combined,
  type Histogram,
} from '../../../../data/index.ts'
import { infos, warnings, type ElementOp, type SeriesContext } from '../../../../functions/series/index.ts'
import type { SeriesBinaryOp } from '../../../../plan/series/index.ts'
import { trimHistogram } from '../trim-histogram.ts'

export function isComparison(op: SeriesBinaryOp): boolean {
  return op === '==' || op === '!=' || op === '>' || op === '<' || op === '>=' || op === '<='
}

/**
 * The result of an operator on two elements, of which at least one is a histogram; `undefined` if there is no result.
 */
export type MixedResult =
  | { readonly kind: 'histogram'; readonly histogram: Histogram }
  /** The result of a comparison. */
  | { readonly kind: 'truth'; readonly isTrue: boolean }
  | undefined

export interface BinaryOperation {
  readonly op: ElementOp
  readonly origin: Origin
  readonly context: SeriesContext
}

function describe(value: number | Histogram): string {
  return typeof value === 'number' ? 'float' : 'histogram'
}

/** Applies an operator to two elements. For incompatible types, returns no result and adds an annotation. */
export function combineMixed(a: number | Histogram, b: number | Histogram, operation: BinaryOperation): MixedResult {
  const { op, origin, context } = operation
  if (typeof a === 'number') {
    if (typeof b !== 'number' && op === '*') return histogram(multiplyHistogram(b, a))
  } else if (typeof b === 'number') {
    switch (op) {
      case '*':
        return histogram(multiplyHistogram(a, b))
      case '/':
        return histogram(divideHistogram(a, b))
      case '</':
        return histogram(trimHistogram(a, b, 'below'))
      case '>/':
        return histogram(trimHistogram(a, b, 'above'))
      default:
    }
  } else {
    switch (op) {
      case '+':
        return accept(addHistograms(a, b), 'addition', operation)
      case '-':
        return accept(subtractHistograms(a, b), 'subtraction', operation)
      case '==':
        return { kind: 'truth', isTrue: equalHistograms(a, b) }
      case '!=':
        return { kind: 'truth', isTrue: !equalHistograms(a, b) }
      default:
    }
  }
  const text = infos.incompatibleTypes(describe(a), op, describe(b))
  context.annotate({ severity: 'info', text, origin })
  return undefined
}

function histogram(result: Histogram): MixedResult {
  return { kind: 'histogram', histogram: result }
}

function accept(combined: Combined | undefined, during: string, { op, origin, context }: BinaryOperation): MixedResult {
  if (combined === undefined) {
    context.annotate({ severity: 'warning', text: warnings.incompatibleLayout(op), origin })
    return undefined
  }
  if (combined.hasReconciledBounds) {
    context.annotate({ severity: 'info', text: infos.reconciledBounds(during), origin })
  }
  if (combined.hasResetCollision) {
    context.annotate({ severity: 'warning', text: warnings.resetCollision(during), origin })
  }
  return histogram(combined.histogram)
}
