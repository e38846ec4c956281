import type { RowFunction } from '../definition.ts'

/** Definition without its code, because a language service needs only the definition. */
export const logqlStages: RowFunction = {
  name: 'logql-stages',
  doc: {
    summary: 'The stages of a LogQL query, run on the line and the labels of an entry.',
    parameters: [
      { name: 'time', text: 'field of the time' },
      { name: 'text', text: 'field of the line' },
      { name: 'discovered', text: 'labels that every entry has' },
      { name: 'renamed', text: 'labels that are stored in fields of other names' },
      { name: 'derived', text: 'fields that are filled from labels of other names' },
      { name: 'stages', text: 'what is done, from left to right' },
      { name: 'result', text: 'what is made of the entry' },
    ],
    examples: [],
  },
}
