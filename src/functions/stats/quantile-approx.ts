import type { StatsFunction } from '../definition.ts'

export const quantileApprox: StatsFunction = {
  name: 'quantile_approx',
  aliases: [],
  signature: { params: [{ name: 'phi', type: 'number' }], minArgs: 1, maxArgs: Infinity },
  returns: () => 'number',
  algebra: 'algebraic',
  isOrderSensitive: false,
  doc: {
    summary: 'About the quantile of the numbers, within 1 % of its value, in bounded memory.',
    parameters: [
      { name: 'phi', text: 'a number from 0 to 1' },
      { name: 'field…', text: 'fields whose numbers are ranked' },
    ],
    examples: [{ query: '* | stats quantile_approx(0.99, duration_ms) p99' }],
  },
}
