import type { Row } from '../../data/index.ts'
import type { CompileTable, TableFunction } from '../definition.ts'

function* sequence(into: string, count: number): Generator<Row> {
  for (let i = 0; i < count; i++) yield new Map([[into, i]])
}

export const generateSequence: TableFunction = {
  name: 'generate_sequence',
  fieldParams: ['into'],
  doc: {
    summary: 'Puts the numbers from 0 in the place of all rows.',
    parameters: [{ name: 'N', text: 'how many' }],
    examples: [{ query: '* | generate_sequence 3', result: [{ content: 0 }, { content: 1 }, { content: 2 }] }],
  },
}

export const compileGenerateSequence: CompileTable<{ readonly into: string; readonly count: number }> = ({
  into,
  count,
}) => ({ add: () => {}, finish: () => sequence(into, count) })
