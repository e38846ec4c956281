import Database from 'better-sqlite3'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseRfc3339 } from '../../src/base/index.ts'
import { fillSql, type AnswerRow, type Peer } from './peer.ts'

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

/** SQLite in memory with FTS5 and nine b-trees made for these questions; row ids in time order. */
export function sqliteByHandPeer(file: string): Peer {
  const db = new Database(':memory:')
  return {
    name: 'sqlite-by-hand',
    load: async () => {
      const start = performance.now()
      db.exec(`CREATE TABLE logs (seq INTEGER PRIMARY KEY, t INTEGER NOT NULL, level TEXT, workload TEXT, namespace TEXT, env TEXT,
        cluster TEXT, pod TEXT, trace_id TEXT, status INTEGER, duration_ms REAL, content TEXT);
        CREATE VIRTUAL TABLE words USING fts5(content, content='logs', content_rowid='seq', tokenize="unicode61 tokenchars '_'")`)
      const rows: { readonly t: bigint; readonly line: Line }[] = []
      for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
        const line = JSON.parse(text) as Line
        rows.push({ t: parseRfc3339(String(line['_time'])) ?? 0n, line })
      }
      rows.sort((a, b) => (a.t < b.t ? -1 : a.t > b.t ? 1 : 0))
      const insert = db.prepare('INSERT INTO logs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      db.transaction(() => {
        rows.forEach(({ t, line: l }, i) =>
          insert.run(
            i + 1,
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
          ),
        )
        db.exec("INSERT INTO words(words) VALUES ('rebuild'); INSERT INTO words(words) VALUES ('optimize')")
        INDEXES.forEach((columns, i) => db.exec(`CREATE INDEX logs_${i} ON logs (${columns})`))
      })()
      db.exec('ANALYZE')
      return (performance.now() - start) / 1000
    },
    prepare: async (bound) => {
      const statement = db.prepare(fillSql(bound.question.sqlite, bound))
      const isWhole = bound.question.sqlite.includes('*') && statement.columns().some((column) => column.name === 't')
      const isTimed = statement.columns().some((column) => column.name === '_time')
      if (isWhole || isTimed) statement.safeIntegers(true)
      return async () => statement.all() as AnswerRow[]
    },
    close: async () => {
      db.close()
    },
  }
}
