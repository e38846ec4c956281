// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { authorized, search, startServer } from '../../harness/server-process.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-agents-kill-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const sendings: readonly (readonly [path: string, type: string, body: string])[] = [
  ['/_bulk', 'application/x-ndjson', '{"create":{}}\n{"message":"told"}\n'.repeat(50)],
  ['/services/collector/event', 'application/json', '{"event":"told"}'.repeat(50)],
  ['/services/collector/raw', 'text/plain', 'told\n'.repeat(50)],
  ['/api/v2/logs', 'application/json', JSON.stringify(Array.from({ length: 50 }, () => ({ message: 'told' })))],
  ['/insert/jsonline?_msg_field=t', 'application/json', '{"t":"told"}\n'.repeat(50)],
  ['/upload', 'application/vnd.fdo.journal', 'MESSAGE=told\n\n'.repeat(50)],
]

test('records acknowledged to agents survive kill -9', async () => {
  const server = await startServer(['--data', folder])
  for (const [path, type, body] of sendings) {
    const headers = authorized({ 'Content-Type': type })
    const { status } = await fetch(`${server.address}${path}`, { method: 'POST', headers, body })
    expect([path, status < 300]).toEqual([path, true])
  }
  await server.kill()
  const again = await startServer(['--data', folder])
  expect(await search(again.address, 'told | stats count() n')).toEqual([{ n: 50 * sendings.length }])
  await again.stop()
})
