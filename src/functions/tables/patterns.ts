import type { TableFunction } from '../definition.ts'

export const patterns: TableFunction = {
  name: 'patterns',
  fieldParams: ['field'],
  doc: {
    summary: 'The most frequent templates of a text, numbers and ids folded, each with its first text.',
    parameters: [
      { name: 'N', text: 'how many templates' },
      { name: 'field', text: 'the text' },
    ],
    examples: [{ query: 'level:error | patterns 5' }],
  },
}
