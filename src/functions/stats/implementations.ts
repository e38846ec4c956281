import type { StatsImplementation } from '../definition.ts'
import { textJson, typedJson } from '../json-text.ts'
import { any, anyAccumulator } from './any.ts'
import { avg, avgAccumulator } from './avg.ts'
import { countEmpty, countEmptyAccumulator } from './count-empty.ts'
import { countUniqApprox, countUniqApproxAccumulator } from './count-uniq-approx.ts'
import { countUniq, countUniqAccumulator, countUniqHash } from './count-uniq.ts'
import { count, countAccumulator } from './count.ts'
import { fieldMax, fieldMaxAccumulator, fieldMin, fieldMinAccumulator } from './field-extreme.ts'
import { first, firstAccumulator, last, lastAccumulator } from './first-last.ts'
import { histogram, histogramAccumulator } from './histogram.ts'
import { jsonValues, jsonValuesAccumulator, jsonValuesAsTexts, jsonValuesAsTextsAccumulator } from './json-values.ts'
import { max, maxAccumulator } from './max.ts'
import { min, minAccumulator, minWithEmpty, minWithEmptyAccumulator } from './min.ts'
import { pattern } from './pattern.ts'
import { patternAccumulator } from './pattern-state.ts'
import { quantileApproxAccumulator } from './quantile-approx-state.ts'
import { quantileApprox } from './quantile-approx.ts'
import {
  median,
  medianAccumulator,
  quantile,
  quantileAccumulator,
  quantileWithEmpty,
  quantileWithEmptyAccumulator,
} from './quantile.ts'
import { rate, rateAccumulator, rateSum, rateSumAccumulator } from './rate.ts'
import {
  rowAny,
  rowAnyAccumulator,
  rowAnyAsTexts,
  rowExtremeAccumulator,
  rowMax,
  rowMaxAsTexts,
  rowMin,
  rowMinAsTexts,
} from './row-pick.ts'
import { stddev, stddevAccumulator } from './stddev.ts'
import { sumLen, sumLenAccumulator } from './sum-len.ts'
import { sum, sumAccumulator } from './sum.ts'
import { uniqValues, uniqValuesAccumulator, uniqValuesAsTexts, uniqValuesAsTextsAccumulator } from './uniq-values.ts'
import { values, valuesAccumulator, valuesAsTexts, valuesAsTextsAccumulator } from './values.ts'

/** Stats functions with their code, in the order of `index.ts`. */
export const statsImplementations: readonly StatsImplementation[] = [
  { ...any, accumulator: anyAccumulator },
  { ...avg, accumulator: avgAccumulator },
  { ...count, accumulator: countAccumulator },
  { ...countEmpty, accumulator: countEmptyAccumulator },
  { ...countUniq, accumulator: countUniqAccumulator },
  { ...countUniqApprox, accumulator: countUniqApproxAccumulator },
  { ...countUniqHash, accumulator: countUniqAccumulator },
  { ...fieldMax, accumulator: fieldMaxAccumulator },
  { ...fieldMin, accumulator: fieldMinAccumulator },
  { ...first, accumulator: firstAccumulator },
  { ...histogram, accumulator: histogramAccumulator },
  { ...jsonValues, accumulator: jsonValuesAccumulator },
  { ...jsonValuesAsTexts, accumulator: jsonValuesAsTextsAccumulator },
  { ...last, accumulator: lastAccumulator },
  { ...max, accumulator: maxAccumulator },
  { ...median, accumulator: medianAccumulator },
  { ...min, accumulator: minAccumulator },
  { ...minWithEmpty, accumulator: minWithEmptyAccumulator },
  { ...pattern, accumulator: patternAccumulator },
  { ...quantile, accumulator: quantileAccumulator },
  { ...quantileApprox, accumulator: quantileApproxAccumulator },
  { ...quantileWithEmpty, accumulator: quantileWithEmptyAccumulator },
  { ...rate, accumulator: rateAccumulator },
  { ...rateSum, accumulator: rateSumAccumulator },
  { ...rowAny, accumulator: rowAnyAccumulator(typedJson) },
  { ...rowAnyAsTexts, accumulator: rowAnyAccumulator(textJson) },
  { ...rowMax, accumulator: rowExtremeAccumulator('row_max', typedJson) },
  { ...rowMaxAsTexts, accumulator: rowExtremeAccumulator('row_max', textJson) },
  { ...rowMin, accumulator: rowExtremeAccumulator('row_min', typedJson) },
  { ...rowMinAsTexts, accumulator: rowExtremeAccumulator('row_min', textJson) },
  { ...stddev, accumulator: stddevAccumulator },
  { ...sum, accumulator: sumAccumulator },
  { ...sumLen, accumulator: sumLenAccumulator },
  { ...uniqValues, accumulator: uniqValuesAccumulator },
  { ...uniqValuesAsTexts, accumulator: uniqValuesAsTextsAccumulator },
  { ...values, accumulator: valuesAccumulator },
  { ...valuesAsTexts, accumulator: valuesAsTextsAccumulator },
]
