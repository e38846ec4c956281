import { labelsHash, cappedRatio } from './label-hash.ts'
import { warnings } from '../annotation.ts'
import { ABSENT } from '../columns.ts'
import type { SeriesAggregation } from '../definition.ts'
import { failSeries } from '../diagnostics.ts'
import { vector } from '../values.ts'
import { scalarParam, warnOutside } from './quantile.ts'
import { ChosenColumns } from './top-k.ts'

/**
 * The aggregation `limit_ratio`: selects a fraction of each group by a hash of the labels. The same series are selected
 * each time. The selections of ratios `r` and `r − 1` are complementary.
 */
export const limitRatio: SeriesAggregation = {
  name: 'limit_ratio',
  evaluate: (groups, call) => {
    const ratios = scalarParam(call).map((ratio) => {
      if (ratio !== ratio) failSeries('bad-parameter', { text: 'Ratio value is NaN' }, call.paramOrigin)
      return cappedRatio(ratio)
    })
    warnOutside(scalarParam(call), -1, 1, (got) => warnings.ratio(got, cappedRatio(got)), call)
    const chosen = new ChosenColumns()
    for (const { members } of groups) {
      for (const member of members) {
        const share = labelsHash(member.labels)
        for (let step = 0; step < ratios.length; step++) {
          if (member.kinds[step] === ABSENT) continue
          const ratio = ratios[step]
          if (ratio >= 0 ? share < ratio : share >= 1 + ratio) chosen.choose(member, step)
        }
      }
    }
    return vector(chosen.columns)
  },
}
