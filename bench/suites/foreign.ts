/**
 * Statements that plans become against those of a person, for the same answers of the 33 questions on the same DuckDB:
 * `npm run bench -- foreign [--rows N] [--runs N] [--only Q01,Q02]`. The two take turns; processor time counts, and of each
 * question the smallest. Rows are read to the end as JavaScript values on both sides; writing our statement is not part of it, as
 * writing the other is not.
 */
import { existsSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { foreignBackend, type FieldMapping } from '../../src/backends/sql/index.ts'
import { duckdbEngine } from '../../src/backends/sql/engines/duckdb.ts'
import { Budget } from '../../src/base/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { fillSql } from '../peers/peer.ts'
import { questions } from '../questions.ts'
import { bind, dataFile, type BenchOptions } from '../run.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
  },
})

const options: BenchOptions = {
  rows: Number(values.rows),
  seed: 1,
  bodies: undefined,
  only: [],
  peers: [],
  budgetMs: 0,
  out: undefined,
  baseline: undefined,
  print: () => undefined,
}

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

const file = await dataFile(options)
const path = `${file}.duckdb`
if (!existsSync(path)) {
  await makeDatabase(file, path).catch((error: unknown) => {
    rmSync(path, { force: true })
    throw error
  })
}

const engine = await duckdbEngine({ path, threads: 2 })
const described = await engine.describe({ kind: 'table', path: ['logs'] })
const fields = described
  .filter(({ name }) => name !== 't')
  .map(({ name, type, isNullable }): FieldMapping => ({
    name,
    column: name,
    path: [],
    type: 'any',
    nativeType: type,
    isNullable,
    aliases: [],
  }))
const time = { field: '_time', column: 't', nativeType: 'BIGINT', isNullable: false, unit: 'ns' } as const
const backend = foreignBackend(
  engine,
  [
    {
      name: 'logs',
      source: { kind: 'table', path: ['logs'] },
      time,
      textField: 'content',
      streamFields: [],
      fields,
      attributes: [],
      tieBreak: ['seq'],
      domain: undefined,
      words: undefined,
    },
  ],
  standardFunctions,
)
const limits = { timeoutMs: 600_000, memoryBytes: 2 ** 31, scanRows: Infinity }
const ours = createEngine({
  backends: [backend],
  catalog: backend.catalog,
  limits,
})
const byHand = await (await DuckDBInstance.create(path, { threads: '2', access_mode: 'READ_ONLY' })).connect()

/** Processor time of all threads, milliseconds. */
async function processorMs(work: () => Promise<number>): Promise<{ readonly ms: number; readonly rows: number }> {
  const start = process.cpuUsage()
  const rows = await work()
  const { user, system } = process.cpuUsage(start)
  return { ms: (user + system) / 1000, rows }
}

const only = values.only === '' ? undefined : values.only.split(',')
const ratios: number[] = []
for (const question of questions.filter(({ id }) => only === undefined || only.includes(id))) {
  const bound = bind(question, options)
  const query = question.query.replaceAll('$page', String(bound.page)).replaceAll('$trace', bound.trace)
  const range = question.range === undefined ? {} : { range: { startNs: bound.fromNs, endNs: bound.toNs } }
  const sql = fillSql(question.duckdb, bound)
  const { optimized, timeRange } = ours.plan(query, range)
  let least = Infinity
  let leastByHand = Infinity
  let rows = 0
  let rowsByHand = 0
  for (let run = 0; run < Number(values.runs); run++) {
    const budget = new Budget(limits, () => performance.now())
    const prepared = backend.prepare(optimized, { budget, nowNs: 0n, range: timeRange, batchRows: 1024 })
    const own = await processorMs(async () => {
      let count = 0
      for await (const batch of prepared.run()) count += batch.rowCount
      return count
    })
    const other = await processorMs(async () => (await byHand.runAndReadAll(sql)).getRowObjectsJS().length)
    least = Math.min(least, own.ms)
    leastByHand = Math.min(leastByHand, other.ms)
    rows = own.rows
    rowsByHand = other.rows
  }
  const ratio = least / leastByHand
  ratios.push(ratio)
  const odd = rows === rowsByHand ? '' : `  ROWS DIFFER: ${rows} and ${rowsByHand}`
  process.stdout.write(
    `${question.id}  ours ${least.toFixed(1)} ms  by hand ${leastByHand.toFixed(1)} ms  ${ratio.toFixed(2)}${odd}\n`,
  )
}
ratios.sort((a, b) => a - b)
const median = ratios[ratios.length >> 1] ?? NaN
process.stdout.write(`median ${median.toFixed(2)}, worst ${(ratios.at(-1) ?? NaN).toFixed(2)}\n`)
await backend.close()
