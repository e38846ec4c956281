import { existsSync, rmSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { foreignBackend } from '../../../src/backends/sql/index.ts'
import { duckdbEngine } from '../../../src/backends/sql/engines/duckdb.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { logsMapping, ownMs, plainMeans, type Side } from './side.ts'

const enums = ['level', 'workload', 'namespace', 'env', 'cluster', 'pod']

async function makeDatabase(file: string, path: string): Promise<void> {
  const instance = await DuckDBInstance.create(path, { threads: '2' })
  const connection = await instance.connect()
  await connection.run(
    `CREATE TABLE raw AS SELECT * FROM read_json('${file}', format = 'newline_delimited', columns = {_time: 'VARCHAR',
      level: 'VARCHAR', workload: 'VARCHAR', namespace: 'VARCHAR', env: 'VARCHAR', cluster: 'VARCHAR', pod: 'VARCHAR',
      trace_id: 'VARCHAR', status: 'INTEGER', duration_ms: 'DOUBLE', content: 'VARCHAR'})`,
  )
  for (const name of enums) {
    await connection.run(`CREATE TYPE ${name}_enum AS ENUM (SELECT DISTINCT ${name} FROM raw ORDER BY ${name})`)
  }
  await connection.run(`CREATE TABLE logs AS SELECT row_number() OVER (ORDER BY t, ingested) AS seq, * EXCLUDE ingested FROM (
    SELECT rowid AS ingested, epoch_ns(CAST(rtrim(_time, 'Z') AS TIMESTAMP_NS)) AS t,
      ${enums.map((name) => `${name}::${name}_enum AS ${name}`).join(', ')}, trace_id, status, duration_ms, content
    FROM raw) ORDER BY t, ingested`)
  await connection.run('DROP TABLE raw')
  connection.closeSync()
  instance.closeSync()
}

/** Returns the DuckDB file next to a data file; it is made when it does not exist. */
export async function duckdbFile(file: string): Promise<string> {
  const path = `${file}.duckdb`
  if (existsSync(path)) return path
  await makeDatabase(file, path).catch((error: unknown) => {
    rmSync(path, { force: true })
    throw error
  })
  return path
}

export async function duckdbSide(file: string): Promise<Side> {
  const path = await duckdbFile(file)
  const engine = await duckdbEngine({ path, threads: 2 })
  const described = await engine.describe({ kind: 'table', path: ['logs'] })
  const backend = foreignBackend(engine, [logsMapping(described, 'BIGINT')], standardFunctions)
  const byHand = await (await DuckDBInstance.create(path, { threads: '2', access_mode: 'READ_ONLY' })).connect()
  return {
    backend,
    sqlOf: ({ duckdb }) => duckdb,
    promisesLess: { ...plainMeans, Q31: 'it finds one spelling of the id' },
    byHand: async (sql) => (await byHand.runAndReadAll(sql)).getRowObjectsJS(),
    processorMs: ownMs,
    close: () => backend.close(),
  }
}
