import { DuckDBInstance } from '@duckdb/node-api'
import { fillSql, type Peer } from './peer.ts'

const COLUMNS =
  "_time: 'VARCHAR', level: 'VARCHAR', workload: 'VARCHAR', namespace: 'VARCHAR', env: 'VARCHAR', cluster: 'VARCHAR', " +
  "pod: 'VARCHAR', trace_id: 'VARCHAR', status: 'INTEGER', duration_ms: 'DOUBLE', content: 'VARCHAR'"

/** DuckDB in memory on two threads, rows sorted by time, low-cardinality columns as enums. */
export async function duckdbPeer(file: string): Promise<Peer> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  return {
    name: 'duckdb',
    load: async () => {
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
      return (performance.now() - start) / 1000
    },
    prepare: async (bound) => {
      const statement = await connection.prepare(fillSql(bound.question.duckdb, bound))
      return async () => {
        const reader = await statement.runAndReadAll()
        return reader.getRowObjectsJS()
      }
    },
    close: async () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
