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
  summary: 'A 64-bit hash of a field.',
  form: 'hash [if (filter)] (field) [as name]',
  examples: [{ query: '* | hash(trace_id) as bucket', text: 'the same number for the same trace' }],
})
