import { defineDiagnostics } from '../../base/index.ts'

export const sqliteDiagnostic = defineDiagnostics('sqlite', {
  'package-missing': (d: { version: string }) => ({
    message:
      'SQLite databases and the lock of a data folder need the package `better-sqlite3`, which is not installed.',
    why: `It is an optional peer, so that nobody installs a native module without using it. Add it with \`npm install better-sqlite3@${d.version}\`.`,
  }),
  'runtime-too-old': (d: { version: string; napi: string }) => ({
    message: `The SQLite store does not run on Node ${d.version}.`,
    why: `\`better-sqlite3\` 13 needs Node-API 10, which comes with Node 22.14; this runtime has Node-API ${d.napi}.`,
  }),
  'cannot-open': (d: { reason: string }) => ({
    message: 'The SQLite database cannot be opened.',
    why: d.reason,
  }),
  'schema-changed': (d: { table: string }) => ({
    message: `The database holds a table \`${d.table}\` whose declared fields differ from the catalog.`,
    why: 'Telemetry tables are laid out by the declared fields. Load the records into a new database file.',
  }),
  'schema-version': (d: { found: number; wanted: number }) => ({
    message: `The database has schema version ${d.found}; this release reads version ${d.wanted}.`,
  }),
})
