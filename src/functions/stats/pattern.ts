import type { StatsFunction } from '../definition.ts'

export const pattern: StatsFunction = {
  name: 'pattern',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: 1 },
  form: { takesLimit: true },
  returns: () => 'json',
  algebra: 'algebraic',
  isOrderSensitive: false,
  kernel: 'templates',
  doc: {
    summary: 'The templates of a text and how often each occurs, the most frequent first, as a JSON array.',
    parameters: [
      { name: 'field', text: 'the text' },
      { name: 'limit N', text: 'only the first N templates' },
    ],
    examples: [{ query: 'level:error | stats by (workload) pattern(content) limit 3 as templates' }],
  },
}
