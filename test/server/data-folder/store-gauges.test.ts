import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createServer, type Retention, type SluiceServer } from '../../../src/server/index.ts'
import { PATIENCE_MS } from '../../harness/patience.ts'

const headers = { Authorization: 'Bearer secret' }
/** More rows than the limit up to which rows are written only on close, so that a segment holds them. */
const lines = Array.from({ length: 5000 }, (_, i) => JSON.stringify({ _time: 1e12 + i, content: `line ${i}` })).join(
  '\n',
)

async function figuresOf(server: SluiceServer): Promise<ReadonlyMap<string, number>> {
  const answer = await server.fetch(new Request('http://localhost/metrics', { headers }))
  const found = (await answer.text()).matchAll(/^(sluice_(?:segment|log_bytes|store_memory|rows_dropped)\S*) (\S+)$/gm)
  return new Map(Array.from(found, ([, name = '', value]) => [name, Number(value)]))
}

/** With a worker, three services load their threads from TypeScript source, which is slow. */
const ways = [
  { workers: 0, tags: [] },
  { workers: 1, tags: ['slow'] },
]

describe.each(ways)('with $workers workers', ({ workers, tags }) => {
  test('a data folder and the memory for rows are figures of the server', { tags }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-gauges-'))
    const open = (retention?: Retention): Promise<SluiceServer> =>
      createServer({
        data: folder,
        keys: ['secret'],
        workers,
        storeBytes: 64 * 2 ** 20,
        ...(retention && { retention }),
      })
    try {
      const first = await open()
      await first.loaded
      const body = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/x-ndjson' }, body: lines }
      const stored = await first.fetch(new Request('http://localhost/api/ingest/logs', body))
      expect(stored.status, await stored.text()).toBe(200)
      await vi.waitFor(async () => {
        const figures = await figuresOf(first)
        expect(figures.get('sluice_log_bytes')).toBeGreaterThan(2000)
        expect(figures.get('sluice_store_memory_bytes')).toBeGreaterThan(10_000)
        expect(figures.get('sluice_segments')).toBe(0)
      }, PATIENCE_MS)
      await first.close()
      const second = await open()
      await second.loaded
      const figures = await figuresOf(second)
      expect(figures.get('sluice_segments')).toBe(1)
      expect(figures.get('sluice_segment_bytes')).toBeGreaterThan(10_000)
      expect(figures.get('sluice_segments_waiting')).toBe(0)
      expect(figures.get('sluice_store_memory_limit_bytes')).toBe(64 * 2 ** 20)
      expect(figures.get('sluice_segments_merged_total')).toBe(0)
      expect(figures.get('sluice_segments_expired_total')).toBe(0)
      await second.close()
      const third = await open({ ageNs: new Map([['logs', 1n]]), bytes: undefined })
      await third.loaded
      await expect.poll(async () => (await figuresOf(third)).get('sluice_segments_expired_total')).toBe(1)
      expect((await figuresOf(third)).get('sluice_segments')).toBe(0)
      await third.close()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

test('without a data folder there are those of the memory alone, and a server with other rows has none', async () => {
  const bounded = await createServer({ keys: ['secret'], storeBytes: 64 * 2 ** 20 })
  expect([...(await figuresOf(bounded)).keys()]).toEqual([
    'sluice_store_memory_bytes',
    'sluice_store_memory_limit_bytes',
    'sluice_rows_dropped_total',
  ])
  await bounded.close()
  const other = await createServer({ keys: ['secret'], tables: { logs: [{ n: 1 }] } })
  expect((await figuresOf(other)).size).toBe(0)
  await other.close()
})
