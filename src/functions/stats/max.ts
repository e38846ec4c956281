import type { MakeAccumulator, StatsFunction } from '../definition.ts'
import { ExtremeState } from './extreme.ts'

export const max: StatsFunction = {
  name: 'max',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  returns: ([type = 'any', ...others]) => (others.length === 0 ? type : 'any'),
  algebra: 'distributive',
  isOrderSensitive: false,
  kernel: 'greatest',
  doc: {
    summary: 'The greatest value: numbers before times before text; missing when there is none.',
    parameters: [{ name: 'field…', text: 'fields whose values are compared' }],
    examples: [{ query: '* | stats by (workload) max(duration_ms) slowest' }],
  },
}

export const maxAccumulator: MakeAccumulator = ({ meter }) => new ExtremeState('max', meter)
