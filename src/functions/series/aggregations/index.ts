import type { SeriesAggregation } from '../definition.ts'
import { countValues } from './count-values.ts'
import { foldAggregations } from './folds.ts'
import { limitRatio } from './limit-ratio.ts'
import { quantileAggregation } from './quantile.ts'
import { rankingAggregations } from './top-k.ts'

/** All aggregations, by their names in the signature table. */
export const seriesAggregations: ReadonlyMap<string, SeriesAggregation> = new Map(
  [...foldAggregations, ...rankingAggregations, quantileAggregation, countValues, limitRatio].map((aggregation) => [
    aggregation.name,
    aggregation,
  ]),
)
