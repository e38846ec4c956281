// @module-tag slow
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { childrenOf } from '../../harness/children-of.ts'
import { authorized, search, startServer, type ServerProcess } from '../../harness/server-process.ts'

const ROWS = 50_000
const folder = mkdtempSync(join(tmpdir(), 'sluice-catalog-duckdb-'))
const catalog = join(folder, 'catalog.yaml')

beforeAll(async () => {
  const instance = await DuckDBInstance.create(join(folder, 'logs.duckdb'))
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE logs AS
    SELECT make_timestamp_ns(1767312000000000000 + i * 1000000000) AS ts, i AS id,
      CASE WHEN i % 5 = 0 THEN 'error' ELSE 'info' END AS level, 'request ' || i || ' of ' || hash(i) AS message
    FROM range(${ROWS}) t(i)`)
  await connection.run(`COPY (SELECT * FROM logs LIMIT 100) TO '${join(folder, 'part.parquet')}'`)
  connection.closeSync()
  instance.closeSync()
  writeFileSync(
    catalog,
    `connections:
  all: { engine: duckdb, path: logs.duckdb }
tables:
  logs: { table: logs, time: ts, tieBreak: id }
  events: { files: part.parquet, time: ts }
`,
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const databaseOf = (server: ServerProcess): number => present(childrenOf(present(server.child.pid))[0])

const serve = (...more: readonly string[]): Promise<ServerProcess> =>
  startServer(['--catalog', catalog, '--workers', '2', '--log-level', 'silent', ...more])

/** Returns a query that makes the database build pairs of these rows before it returns the first row. */
const pairsOf = (rows: string, again = ''): string =>
  `${rows} | join by (level) (${rows} | fields level, message)${again} | stats count_uniq(message) n`

/** A query that never completes within the test. */
const LONG = pairsOf('*', ' | join by (level) (* | fields level, id)')
/** A query that takes several seconds in the database. */
const SLOW = pairsOf('id:<6000')

const bodyOf = (query: string): string =>
  JSON.stringify({ start: '2020-01-01T00:00:00Z', end: '2040-01-01T00:00:00Z', query })

async function statusOf(server: ServerProcess, query: string, signal?: AbortSignal): Promise<number> {
  const response = await fetch(`${server.address}/api/logs/v2/search`, {
    method: 'POST',
    headers: authorized({ 'Content-Type': 'application/json' }),
    body: bodyOf(query),
    ...(signal === undefined ? {} : { signal }),
  })
  await response.arrayBuffer()
  return response.status
}

function usedMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Resolves when the process uses the processor. */
async function atWork(pid: number): Promise<void> {
  const before = usedMs(pid)
  await expect.poll(() => usedMs(pid)).toBeGreaterThan(before + 200)
}

/** Resolves when the process uses no processor time. */
async function atRest(pid: number): Promise<void> {
  const usedOver = async (ms: number): Promise<number> => {
    const before = usedMs(pid)
    await sleep(ms)
    return usedMs(pid) - before
  }
  await expect.poll(() => usedOver(300)).toBeLessThan(100)
}

test('threads answer from a DuckDB in a process of its own, which is replaced and ends with the server', async () => {
  const server = await serve('--timeout', '30s')
  try {
    const counted = '* | stats by (level) count() n | sort by (level)'
    const wanted = [
      { level: 'error', n: ROWS / 5 },
      { level: 'info', n: (ROWS * 4) / 5 },
    ]
    expect(await search(server.address, counted)).toEqual(wanted)
    expect(await search(server.address, '* | stats count() n', '/api/k8s/v2/events/search')).toEqual([{ n: 100 }])
    const [first, ...others] = childrenOf(present(server.child.pid))
    expect([typeof first, others]).toEqual(['number', []])

    // When a client disconnects, its statement is cancelled.
    const leaving = new AbortController()
    const left = statusOf(server, LONG, leaving.signal).catch(() => 'left')
    await atWork(present(first))
    leaving.abort()
    expect(await left).toBe('left')
    await atRest(present(first))

    // A statement that was running when the process died, and had returned no row, is repeated by the next process.
    const slow = statusOf(server, SLOW)
    const long = statusOf(server, LONG)
    await sleep(200)
    process.kill(databaseOf(server), 'SIGKILL')
    expect(await search(server.address, counted)).toEqual(wanted)
    expect(await slow).toBe(200)
    // The query ends at its own deadline, not earlier.
    expect(await long).toBe(400)
    expect(isThere(present(first))).toBe(false)

    const second = databaseOf(server)
    expect(await server.stop()).toBe(0)
    await expect.poll(() => isThere(second)).toBe(false)
  } finally {
    await server.kill()
  }
})

test('a killed server leaves no files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-left-'))
  const args = ['--catalog', catalog, '--workers', '2', '--log-level', 'silent', '--timeout', '10m']
  const server = await startServer(args, [], { TMPDIR: folder })
  const database = databaseOf(server)
  expect(readdirSync(folder)).not.toEqual([])
  const long = statusOf(server, LONG).catch(() => 'cut')
  await atWork(database)
  await server.kill()
  expect(await long).toBe('cut')
  await expect.poll(() => isThere(database)).toBe(false)
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
})

test('a signal to all of them at once lets the server answer running requests', async () => {
  const server = await serve()
  const database = databaseOf(server)
  const headers = authorized({ 'Content-Type': 'application/json' })
  const outgoing = request(`${server.address}/api/logs/v2/search`, { method: 'POST', headers, agent: false })
  const answer = once(outgoing, 'response')
  outgoing.end(bodyOf('* | stats count_uniq(message) n'))
  // The operating system has accepted the whole request.
  await once(outgoing, 'finish')
  process.kill(database, 'SIGTERM')
  process.kill(database, 'SIGINT')
  const stopped = server.stop()
  const [counted] = (await answer) as [IncomingMessage]
  expect(JSON.parse(await text(counted))).toEqual([{ n: ROWS }])
  expect(await stopped).toBe(0)
  await expect.poll(() => isThere(database)).toBe(false)
})

test('without threads it is in a process of its own too', async () => {
  const server = await startServer(['--catalog', catalog, '--workers', '0', '--log-level', 'silent'])
  expect(await search(server.address, '* | stats count() n')).toEqual([{ n: ROWS }])
  expect(childrenOf(present(server.child.pid))).toHaveLength(1)
  expect(await server.stop()).toBe(0)
})
