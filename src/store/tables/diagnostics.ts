import { defineDiagnostics } from '../../base/index.ts'

export const tableDiagnostic = defineDiagnostics('table', {
  'not-an-object': (d: { table: string; index: number; found: string }) => ({
    message: `Row ${d.index} of the table \`${d.table}\` is ${d.found}, not an object.`,
    why: 'Each row is a plain object: `{ level: "error", ms: 12 }`.',
  }),
  'too-deep': (d: { table: string; index: number }) => ({
    message: `Row ${d.index} of the table \`${d.table}\` is nested too deeply or contains itself.`,
  }),
  'not-rows': (d: { table: string }) => ({
    message: `The table \`${d.table}\` gave nothing that can be read row by row.`,
    why: 'A table is an array of objects, a function that returns an iterable or async iterable of objects or a promise of one, or a `Table`.',
  }),
  'bad-grade': (d: { table: string; found: string }) => ({
    message: `\`grade\` of the table \`${d.table}\` gave ${d.found}; it must give \`exact\`, \`superset\` or \`none\`, at once.`,
  }),
  'no-tables': (_: Record<never, never>) => ({ message: 'There is no table to query; at least one must be given.' }),
  'same-name': (d: { name: string }) => ({ message: `Two tables are named \`${d.name}\`.` }),
  failed: (d: { table: string; reason: string }) => ({
    message: `The table \`${d.table}\` could not be read: ${d.reason}`,
  }),
})
