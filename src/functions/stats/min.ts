import type { StatsFunction } from '../definition.ts'
import { ExtremeState } from './extreme.ts'

export const min: StatsFunction = {
  name: 'min',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  returns: ([type = 'any', ...others]) => (others.length === 0 ? type : 'any'),
  algebra: 'distributive',
  isOrderSensitive: false,
  kernel: 'least',
  accumulator: ({ meter }) => new ExtremeState('min', meter),
  doc: {
    summary: 'The least value: numbers before times before text; missing when there is none.',
    parameters: [{ name: 'field…', text: 'fields whose values are compared' }],
    examples: [{ query: '* | stats by (workload) min(duration_ms) fastest' }],
  },
}

/** Only the `logsql` dialect asks for it: there the empty value is a value, less than all others. */
export const minWithEmpty: StatsFunction = {
  ...min,
  name: 'min-with-empty',
  kernel: undefined,
  accumulator: ({ meter }) => new ExtremeState('min', meter, true),
  doc: { ...min.doc, summary: 'As min, but a missing value counts and is the least of all.', examples: [] },
}
