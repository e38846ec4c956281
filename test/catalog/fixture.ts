import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../../src/store/sqlite/index.ts'

/** A folder for one test file, with a SQLite file that Sluice did not create. */
export interface Folder {
  readonly path: string
  readonly database: string
  remove(): void
}

export const START_MS = 1_767_322_800_000

/** Catalog that maps `requests` as logs and its durations as samples. */
export const REQUESTS_CATALOG = `
connections:
  app: { engine: sqlite, path: app.db }
tables:
  logs:
    table: requests
    time: ts
    fields: { level: severity, workload: service }
    stream: workload
  samples:
    table: requests
    domain: metrics
    time: ts
    fields: { __name__: severity, value: took, workload: service }
    hidden: [message, attrs, id]
`

/**
 * Creates a folder with a SQLite file. `requests` has times in milliseconds, JSON and a full-text table over its
 * messages; `notes` has no time.
 */
export async function sqliteFolder(rows = 60): Promise<Folder> {
  const path = mkdtempSync(join(tmpdir(), 'sluice-catalog-'))
  const database = join(path, 'app.db')
  const connection = await openSqlite(database)
  connection.exec(`CREATE TABLE requests (
    id INTEGER PRIMARY KEY, ts INTEGER NOT NULL, severity TEXT, service TEXT, message TEXT, status INTEGER, took REAL, attrs JSON);
    CREATE VIRTUAL TABLE requests_words USING fts5(message, content='requests', content_rowid='id');
    CREATE TABLE notes (id INTEGER, "a b" TEXT);`)
  const insert = connection.prepare(
    'INSERT INTO requests (ts, severity, service, message, status, took, attrs) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  for (let i = 0; i < rows; i++) {
    insert.run(
      BigInt(START_MS + i * 1000),
      i % 5 === 0 ? 'ERROR' : 'INFO',
      i % 2 === 0 ? 'api' : 'web',
      i % 3 === 0 ? `request ${i} timed out` : `request ${i} was answered`,
      BigInt(200 + (i % 3) * 100),
      i / 7,
      JSON.stringify({ http: { method: i % 2 === 0 ? 'GET' : 'PUT' }, user: `u${i % 4}` }),
    )
  }
  connection.exec(`INSERT INTO requests_words (requests_words) VALUES ('rebuild'); INSERT INTO notes VALUES (1, 'x')`)
  connection.close()
  return { path, database, remove: () => rmSync(path, { recursive: true, force: true }) }
}
