import type { StatsFunction } from '../definition.ts'
import { any } from './any.ts'
import { avg } from './avg.ts'
import { countEmpty } from './count-empty.ts'
import { countUniqApprox } from './count-uniq-approx.ts'
import { countUniq, countUniqHash } from './count-uniq.ts'
import { count } from './count.ts'
import { fieldMax, fieldMin } from './field-extreme.ts'
import { first, last } from './first-last.ts'
import { histogram } from './histogram.ts'
import { jsonValues, jsonValuesAsTexts } from './json-values.ts'
import { max } from './max.ts'
import { min, minWithEmpty } from './min.ts'
import { pattern } from './pattern.ts'
import { quantileApprox } from './quantile-approx.ts'
import { median, quantile, quantileWithEmpty } from './quantile.ts'
import { rate, rateSum } from './rate.ts'
import { rowAny, rowAnyAsTexts, rowMax, rowMaxAsTexts, rowMin, rowMinAsTexts } from './row-pick.ts'
import { stddev } from './stddev.ts'
import { sumLen } from './sum-len.ts'
import { sum } from './sum.ts'
import { uniqValues, uniqValuesAsTexts } from './uniq-values.ts'
import { values, valuesAsTexts } from './values.ts'

/** Stats functions in reference order; `implementations.ts` adds their code. */
export const statsFunctions: readonly StatsFunction[] = [
  any,
  avg,
  count,
  countEmpty,
  countUniq,
  countUniqApprox,
  countUniqHash,
  fieldMax,
  fieldMin,
  first,
  histogram,
  jsonValues,
  jsonValuesAsTexts,
  last,
  max,
  median,
  min,
  minWithEmpty,
  pattern,
  quantile,
  quantileApprox,
  quantileWithEmpty,
  rate,
  rateSum,
  rowAny,
  rowAnyAsTexts,
  rowMax,
  rowMaxAsTexts,
  rowMin,
  rowMinAsTexts,
  stddev,
  sum,
  sumLen,
  uniqValues,
  uniqValuesAsTexts,
  values,
  valuesAsTexts,
]
