import { defineDiagnostics } from '../../../base/index.ts'

export const foreignDiagnostic = defineDiagnostics('foreign', {
  'no-package': (d: { engine: string; name: string }) => ({
    message: `Reading ${d.engine} needs the package \`${d.name}\`, which is not there.`,
    why: `It is only loaded when it is used. \`npm install ${d.name}\` adds it.`,
  }),
  connect: (d: { engine: string; reason: string }) => ({
    message: `${d.engine} cannot be opened: ${d.reason}`,
    why: 'The address, the user and the password, or the file and its permissions, are looked at first.',
  }),
  'no-source': (d: { source: string; reason: string }) => ({
    message: `\`${d.source}\` cannot be read: ${d.reason}`,
    why: 'The names in the mapping must be those of the database, letter by letter.',
  }),
  'no-file': (d: { path: string; reason: string }) => ({
    message: `\`${d.path}\` cannot be read: ${d.reason}.`,
    why: 'Paths begin at the folder of the catalog, or at the current folder where there is none.',
  }),
  'no-extension': (d: { name: string; what: string; install: string }) => ({
    message: `DuckDB reads ${d.what} with its extension \`${d.name}\`, which is not installed.`,
    why: `Nothing is downloaded by itself. \`${d.install}\`, run once in DuckDB by the same user, installs it.`,
  }),
  'statement-failed': (d: { engine: string; reason: string }) => ({
    message: `${d.engine} could not run the query: ${d.reason}`,
    why: 'The query itself is sound; the tables may have changed since their mapping was written, or the database is out of reach.',
  }),
  'out-of-range': (d: { engine: string }) => ({
    message: `${d.engine} met a number beyond what its type holds.`,
    why: 'A sum or mean of very large floats is such a number. A filter that leaves out the largest values gives an answer.',
  }),
  'too-many-rows': (d: { limitRows: number; engine: string; reason: string }) => ({
    message: `This query would fetch more than ${d.limitRows} rows from ${d.engine}: ${d.reason}`,
    why: 'A limit on fetched rows was asked for. `explain` shows which part runs where; a filter, a time range or a `limit` before that part makes it fetch less.',
  }),
})
