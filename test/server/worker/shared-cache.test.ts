// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'
import { PATIENCE_MS } from '../../harness/patience.ts'

const headers = { Authorization: 'Bearer secret', 'Content-Type': 'application/x-ndjson' }
/** More rows than the limit up to which rows are written only on close, so that a segment holds them. */
const lines = Array.from({ length: 5000 }, (_, i) => JSON.stringify({ _time: 1e12 + i, content: `line ${i}`, n: i }))

async function sumIn(server: SluiceServer): Promise<unknown> {
  const query = { query: '* | stats sum(n) s', start: new Date(1e12).toISOString(), end: new Date(2e12).toISOString() }
  const request = new Request('http://localhost/api/logs/v2/search', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(query),
  })
  return (await server.fetch(request)).json()
}

async function figureOf(server: SluiceServer, name: string): Promise<number> {
  const text = await (await server.fetch(new Request('http://localhost/metrics', { headers }))).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  )
}

test('query workers take blocks from one cache that another of them has read', { timeout: PATIENCE_MS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-shared-'))
  try {
    const writer = await createServer({ data: folder, keys: ['secret'] })
    const body = { method: 'POST', headers, body: lines.join('\n') }
    expect((await writer.fetch(new Request('http://localhost/api/ingest/logs', body))).status).toBe(200)
    await writer.close()
    const server = await createServer({ data: folder, keys: ['secret'], workers: 2, memoryBytes: 2 ** 30 })
    try {
      await server.loaded
      const expected = [{ s: (4999 * 5000) / 2 }]
      const ask = async (): Promise<number> => {
        const answers = await Promise.all(Array.from({ length: 4 }, () => sumIn(server)))
        for (const answer of answers) expect(answer).toEqual(expected)
        return figureOf(server, 'sluice_cache_shared_reads_total')
      }
      await expect.poll(ask, { timeout: PATIENCE_MS }).toBeGreaterThan(0)
      expect(await figureOf(server, 'sluice_memory_bytes{share="cache"}')).toBeGreaterThan(4096)
    } finally {
      await server.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
