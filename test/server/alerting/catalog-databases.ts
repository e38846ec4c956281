import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { Client } from 'pg'
import { openSqlite } from '../../../src/store/sqlite/index.ts'
import { hasClickHouse, startClickHouse } from '../../clickhouse/index.ts'
import { startPostgres } from '../../harness/postgres.ts'
import { TcpProxy } from '../../harness/tcp-proxy.ts'

/** A log record that becomes a row of a foreign table. */
export interface LogRecord {
  readonly timeMs: number
  readonly level: string
  readonly workload: string | null
  readonly status: number
  readonly took: number | null
  readonly message: string
}

/** A database with test tables, and the catalog that maps them. */
export interface OpenDatabase {
  readonly catalog: string
  readonly folder: string
  readonly env: Readonly<{ [name: string]: string }>
  /** Number of query threads that share the connection limit. If absent, there is no worker to share with. */
  readonly workers?: number
  /** Strings that must not occur in any response. */
  readonly secrets: readonly string[]
  /** Removes the table that the catalog maps as `events`. */
  readonly dropEvents: () => Promise<void>
  /** Closes all connections and rejects new ones until called with `true`. Absent for databases in files. */
  readonly setReachable?: (isReachable: boolean) => Promise<void>
  readonly close: () => Promise<void>
}

export interface Database {
  readonly name: string
  readonly isInstalled: boolean
  readonly open: (records: readonly LogRecord[]) => Promise<OpenDatabase>
}

const TABLES = ['requests', 'gone'] as const

const quoted = (text: string | null): string => (text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`)

/** Returns the SQL statements that create and fill both tables. */
function statements(
  records: readonly LogRecord[],
  columns: string,
  time: (timeMs: number) => string,
  ending = '',
): readonly string[] {
  const rows = records.map(({ timeMs, level, workload, status, took, message }, id) => {
    const values = [id, time(timeMs), quoted(level), quoted(workload), status, took ?? 'NULL', quoted(message)]
    return `(${values.join(', ')})`
  })
  return TABLES.flatMap((name) => [
    `CREATE TABLE ${name} (${columns})${ending}`,
    `INSERT INTO ${name} VALUES ${rows.join(', ')}`,
  ])
}

const table = (name: string, time: string): string => `
    table: ${name}
    time: ${time}
    text: message
    fields: { level: severity, workload: service }
    tieBreak: id`

function catalogOf(connection: string, time = 'ts'): string {
  return `connections:
  app: ${connection}
tables:
  logs:${table('requests', time)}
  events:${table('gone', time)}
  samples:
    table: requests
    domain: metrics
    time: ${time}
    fields: { __name__: severity, value: took, workload: service }
    hidden: [id, status, message]
`
}

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'sluice-monitors-'))
}

const isoOf = (timeMs: number): string => `'${new Date(timeMs).toISOString()}'`

export const sqlite: Database = {
  name: 'SQLite',
  isInstalled: true,
  open: async (records) => {
    const folder = temporaryFolder()
    const path = join(folder, 'app.db')
    const run = async (...all: readonly string[]): Promise<void> => {
      const connection = await openSqlite(path)
      for (const each of all) connection.exec(each)
      connection.close()
    }
    const columns =
      'id INTEGER PRIMARY KEY, ts INTEGER, severity TEXT, service TEXT, status INTEGER, took REAL, message TEXT'
    await run(...statements(records, columns, String))
    return {
      catalog: catalogOf('{ engine: sqlite, path: app.db }', '{ column: ts, unit: ms }'),
      folder,
      env: {},
      secrets: [folder],
      dropEvents: () => run('DROP TABLE gone'),
      close: async () => rmSync(folder, { recursive: true }),
    }
  },
}

export const duckdb: Database = {
  name: 'DuckDB',
  isInstalled: true,
  open: async (records) => {
    const folder = temporaryFolder()
    const instance = await DuckDBInstance.create(join(folder, 'app.duckdb'))
    const connection = await instance.connect()
    const columns =
      'id BIGINT, ts TIMESTAMP_NS, severity VARCHAR, service VARCHAR, status INTEGER, took DOUBLE, message VARCHAR'
    for (const each of statements(records, columns, isoOf)) await connection.run(each)
    await connection.run(`COPY gone TO '${join(folder, 'gone.parquet')}'`)
    connection.closeSync()
    instance.closeSync()
    return {
      // Other processes cannot change an open DuckDB file, but a Parquet file can be removed.
      catalog: catalogOf('{ engine: duckdb, path: app.duckdb }').replace('table: gone', 'files: gone.parquet'),
      folder,
      env: {},
      secrets: [],
      dropEvents: async () => rmSync(join(folder, 'gone.parquet')),
      close: async () => rmSync(folder, { recursive: true }),
    }
  },
}

export const postgres: Database = {
  name: 'PostgreSQL',
  isInstalled: true,
  open: async (records) => {
    const folder = temporaryFolder()
    const server = await startPostgres({ isServer: true })
    const run = async (sql: string): Promise<void> => {
      const client = new Client({ connectionString: server.url })
      await client.connect()
      await client.query(sql)
      await client.end()
    }
    const columns =
      'id bigint, ts timestamptz, severity text, service text, status integer, took double precision, message text'
    const dropped = TABLES.map((name) => `DROP TABLE IF EXISTS ${name}`)
    await run([...dropped, ...statements(records, columns, isoOf)].join(';\n'))
    const { hostname, port, pathname, searchParams, username } = new URL(server.url)
    const proxy = new TcpProxy({ host: hostname, port: Number(port) })
    const proxyPort = await proxy.open()
    const url = `postgres://127.0.0.1:${proxyPort}${pathname}?${searchParams.toString()}`
    return {
      catalog: catalogOf(`{ engine: postgres, url: '${url}', user: $PG_USER, password: $PG_PASSWORD }`),
      folder,
      env: { PG_USER: username, PG_PASSWORD: 'a-long-secret' },
      // An embedded server accepts a single connection. Dividing the connections among seven workers leaves one.
      ...(server.kind === 'embedded' ? { workers: 7 } : {}),
      secrets: ['a-long-secret', 'postgres://'],
      dropEvents: () => run('DROP TABLE gone'),
      setReachable: (isReachable) => proxy.setReachable(isReachable),
      close: async () => {
        await proxy.close()
        await server.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
}

export const clickhouse: Database = {
  name: 'ClickHouse',
  isInstalled: hasClickHouse,
  open: async (records) => {
    const folder = temporaryFolder()
    const server = await startClickHouse()
    await server.run('DROP DATABASE IF EXISTS sluice_monitors')
    await server.run('CREATE DATABASE sluice_monitors')
    const columns =
      "id Int64, ts DateTime64(9, 'UTC'), severity LowCardinality(String), service Nullable(String), status Int32, took Nullable(Float64), message String"
    const inDatabase = (sql: string): string => sql.replace(/^(CREATE TABLE|INSERT INTO) /, '$1 sluice_monitors.')
    const time = (timeMs: number): string => `toDateTime64('${(timeMs / 1000).toFixed(9)}', 9, 'UTC')`
    for (const each of statements(records, columns, time, ' ENGINE = MergeTree ORDER BY ts'))
      await server.run(inDatabase(each))
    const { hostname, port } = new URL(server.url)
    const proxy = new TcpProxy({ host: hostname, port: Number(port) })
    const url = `http://127.0.0.1:${await proxy.open()}`
    const connection = `{ engine: clickhouse, url: '${url}', database: sluice_monitors, user: $CH_USER, password: $CH_PASSWORD }`
    return {
      catalog: catalogOf(connection),
      folder,
      env: { CH_USER: server.username, CH_PASSWORD: server.password },
      secrets: [...(server.password === '' ? [] : [server.password]), url],
      dropEvents: async () => void (await server.run('DROP TABLE sluice_monitors.gone SYNC')),
      setReachable: (isReachable) => proxy.setReachable(isReachable),
      close: async () => {
        await proxy.close()
        await server.run('DROP DATABASE sluice_monitors')
        await server.stop()
        rmSync(folder, { recursive: true })
      },
    }
  },
}
