import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { byHand, loadRowsSql } from './clickhouse-by-hand.ts'
import { folderBytes } from './folder-bytes.ts'
import { requireChdb } from './index.ts'
import { askHere, fillSql, type AnswerRow, type MakePeer } from './peer.ts'
import { residentBytes } from './process-memory.ts'

interface Session {
  query(sql: string, format?: string): string
  close(): void
}

/**
 * ClickHouse in this process: the table of `grammar/catalogs/clickhouse-logs.sql` in a folder, with statements by an
 * expert.
 */
export const chdbPeer: MakePeer = async ({ file, peerThreads }) => {
  const { Session } = requireChdb('chdb') as { readonly Session: new (path: string) => Session }
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-chdb-'))
  const session = new Session(folder)
  const settings = `SETTINGS max_threads = ${peerThreads}, use_query_condition_cache = 0, session_timezone = 'UTC', output_format_json_quote_64bit_integers = 1`
  return {
    load: async () => {
      const start = performance.now()
      const catalog = join(import.meta.dirname, '../../grammar/catalogs/clickhouse-logs.sql')
      const ddl = readFileSync(catalog, 'utf8').replaceAll(/^\s*--.*\n/gmu, '')
      session.query('CREATE DATABASE bench')
      session.query(ddl.replace('logs', 'bench.logs'))
      session.query(loadRowsSql('bench.logs', file))
      session.query('OPTIMIZE TABLE bench.logs FINAL')
      return (performance.now() - start) / 1000
    },
    ask: (bound) =>
      askHere(async () => {
        // The map of other attributes is empty in all rows, and the other engines have no such column.
        const hand = byHand[bound.question.id].replaceAll(', attributes', '').replaceAll('FROM logs', 'FROM bench.logs')
        const sql = `${fillSql(hand, bound)} ${settings}`
        return async () => {
          const lines = session.query(sql, 'JSONEachRow').trimEnd()
          if (bound.question.jsonLines !== undefined) return lines
          return lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line) as AnswerRow)
        }
      }),
    bytes: async () => ({ residentBytes: residentBytes(), diskBytes: folderBytes(folder) }),
    close: async () => {
      session.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
