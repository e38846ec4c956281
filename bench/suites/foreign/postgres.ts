import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { Client, type ClientConfig } from 'pg'
import { foreignBackend } from '../../../src/backends/sql/index.ts'
import { openPostgres } from '../../../src/backends/sql/engines/postgres.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { startPostgres } from '../../../test/harness/postgres.ts'
import type { Question } from '../../questions.ts'
import { duckdbFile } from './duckdb.ts'
import { logsMapping, ownMs, plainMeans, type Side } from './side.ts'

/** Returns an expert's statement for PostgreSQL where it differs from that for DuckDB. */
function sqlOf({ duckdb }: Question): string {
  return duckdb
    .replaceAll(/regexp_matches\(content, '\(\?i\)(.*?)'\)/g, (_, pattern: string) => `content ~* '${pattern}'`)
    .replaceAll(/regexp_matches\(content, '(.*?)'\)/g, (_, pattern: string) => `content ~ '${pattern}'`)
    .replaceAll(String.raw`\b`, String.raw`\y`)
    .replaceAll('//', '/')
    .replaceAll(
      /quantile_disc\((\w+), ([\d.]+)\)/g,
      (_, of: string, phi: string) => `percentile_disc(${phi}) WITHIN GROUP (ORDER BY ${of})`,
    )
}

/** Loads the rows in DuckDB's order through a file that the server reads, unless the server has them already. */
async function load(client: Client, file: string): Promise<void> {
  const { rows: found } = await client.query(`SELECT 1 FROM pg_catalog.pg_class WHERE oid = to_regclass('logs')`)
  if (found.length > 0) return
  const csv = `${file}.csv`
  const instance = await DuckDBInstance.create(await duckdbFile(file), { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  await connection.run(`COPY (SELECT * FROM logs ORDER BY seq) TO '${csv}' (FORMAT csv, HEADER false)`)
  connection.closeSync()
  instance.closeSync()
  await client.query(`CREATE TABLE logs (seq bigint NOT NULL, t bigint NOT NULL, level text, workload text, namespace text,
    env text, cluster text, pod text, trace_id text, status integer, duration_ms double precision, content text)`)
  await client.query(`COPY logs FROM '${csv}' (FORMAT csv)`)
  rmSync(csv)
  await client.query('CREATE INDEX ON logs (t, seq)')
  await client.query('CREATE INDEX ON logs (trace_id)')
  await client.query('VACUUM ANALYZE logs')
}

/** Returns the nanoseconds for which a process has run. */
function ranNs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

function parentOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) \S /s, '')
      .split(' ')[0]
  } catch {
    return undefined
  }
}

/**
 * Starts PostgreSQL in processes of its own, without parallel workers, so that the whole cost is that of one process.
 */
export async function postgresSide(file: string): Promise<Side> {
  const server = await startPostgres({ isServer: true })
  if (server.kind !== 'server') throw new Error('the bench needs an installed PostgreSQL')
  const config: ClientConfig = { connectionString: server.url }
  const client = new Client(config)
  await client.connect()
  await client.query('ALTER SYSTEM SET max_parallel_workers_per_gather = 0')
  await client.query(`ALTER SYSTEM SET shared_buffers = '1GB'`)
  await client.query(`ALTER SYSTEM SET jit = off`)
  await client.query('SELECT pg_reload_conf()')
  await load(client, file)
  await client.query(`SET work_mem = '256MB'`)
  const engine = await openPostgres({ url: server.url, connections: 1 })
  const described = await engine.describe({ kind: 'table', path: ['logs'] })
  const backend = foreignBackend(engine, [logsMapping(described, 'bigint')], standardFunctions)
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const parent = parentOf(String(rows[0]?.pid))
  const processes = (): readonly number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
      .map(Number)
  let sessions = processes()
  return {
    backend,
    sqlOf,
    promisesLess: { ...plainMeans, Q31: 'it finds one spelling of the id' },
    byHand: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
    processorMs: () => {
      if (!sessions.every((pid) => ranNs(pid) > 0)) sessions = processes()
      return ownMs() + sessions.reduce((sum, pid) => sum + ranNs(pid), 0) / 1e6
    },
    close: async () => {
      await backend.close()
      await client.end()
      await server.close()
    },
  }
}
