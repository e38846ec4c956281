import { defineDiagnostics } from '../../base/index.ts'

export const sqlDiagnostic = defineDiagnostics('sql', {
  'statement-failed': (d: { code: string }) => ({
    message: `The database could not run the query (${d.code}).`,
    why: 'The query itself is sound; the database file or its disk may be damaged, full or locked.',
  }),
  'process-died': (d: { signal: string }) => ({
    message: `The database process ended during the query (${d.signal}).`,
    why: 'It may have been stopped from outside, or run out of memory.',
  }),
})
