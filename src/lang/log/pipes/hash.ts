import { measure, type Measure } from './measure.ts'

export interface HashPipe extends Measure {
  readonly kind: 'hash'
}

declare module '../ast.ts' {
  interface PipeKinds {
    hash: HashPipe
  }
}

export const hash = measure('hash', {
  summary: 'A hash of a field: a whole number of up to 53 bits.',
  form: 'hash [if (filter)] (field) [as name]',
  examples: [{ query: '* | hash(trace_id) as bucket', text: 'the same number for the same trace' }],
})
