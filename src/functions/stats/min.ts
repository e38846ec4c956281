import type { MakeAccumulator, StatsFunction } from '../definition.ts'
import { ExtremeState } from './extreme.ts'

export const min: StatsFunction = {
  name: 'min',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  returns: ([type = 'any', ...others]) => (others.length === 0 ? type : 'any'),
  algebra: 'distributive',
  isOrderSensitive: false,
  kernel: 'least',
  doc: {
    summary: 'The least value: numbers before times before text; missing when there is none.',
    parameters: [{ name: 'field…', text: 'fields whose values are compared' }],
    examples: [{ query: '* | stats by (workload) min(duration_ms) fastest' }],
  },
}

export const minAccumulator: MakeAccumulator = ({ meter }) => new ExtremeState('min', meter)

/** Variant for the `logsql` dialect, in which the empty value counts and is below all others. */
export const minWithEmpty: StatsFunction = {
  ...min,
  name: 'min-with-empty',
  kernel: undefined,
  doc: { ...min.doc, summary: 'As min, but a missing value counts and is the least of all.', examples: [] },
}

export const minWithEmptyAccumulator: MakeAccumulator = ({ meter }) => new ExtremeState('min', meter, true)
