import { DuckDBInstance } from '@duckdb/node-api'
import { existsSync, statSync } from 'node:fs'
import { askHere, fillSql, type MakePeer } from './peer.ts'
import { residentBytes } from './process-memory.ts'

const COLUMNS =
  "_time: 'VARCHAR', level: 'VARCHAR', workload: 'VARCHAR', namespace: 'VARCHAR', env: 'VARCHAR', cluster: 'VARCHAR', " +
  "pod: 'VARCHAR', trace_id: 'VARCHAR', status: 'INTEGER', duration_ms: 'DOUBLE', content: 'VARCHAR'"

/** DuckDB in memory or in a file, with rows sorted by time and columns of few values as enums. */
export const duckdbPeer: MakePeer = async ({ file, path, peerThreads }) => {
  const isLoaded = path !== undefined && existsSync(path)
  const instance = await DuckDBInstance.create(path ?? ':memory:', { threads: String(peerThreads) })
  const connection = await instance.connect()
  return {
    load: async () => {
      if (isLoaded) return 0
      const start = performance.now()
      await connection.run(
        `CREATE TABLE raw AS SELECT * FROM read_json('${file}', format = 'newline_delimited', columns = {${COLUMNS}})`,
      )
      for (const column of ['level', 'workload', 'namespace', 'env', 'cluster', 'pod']) {
        await connection.run(
          `CREATE TYPE ${column}_enum AS ENUM (SELECT DISTINCT ${column} FROM raw ORDER BY ${column})`,
        )
      }
      await connection.run(`CREATE TABLE logs AS
        SELECT row_number() OVER (ORDER BY t, ingested) AS seq, * EXCLUDE ingested FROM (
          SELECT rowid AS ingested, epoch_ns(CAST(rtrim(_time, 'Z') AS TIMESTAMP_NS)) AS t, level::level_enum AS level,
            workload::workload_enum AS workload, namespace::namespace_enum AS namespace, env::env_enum AS env,
            cluster::cluster_enum AS cluster, pod::pod_enum AS pod, trace_id, status, duration_ms, content FROM raw) ORDER BY t, ingested`)
      await connection.run('DROP TABLE raw')
      if (path !== undefined) await connection.run('CHECKPOINT')
      return (performance.now() - start) / 1000
    },
    ask: (bound) =>
      askHere(async () => {
        const { duckdb, jsonLines } = bound.question
        const statement = await connection.prepare(fillSql(jsonLines?.duckdb ?? duckdb, bound))
        return async () => {
          const reader = await statement.runAndReadAll()
          return jsonLines === undefined ? reader.getRowObjectsJS() : ((reader.getRowsJS()[0]?.[0] ?? '') as string)
        }
      }),
    bytes: async () => ({ residentBytes: residentBytes(), ...(path && { diskBytes: statSync(path).size }) }),
    close: async () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
