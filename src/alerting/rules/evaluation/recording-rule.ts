import { METRIC_NAME } from '../../../data/index.ts'
import type { RuleResult, WrittenSample } from '../queries.ts'
import type { RecordingRule } from '../rule.ts'
import { applyLabels } from './apply-labels.ts'
import { ruleFailure } from '../diagnostics.ts'

/** Returns the series that a recording rule creates from a result. Throws SluiceError `rules/…`. */
export function recordedSamples(
  rule: RecordingRule,
  result: RuleResult,
  timeMs: number,
  limit: number,
): readonly WrittenSample[] {
  const samples = result.map(({ labels, value, histogram }) => ({
    labels: applyLabels(rule, labels, [[METRIC_NAME, rule.name], ...rule.labels.toPairs()]),
    sample: histogram === undefined ? { timeMs, value } : { timeMs, value, histogram },
  }))
  if (new Set(samples.map(({ labels }) => labels.key)).size < samples.length)
    throw ruleFailure('duplicate-labels', { kind: 'series' })
  if (limit > 0 && samples.length > limit)
    throw ruleFailure('limit-exceeded', { limit, found: samples.length, kind: 'series' })
  return samples
}
