import type { SeriesPlan } from '../../plan/series/index.ts'
import { DEFAULT_MAX_PASSES } from '../optimizer.ts'
import type { SeriesRule } from './rule.ts'
import { seriesRules } from './rules/index.ts'

/** A change that one rule made to the plan. */
export interface SeriesStep {
  readonly rule: SeriesRule
  /** Number of the run over the list of rules, from 1. */
  readonly pass: number
  readonly after: SeriesPlan
}

export interface OptimizeSeriesOptions {
  readonly rules?: readonly SeriesRule[]
  /** Names of rules to skip; `*` skips all. */
  readonly disabled?: readonly string[]
  /** Called after each rule that changed the plan. */
  readonly observe?: (step: SeriesStep) => void
}

/** Runs the rules until a pass changes nothing, at most a fixed number of times. Stopping early costs only speed. */
export function optimizeSeries(plan: SeriesPlan, options: OptimizeSeriesOptions = {}): SeriesPlan {
  const { rules = seriesRules, disabled = [], observe } = options
  const active = disabled.includes('*') ? [] : rules.filter(({ name }) => !disabled.includes(name))
  let current = plan
  for (let pass = 1; pass <= DEFAULT_MAX_PASSES; pass++) {
    const start = current
    for (const rule of active) {
      const after = rule.apply(current)
      if (after !== current) observe?.({ rule, pass, after })
      current = after
    }
    if (current === start) break
  }
  return current
}
