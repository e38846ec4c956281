import Database from 'better-sqlite3'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseRfc3339 } from '../../src/base/index.ts'
import { askHere, fillSql, type AnswerRow, type MakePeer } from './peer.ts'
import { residentBytes } from './process-memory.ts'

const INDEXES = [
  'level, t',
  'namespace, t',
  'workload, t',
  'trace_id, t',
  'level, duration_ms',
  'status, duration_ms',
  'pod',
  'workload, pod, status, duration_ms',
  't, namespace, level, duration_ms',
]

interface Line {
  readonly [name: string]: string | number
}

interface TimedLine {
  readonly t: bigint
  readonly line: Line
}

/** No line is further from its place in time than this many lines: a line is at most a second late. */
const WINDOW_LINES = 100_000

/** Yields lines in order of time, equal times in the order of the file, without holding all lines. */
async function* linesByTime(file: string): AsyncGenerator<readonly TimedLine[]> {
  let held: TimedLine[] = []
  let last = 0n
  const sorted = (count: number): readonly TimedLine[] => {
    held.sort((a, b) => (a.t < b.t ? -1 : a.t > b.t ? 1 : 0))
    const given = held.slice(0, count)
    if (given.length > 0 && given[0].t < last) throw new Error('the file is not in the order of time, nearly')
    last = given.at(-1)?.t ?? last
    held = held.slice(count)
    return given
  }
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const line = JSON.parse(text) as Line
    held.push({ t: parseRfc3339(String(line['_time'])) ?? 0n, line })
    if (held.length === 2 * WINDOW_LINES) yield sorted(WINDOW_LINES)
  }
  yield sorted(held.length)
}

/** The page cache of SQLite in KiB, as large as the cache of our own engine. */
const CACHE_KIB = 1024 * 1024

/** SQLite in memory or in a file, with FTS5 and nine B-tree indexes for these questions; row ids are in time order. */
export const sqliteByHandPeer: MakePeer = async ({ file, path }) => {
  const isLoaded = path !== undefined && existsSync(path)
  const db = new Database(path ?? ':memory:')
  db.pragma(`cache_size = -${CACHE_KIB}`)
  return {
    load: async () => {
      if (isLoaded) return 0
      const start = performance.now()
      // After a crash the data are loaded again.
      db.pragma('journal_mode = OFF')
      db.pragma('synchronous = OFF')
      db.exec(`CREATE TABLE logs (seq INTEGER PRIMARY KEY, t INTEGER NOT NULL, level TEXT, workload TEXT, namespace TEXT, env TEXT,
        cluster TEXT, pod TEXT, trace_id TEXT, status INTEGER, duration_ms REAL, content TEXT);
        CREATE VIRTUAL TABLE words USING fts5(content, content='logs', content_rowid='seq', tokenize="unicode61 tokenchars '_'")`)
      const insert = db.prepare('INSERT INTO logs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      let seq = 0
      for await (const lines of linesByTime(file)) {
        db.transaction(() => {
          for (const { t, line: l } of lines) {
            insert.run(
              ++seq,
              t,
              l.level,
              l.workload,
              l.namespace,
              l.env,
              l.cluster,
              l.pod,
              l.trace_id,
              l.status,
              l.duration_ms,
              l.content,
            )
          }
        })()
      }
      db.transaction(() => {
        db.exec("INSERT INTO words(words) VALUES ('rebuild'); INSERT INTO words(words) VALUES ('optimize')")
        INDEXES.forEach((columns, i) => db.exec(`CREATE INDEX logs_${i} ON logs (${columns})`))
      })()
      db.exec('ANALYZE')
      return (performance.now() - start) / 1000
    },
    ask: (bound) =>
      askHere(async () => {
        const { jsonLines } = bound.question
        if (jsonLines !== undefined) {
          const lines = db.prepare(fillSql(jsonLines.sqlite, bound)).pluck()
          return async () => (lines.get() ?? '') as string
        }
        const statement = db.prepare(fillSql(bound.question.sqlite, bound))
        const isWhole = bound.question.sqlite.includes('*') && statement.columns().some((column) => column.name === 't')
        const isTimed = statement.columns().some((column) => column.name === '_time')
        if (isWhole || isTimed) statement.safeIntegers(true)
        return async () => statement.all() as AnswerRow[]
      }),
    bytes: async () => ({ residentBytes: residentBytes(), ...(path && { diskBytes: statSync(path).size }) }),
    close: async () => {
      db.close()
    },
  }
}
