import { compareLabels, compareText } from '../../data/index.ts'
import { ABSENT, HISTOGRAM, hasAny, type SeriesColumn } from './columns.ts'
import type { SeriesCallContext, SeriesFunction, VectorValue } from './definition.ts'
import { textArg, vector, vectorArg } from './values.ts'
import { warnings } from './annotation.ts'

const RUNS = /\d+|\D+/g
const DIGITS = /^\d/

/**
 * Compares strings, with runs of digits compared as numbers, so that `a2` precedes `a10`. Missing and empty strings
 * come last.
 */
export function compareNaturally(a: string, b: string): number {
  if (a === b) return 0
  if (a === '' || b === '') return a === '' ? 1 : -1
  const x = a.match(RUNS) ?? []
  const y = b.match(RUNS) ?? []
  for (let i = 0; i < x.length && i < y.length; i++) {
    if (x[i] === y[i]) continue
    if (DIGITS.test(x[i]) && DIGITS.test(y[i])) {
      const left = BigInt(x[i])
      const right = BigInt(y[i])
      if (left !== right) return left < right ? -1 : 1
      return x[i].length - y[i].length
    }
    return compareText(x[i], y[i])
  }
  return x.length - y.length
}

/**
 * Sorts the series of an instant query. The series of a range query are always in label order, so there it only adds a
 * warning.
 */
function ordered(
  series: readonly SeriesColumn[],
  call: SeriesCallContext,
  compare: (a: SeriesColumn, b: SeriesColumn) => number,
): VectorValue {
  if (call.steps.count > 1) {
    call.annotate({ severity: 'warning', text: warnings.sortInRange(), origin: call.origin })
    return vector(series)
  }
  return vector(series.toSorted(compare), true)
}

/** Returns a series without its histograms, which cannot be compared. */
function floatsOf(column: SeriesColumn): SeriesColumn {
  if (!column.kinds.includes(HISTOGRAM)) return column
  const kinds = column.kinds.map((kind) => (kind === HISTOGRAM ? ABSENT : kind))
  return { ...column, kinds, histograms: undefined }
}

function sortByValue(name: string, direction: 1 | -1): SeriesFunction {
  return {
    name,
    evaluate: (args, call) => {
      const { series } = vectorArg(args, 0)
      return ordered(series.map(floatsOf).filter(hasAny), call, (a, b) => {
        const x = a.values[0]
        const y = b.values[0]
        if (x === y) return 0
        if (x !== x || y !== y) return (x !== x ? 1 : 0) - (y !== y ? 1 : 0)
        return x < y ? -direction : direction
      })
    },
  }
}

function sortByLabel(name: string, direction: 1 | -1): SeriesFunction {
  return {
    name,
    evaluate: (args, call) => {
      const names = args.slice(1).map((_, i) => textArg(args, i + 1))
      return ordered(vectorArg(args, 0).series, call, (a, b) => {
        for (const label of names) {
          const order = compareNaturally(a.labels.get(label), b.labels.get(label))
          if (order !== 0) return order * direction
        }
        return compareLabels(a.labels, b.labels) * direction
      })
    },
  }
}

export const sortFunctions: readonly SeriesFunction[] = [
  sortByValue('sort', 1),
  sortByValue('sort_desc', -1),
  sortByLabel('sort_by_label', 1),
  sortByLabel('sort_by_label_desc', -1),
]
