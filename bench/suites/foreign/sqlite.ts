import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import Database from 'better-sqlite3'
import { Budget } from '../../../src/base/index.ts'
import { fileDefinition, sqliteFileBackend, type TableMapping } from '../../../src/backends/sql/index.ts'
import { sqliteFileEngine } from '../../../src/backends/sql/engines/sqlite-file.ts'
import type { AnswerRow } from '../../peers/peer.ts'
import { duckdbFile } from './duckdb.ts'
import { logsMapping, ownMs, plainMeans, type Side } from './side.ts'

/**
 * The indexes of `../../peers/sqlite-by-hand.ts`, and the one on unusual texts that a mapping with a full-text table
 * needs.
 */
const INDEXES = [
  '(level, t)',
  '(namespace, t)',
  '(workload, t)',
  '(trace_id, t)',
  '(level, duration_ms)',
  '(status, duration_ms)',
  '(pod)',
  '(workload, pod, status, duration_ms)',
  '(t, namespace, level, duration_ms)',
  `(seq) WHERE length(content) <> octet_length(content) OR typeof(content) NOT IN ('text', 'null')`,
]

async function makeDatabase(file: string, path: string): Promise<void> {
  const db = new Database(path)
  db.exec(`CREATE TABLE logs (seq INTEGER PRIMARY KEY, t INTEGER NOT NULL, level TEXT, workload TEXT, namespace TEXT, env TEXT,
    cluster TEXT, pod TEXT, trace_id TEXT, status INTEGER, duration_ms REAL, content TEXT) STRICT;
    CREATE VIRTUAL TABLE words USING fts5(content, content='logs', content_rowid='seq', tokenize="unicode61 tokenchars '_'")`)
  const insert = db.prepare('INSERT INTO logs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const instance = await DuckDBInstance.create(await duckdbFile(file), { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  const read =
    await connection.stream(`SELECT seq, t, CAST(level AS VARCHAR), CAST(workload AS VARCHAR), CAST(namespace AS VARCHAR),
    CAST(env AS VARCHAR), CAST(cluster AS VARCHAR), CAST(pod AS VARCHAR), trace_id, status, duration_ms, content FROM logs ORDER BY seq`)
  db.exec('BEGIN')
  for (let chunk = await read.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await read.fetchChunk()) {
    for (const row of chunk.getRows()) insert.run(...row)
  }
  db.exec(`COMMIT; INSERT INTO words(words) VALUES ('rebuild'); INSERT INTO words(words) VALUES ('optimize')`)
  INDEXES.forEach((index, i) => db.exec(`CREATE INDEX logs_${i} ON logs ${index}`))
  db.exec('ANALYZE')
  db.close()
  connection.closeSync()
  instance.closeSync()
}

/**
 * Statements of an expert who searches the exact phrase; the full-text index would allow other characters between its
 * words.
 */
const others: Readonly<Record<string, string>> = {
  Q05: `SELECT count(*) AS n FROM words WHERE words MATCH '"connection reset by peer"' AND content LIKE '%connection reset by peer%'`,
}

const BY_ROW_ID = 'the newest by row id, which is right while rows come in the order of time'

const promisesLess: Side['promisesLess'] = {
  ...plainMeans,
  Q01: BY_ROW_ID,
  Q02: BY_ROW_ID,
  Q12: BY_ROW_ID,
  Q31: 'it finds one spelling of the id',
}

const limits = { timeoutMs: 600_000, memoryBytes: 2 ** 31, scanRows: Infinity }

/** Returns the processor milliseconds of all child processes and their threads. */
function childrenMs(): number {
  let ns = 0
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return ''
    }
  }
  const tasks = readdirSync(`/proc/${process.pid}/task`)
  const pids = tasks.flatMap((task) => read(`/proc/${process.pid}/task/${task}/children`).trim().split(' '))
  for (const pid of pids.filter((each) => each !== '')) {
    for (const task of readdirSync(`/proc/${pid}/task`))
      ns += Number(read(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0])
  }
  return ns / 1e6
}

export async function sqliteSide(file: string): Promise<Side> {
  const path = `${file}.sqlite`
  if (!existsSync(path))
    await makeDatabase(file, path).catch((error: unknown) => {
      rmSync(path, { force: true })
      throw error
    })
  const engine = await sqliteFileEngine({ path, processes: 1 })
  const described = await engine.describe({ kind: 'table', path: ['logs'] })
  const mapping: TableMapping = {
    ...logsMapping(described, 'INTEGER'),
    words: { kind: 'fts5', table: 'words', cut: 'words' },
  }
  const backend = sqliteFileBackend(engine, [mapping])
  const definition = fileDefinition(mapping)
  const columns = new Database(path, { readonly: true })
  // In the same process as ours, so that only the statements differ.
  const byHand = async (sql: string): Promise<readonly AnswerRow[]> => {
    const names = columns
      .prepare(sql)
      .columns()
      .map(({ name }) => name)
    const budget = new Budget(limits, () => performance.now())
    const { valueLimits } = budget
    const request = { sql, parameters: [], columnCount: names.length, epoch: undefined, batchRows: 1024, valueLimits }
    const rows: AnswerRow[] = []
    for await (const { rowCount, columns: read } of engine.driver.run(request, budget))
      for (let i = 0; i < rowCount; i++)
        rows.push(Object.fromEntries(names.map((name, c) => [name, read[c]?.[i] ?? null])))
    return rows
  }
  return {
    backend: { ...backend, catalog: { tables: new Map([['logs', definition]]), defaultTable: 'logs' } },
    sqlOf: ({ id, sqlite }) => others[id] ?? sqlite,
    promisesLess,
    byHand,
    processorMs: () => ownMs() + childrenMs(),
    close: async () => {
      await engine.close()
      columns.close()
    },
  }
}
