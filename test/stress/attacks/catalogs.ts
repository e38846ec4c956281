import { createReadStream, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { openSqlite } from '../../../src/store/sqlite/index.ts'

/**
 * Kinds of catalogs. Both have the logs in a DuckDB table. `databases` has events in SQLite and traces in 10,000
 * Parquet files. `files` has events in CSV and traces in Parquet files, which attacks add, change and remove.
 */
export const catalogKinds = ['databases', 'files'] as const
export type CatalogKind = (typeof catalogKinds)[number]

/** Returns the folder of a table whose files attacks add, change and remove. */
export const csvFolder = (folder: string): string => join(folder, 'csv')
export const parquetFolder = (folder: string): string => join(folder, 'parquet')

/** Number of rows in each table other than the logs. */
const OTHER_ROWS = 50_000
const MANY_FILES = 10_000

const texts: Readonly<Record<CatalogKind, string>> = {
  databases: `connections:
  duck: { engine: duckdb, path: logs.duckdb }
  app: { engine: sqlite, path: app.db }
tables:
  logs: { connection: duck, table: logs, time: _time, text: content }
  events: { connection: app, table: logs, time: time, text: content }
  spans: { connection: duck, files: 'many/*.parquet', time: _time, text: content, domain: traces }
`,
  files: `connections:
  duck: { engine: duckdb, path: logs.duckdb }
tables:
  logs: { table: logs, time: _time, text: content }
  events: { files: 'csv/*.csv', time: _time, text: content }
  spans: { files: 'parquet/*.parquet', time: _time, text: content, domain: traces }
`,
}

async function writeDuckdb(folder: string, logs: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, 'logs.duckdb'))
  const connection = await instance.connect()
  const at = (name: string): string => `'${join(folder, name).replaceAll("'", "''")}'`
  await connection.run(`CREATE TABLE logs AS SELECT * FROM read_json('${logs.replaceAll("'", "''")}')`)
  const some = `FROM logs LIMIT ${OTHER_ROWS}`
  await connection.run(`COPY (SELECT * ${some}) TO ${at('parquet/logs.parquet')}`)
  await connection.run(`COPY (SELECT * ${some}) TO ${at('csv/logs.csv')} (HEADER)`)
  await writeMany(connection, folder, at('many/0.parquet'))
  connection.closeSync()
  instance.closeSync()
}

/** Writes `MANY_FILES` Parquet files that hold the same few rows. */
async function writeMany(connection: DuckDBConnection, folder: string, first: string): Promise<void> {
  await connection.run(`COPY (SELECT * FROM logs LIMIT 5) TO ${first}`)
  const bytes = readFileSync(join(folder, 'many/0.parquet'))
  for (let i = 1; i < MANY_FILES; i++) writeFileSync(join(folder, `many/${i}.parquet`), bytes)
}

async function writeSqlite(folder: string, logs: string): Promise<void> {
  const connection = await openSqlite(join(folder, 'app.db'))
  connection.exec('CREATE TABLE logs (time TEXT, level TEXT, workload TEXT, env TEXT, content TEXT, duration_ms REAL)')
  connection.exec('BEGIN')
  const insert = connection.prepare('INSERT INTO logs VALUES (?, ?, ?, ?, ?, ?)')
  let rows = 0
  for await (const line of createInterface(createReadStream(logs))) {
    if (rows++ === OTHER_ROWS) break
    const { _time, level, workload, env, content, duration_ms } = JSON.parse(line) as Record<string, string>
    insert.run(...[_time, level, workload, env, content, duration_ms].map((value) => value ?? null))
  }
  connection.exec('COMMIT')
  connection.close()
}

/**
 * Writes the databases, files and catalogs into a folder, from logs in a file of JSON lines. Returns the paths of the
 * catalogs.
 */
export async function writeCatalogs(folder: string, logs: string): Promise<Readonly<Record<CatalogKind, string>>> {
  for (const name of ['many', 'csv', 'parquet']) mkdirSync(join(folder, name), { recursive: true })
  await writeDuckdb(folder, logs)
  await writeSqlite(folder, logs)
  const pathOf = (kind: CatalogKind): string => join(folder, `${kind}.yaml`)
  for (const kind of catalogKinds) writeFileSync(pathOf(kind), texts[kind])
  return { databases: pathOf('databases'), files: pathOf('files') }
}

/** Removes the files that an attack has added to the folders of tables. */
export function tidy(folder: string): void {
  for (const each of [csvFolder(folder), parquetFolder(folder)])
    for (const name of readdirSync(each)) if (name.startsWith('hostile')) rmSync(join(each, name), { force: true })
}
