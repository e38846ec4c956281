import type { LabelPair, Labels } from '../../../data/index.ts'
import { METRIC_NAME } from '../../../data/index.ts'
import type { Rule } from '../rule.ts'

/**
 * Merges the labels of a series with those of a rule, which override them. A log rule keeps an overridden value as
 * `exported_<name>`; a PromQL rule drops it.
 */
export function applyLabels({ log }: Pick<Rule, 'log'>, series: Labels, pairs: Iterable<LabelPair>): Labels {
  let labels = series.withoutName()
  for (const [name, value] of pairs) {
    const overridden = series.get(name)
    if (log !== undefined && name !== METRIC_NAME && overridden !== '' && overridden !== value)
      labels = labels.with(`exported_${name}`, overridden)
    labels = labels.with(name, value)
  }
  return labels
}
