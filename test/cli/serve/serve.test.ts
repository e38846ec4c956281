// @module-tag slow
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { runOn } from '../terminal.ts'
import { flipBit } from '../../harness/flip-bit.ts'
import { authorized, search, startServer, type ServerProcess } from '../../harness/server-process.ts'

const fixtures = join(import.meta.dirname, '../../../fixtures')
const EVENTS = '/api/k8s/v2/events/search'

let folder: string
let server: ServerProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-serve-'))
})

afterEach(async () => {
  await server?.kill()
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const { code, out, error } = await runOn({ nowNs: () => 1_767_225_600_000_000_000n }, ...args)
  return { code, text: error + out }
}

test('imported and sent rows are there after a restart', async () => {
  const events = join(fixtures, 'events/kubernetes-list.json')
  const logs = join(folder, 'app.log')
  const time = 'time=2026-01-01T00:00:00Z'
  writeFileSync(logs, `${time} level=info msg="one two"\n${time} level=error msg=three\n`)
  expect(await run('import', '--data', folder, '--kind', 'events', events)).toMatchObject({ code: 0 })
  const imported = await run('import', '--data', folder, '--input', 'auto', logs)
  expect(imported).toEqual({ code: 0, text: `2 logs stored in ${folder}.\n` })
  server = await startServer(['--data', folder])
  const sent = await fetch(`${server.address}/api/ingest/logs`, {
    method: 'POST',
    headers: authorized({ 'Content-Type': 'application/x-ndjson' }),
    body: '{"time":"2026-01-01T00:00:00Z","level":"error","content":"four"}\n',
  })
  expect(await sent.json()).toEqual({ accepted: 1, rejected: 0, errors: [] })
  expect(await server.stop()).toBe(0)
  server = await startServer(['--data', folder])
  expect(await search(server.address, 'level:error | stats count() n')).toEqual([{ n: 2 }])
  expect(await search(server.address, '* | stats count() n', EVENTS)).toEqual([{ n: 2 }])
})

test('files of several kinds are loaded at start', async () => {
  const name = 'payments-pool-exhausted.ndjson'
  server = await startServer([
    '--load',
    join(fixtures, 'logs', name),
    `events=${join(fixtures, 'events', name)}`,
    `traces=${join(fixtures, 'spans', name)}`,
  ])
  const count = (text: string): number => text.trimEnd().split('\n').length
  const lines = (kind: string): number => count(readFileSync(join(fixtures, kind, name), 'utf8'))
  expect(await search(server.address, '* | stats count() n')).toEqual([{ n: lines('logs') }])
  expect(await search(server.address, '* | stats count() n', EVENTS)).toEqual([{ n: lines('events') }])
  expect(await search(server.address, '* | stats count() n', '/api/traces/v2/search')).toEqual([{ n: lines('spans') }])
})

test('loaded files are not stored in the folder, and this is reported', async () => {
  const data = join(folder, 'data')
  const file = join(folder, 'a.ndjson')
  writeFileSync(file, '{"time":"2026-01-01T00:00:00Z","content":"x"}\n')
  server = await startServer(['--data', data, '--load', file])
  expect(server.errors()).toContain(
    `Loading ${file}. These rows are not stored in ${data}; to store them, use \`sluice import\`.`,
  )
  expect(await search(server.address, '* | stats count() n')).toEqual([{ n: 1 }])
  expect(await server.stop()).toBe(0)
  server = await startServer(['--data', data])
  expect(await search(server.address, '* | stats count() n')).toEqual([{ n: 0 }])
})

test('a damaged log and a folder in use are refused in words', async () => {
  const file = join(folder, 'a.ndjson')
  writeFileSync(file, '{"content":"x"}\n')
  await run('import', '--data', folder, file)
  server = await startServer(['--data', folder])
  await expect(startServer(['--data', folder])).rejects.toThrow('in use by another process')
  expect((await run('import', '--data', folder, file)).text).toContain('in use by another process')
  await server.kill()
  server = undefined
  const log = join(folder, 'batches.log')
  flipBit(log, statSync(log).size - 2, 0)
  await expect(startServer(['--data', folder])).rejects.toThrow(/`batches\.log`: record 1, .*sluice repair/s)
  rmSync(join(folder, 'resources.log'))
  await expect(startServer(['--data', folder])).rejects.toThrow('its file `resources.log` is missing')
})

test('wrong use of import is reported', async () => {
  expect(await run('import', '--data', folder, '--kind', 'nonsense')).toMatchObject({ code: 2 })
  const file = join(folder, 'bad.txt')
  writeFileSync(file, 'no json\n')
  const told = await run('import', '--data', folder, file)
  expect(told.code).toBe(1)
  expect(told.text).toContain('line 1')
})

test('keys are added and revoked while it runs', async () => {
  const file = join(folder, 'keys.json')
  const add = async (): Promise<string> => {
    const { code, text } = await run('keys', 'add', '--keys', file)
    expect(code).toBe(0)
    return /API key ([0-9a-f]{8}) \(not shown again\): (\S+)/.exec(text)?.slice(1).join(' ') ?? ''
  }
  const [firstId, first] = (await add()).split(' ')
  server = await startServer(['--keys', file, '--log-level', 'silent'])
  const { address } = server
  const status = async (key: string): Promise<number> => {
    const response = await fetch(`${address}/api/rbac/policies/list`, { headers: { Authorization: `Bearer ${key}` } })
    await response.text()
    return response.status
  }
  expect([await status(present(first)), await status('other')]).toEqual([200, 401])
  const [, second] = (await add()).split(' ')
  expect([await status(present(first)), await status(present(second))]).toEqual([200, 200])
  expect((await run('keys', 'revoke', present(firstId), '--keys', file)).code).toBe(0)
  expect([await status(present(first)), await status(present(second))]).toEqual([401, 200])
  const whole = readFileSync(file)
  writeFileSync(file, 'broken')
  expect([await status(present(first)), await status(present(second))]).toEqual([503, 503])
  rmSync(file)
  expect(await status(present(second))).toBe(503)
  writeFileSync(file, whole)
  expect([await status(present(first)), await status(present(second))]).toEqual([401, 200])
})
