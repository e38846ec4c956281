// @module-tag slow
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { authorized, search, startServer, type ServerProcess } from '../harness/server-process.ts'
import { openDataToRead, openDataToWrite } from '../../src/server/index.ts'
import { run, runOn } from './terminal.ts'

let folder: string
let server: ServerProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-read-'))
})

afterEach(async () => {
  await server?.kill()
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

const BATCH_ROWS = 500
const FROM = ['--from', '2025-01-01', '--to', '2027-01-01']

function batch(number: number): string {
  return Array.from({ length: BATCH_ROWS }, (_, i) => {
    const time = `${i % 50 === 0 ? '2025' : '2026'}-01-01T00:00:${String(i % 60).padStart(2, '0')}Z`
    const row = {
      _time: time,
      content: `batch ${number} row ${i}`,
      level: i % 3 === 0 ? 'error' : 'info',
      batch: number,
    }
    return JSON.stringify(row)
  }).join('\n')
}

async function send(to: ServerProcess, path: string, body: string, backend?: string): Promise<void> {
  const headers = {
    'Content-Type': path.startsWith('/api/v1') ? 'text/plain' : 'application/x-ndjson',
    ...(backend === undefined ? {} : { 'X-Backend-Id': backend }),
  }
  for (;;) {
    const answer = await fetch(`${to.address}${path}`, { method: 'POST', headers: authorized(headers), body })
    const text = await answer.text()
    if (answer.status !== 503) return expect(answer.status, text).toBeLessThan(300)
    // The server may still be starting and then answers with an error.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function answered(...args: readonly string[]): Promise<readonly unknown[]> {
  const { code, out, error } = await run('query', '--data', folder, '--quiet', ...args)
  expect({ code, error }).toEqual({ code: 0, error: '' })
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}

/** Returns every file with its length and modification time. */
function fingerprint(): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name))
    return `${name} ${size} ${mtimeMs}`
  })
}

test('a folder is read beside a server that writes to it: whole batches, none lost, as the server answers', async () => {
  server = await startServer(['--data', folder, '--log-size', '4KiB', '--workers', '1'])
  const writing = server
  const progress = { acknowledged: 0, looks: 0, seen: 0 }
  const write = async (): Promise<void> => {
    for (let number = 0; number < 40 || (progress.looks < 3 && number < 2000); number++) {
      await send(writing, '/api/ingest/logs', batch(number))
      progress.acknowledged++
    }
  }
  const look = async (): Promise<void> => {
    while (progress.looks < 3) {
      const before = progress.acknowledged
      if (before === 0) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        continue
      }
      const rows = await answered('* | stats by (batch) count() n | sort by (batch)', ...FROM)
      // The stored rows are a prefix of those sent, with no partial batch.
      expect(rows).toEqual(rows.map((_, number) => ({ batch: number, n: BATCH_ROWS })))
      expect(rows.length).toBeGreaterThanOrEqual(Math.max(before, progress.seen))
      progress.seen = rows.length
      progress.looks++
    }
  }
  await Promise.all([write(), look()])
  const total = progress.acknowledged * BATCH_ROWS
  for (const query of [
    '* | stats count() n, sum(batch) s',
    'error | stats count() n',
    'level:error "row 3" | stats by (batch) count() n | sort by (batch) | limit 5',
    '* | sort by (batch desc, content) | limit 4 | fields batch, content, level',
  ])
    expect(await answered(query, ...FROM)).toEqual(await search(writing.address, query))
  const explained = await run('explain', '--data', folder, '--analyze', '* | stats count() n', ...FROM)
  expect(explained).toMatchObject({ code: 0, error: '' })
  expect(explained.out).toContain('segmentsTotal')
  const output = join(folder, 'exported.ndjson')
  expect(
    await run('export', '--data', folder, '--output', output, '--quiet', '* | fields content', ...FROM),
  ).toMatchObject({ code: 0 })
  expect(readFileSync(output, 'utf8').trim().split('\n')).toHaveLength(total)
  rmSync(output)

  await send(writing, '/api/v1/import/prometheus', 'up{pod="a"} 1 1767225600000\nup{pod="b"} 2 1767225600000\n')
  const promql = await run('promql', '--data', folder, '--time', '2026-01-01', 'sum(up)')
  expect(promql).toMatchObject({ code: 0, error: '' })
  expect(promql.out).toContain('"3"')
  expect(await answered('* | stats count() n', '--table', 'samples', ...FROM)).toEqual([{ n: 2 }])
  const snapshot = await run('snapshot', '--data', folder, '--to', join(folder, 'snapshot'))
  expect(snapshot).toMatchObject({ code: 0, error: '' })
  expect(await writing.stop()).toBe(0)
  server = await startServer(['--data', join(folder, 'snapshot'), '--workers', '1'])
  expect(await search(server.address, '* | stats count() n')).toEqual([{ n: total }])
  await server.kill()
  server = undefined

  const before = fingerprint()
  expect(await answered('* | stats count() n', ...FROM)).toEqual([{ n: total }])
  expect(fingerprint()).toEqual(before)
})

test('backends are apart, and what is not there is said', async () => {
  server = await startServer(['--data', folder, '--backends', 'east,west', '--workers', '1'])
  await send(server, '/api/ingest/logs', batch(1), 'west')
  expect(await answered('* | stats count() n', '--backend-id', 'west', ...FROM)).toEqual([{ n: BATCH_ROWS }])
  // Without `--backend-id`, the command uses the only backend that has data.
  expect(await answered('* | stats count() n', ...FROM)).toEqual([{ n: BATCH_ROWS }])
  await send(server, '/api/ingest/logs', batch(2), 'east')
  for (const args of [[], ['--backend-id', 'north']]) {
    const { code, error } = await run('query', '--data', folder, ...args, '*')
    expect(code).toBe(1)
    expect(error).toContain('`west`, `east`')
  }
  const nowhere = await run('query', '--data', join(folder, 'none'), '*')
  expect(nowhere.code).toBe(1)
  expect(nowhere.error).toContain('nothing was ever kept there')
  expect((await run('query', '--backend-id', 'east', '*')).error).toContain('--backend-id goes with --data')
  expect((await run('query', '--data', folder, '*', 'file.log')).error).toContain('not both')
  expect((await run('query', '--data', folder, '--table', 'nothing', '*')).error).toContain('There is no table nothing')
})

test('damage is named, and nothing is answered in its place', async () => {
  server = await startServer(['--data', folder, '--workers', '1'])
  for (let number = 0; number < 40; number++) await send(server, '/api/ingest/logs', batch(number))
  expect(await server.stop()).toBe(0)
  server = undefined
  const place = join(folder, 'segments', 'default')
  const [segment] = readdirSync(place).filter((name) => name.endsWith('.part'))
  for (const path of [join(place, segment!), join(folder, 'manifest.log'), join(folder, 'batches.log')]) {
    const whole = readFileSync(path)
    const bytes = Buffer.from(whole)
    // Flip a byte inside a row group, because damage after the row groups of a part affects no answer.
    const at = path.endsWith('.part') ? bytes.indexOf('SLUICEND') - 20 : bytes.length - 30
    bytes[at] = bytes[at]! ^ 1
    writeFileSync(path, bytes)
    const { code, out, error } = await run('query', '--data', folder, 'row | stats count_uniq(content) n', ...FROM)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(error).toContain(path.slice(path.lastIndexOf('/') + 1))
    writeFileSync(path, whole)
  }
  expect(await answered('* | stats count() n', ...FROM)).toEqual([{ n: 20_000 }])
})

test('import shows on a terminal how far it is, and wipes that away', async () => {
  const logs = join(folder, 'logs.ndjson')
  writeFileSync(logs, Array.from({ length: 200 }, (_, number) => batch(number)).join('\n'))
  const data = join(folder, 'data')
  const ran = await runOn({ isErrorTty: true }, 'import', '--data', data, logs)
  expect(ran).toMatchObject({ code: 0, out: `100000 logs stored in ${data}.\n` })
  const shown = ran.error.split('\r\u001b[K').slice(1)
  expect(shown[0]).toMatch(/^reading \d+ %: \d+ records, \d+ MiB/)
  expect(shown.at(-2)).toMatch(/^reading 100 %: 100000 records/)
  expect(shown.at(-1)).toBe('')
  expect((await run('import', '--data', data, logs)).error).toBe('')
  const rows = await run('query', '--data', data, '* | stats count() n', ...FROM)
  expect(rows.out).toBe('{"n":200000}\n')
})

test('import leaves segments, and a short log', async () => {
  const logs = join(folder, 'logs.ndjson')
  writeFileSync(logs, Array.from({ length: 100 }, (_, number) => batch(number)).join('\n'))
  const data = join(folder, 'data')
  expect(await run('import', '--data', data, logs)).toMatchObject({ code: 0 })
  const names = readdirSync(join(data, 'segments', 'default'))
  expect(names.filter((name) => name.endsWith('.part')).length).toBeGreaterThan(0)
  const { target, close } = await openDataToRead(data, { hasSamples: true, cacheBytes: 1 << 20 })
  expect(target.store.table('logs').tails.rowCount).toBe(0)
  await close()
  const series = join(folder, 'up.json')
  const point = (i: number): object => ({ timeUnixNano: `${1_773_140_400 + i}000000000`, asInt: `${i}` })
  const metrics = [{ name: 'up', gauge: { dataPoints: Array.from({ length: 2000 }, (_, i) => point(i)) } }]
  writeFileSync(series, JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }))
  const writer = await openDataToWrite(data, { nowNs: () => 1n, onFailure: String, logBytes: 1 })
  const body = { chunks: [readFileSync(series)], encoding: 'identity' as const }
  for (let i = 0; i < 2; i++) await writer.ingest({ table: 'samples', format: 'otlp-metrics-json', body })
  await writer.close()
  expect(readdirSync(join(data, 'segments', 'default')).some((name) => name.endsWith('.samples'))).toBe(true)
  expect(readFileSync(join(data, 'samples.log')).length).toBeLessThan(1000)
  // A metric query reports damage in the files that it reads.
  const { out, error } = await run('promql', '--data', data, '--time', '2026-03-10T11:01:40Z', '--analyze', 'sum(up)')
  expect(out).toContain('100')
  expect(error).toMatch(/\d+ blocks \(\d+ B\) came from the disk, \d+ parts from the cache\./)
})
