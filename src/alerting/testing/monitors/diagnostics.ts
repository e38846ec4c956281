import { defineDiagnostics } from '../../../base/index.ts'

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** Semantic errors in a file of monitor tests. */
export const testDiagnostic = defineDiagnostics('monitor-test', {
  'unknown-table': (d: { table: string; tables: readonly string[] }) => ({
    message: `There is no table named \`${d.table}\`.`,
    why: `The tables are ${list(d.tables)}, and \`metrics\` for samples.`,
  }),
  'unknown-monitor': (d: { title: string; titles: readonly string[] }) => ({
    message: `The file has no monitor with the title \`${d.title}\`.`,
    why: `Its monitors are ${list(d.titles)}.`,
  }),
  'no-monitor': (_: Record<never, never>) => ({ message: 'The file names no monitor in `monitors`.' }),
  'no-queries': (_: Record<never, never>) => ({
    message: 'The monitor has no queries, so it is never evaluated.',
    why: 'Queries are in `model.queries`.',
  }),
  'too-many-evaluations': (d: { limit: number }) => ({
    message: `The test has more than ${d.limit} evaluations.`,
    why: 'Make `until` shorter or `interval` longer.',
  }),
})
