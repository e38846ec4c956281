/**
 * The cost of deletions: rows of nine fields in a data folder, of which first the rows of one user, then every ninth
 * row, then all others are deleted. In processor seconds of all threads. `npm run bench -- delete [--rows 262144]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer } from '../../src/server/index.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '262144' } } })
const rowCount = Number(values.rows)
const BATCH_ROWS = 16_384
const words = ['connection', 'refused', 'timeout', 'payment', 'accepted', 'cart', 'user', 'session', 'expired', 'retry']
const word = (n: number): string => words[n % words.length]

function lineOf(n: number): string {
  return JSON.stringify({
    _time: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
    content: `${word(n)} ${word(n >> 3)} ${word(n >> 5)} id=${(n * 7919) % 1_000_003} took ${n % 977} ms`,
    level: n % 9 === 0 ? 'error' : 'info',
    service: `s${n % 12}`,
    pod: `p${n % 240}`,
    trace_id: ((n * 2_654_435_761) % 2 ** 32).toString(16).padStart(32, '0'),
    status: 200 + (n % 5),
    duration: n % 977,
    user_id: `u${n % 5000}`,
  })
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-delete-bench-'))
const server = await createServer({ data: join(folder, 'data'), keys: ['bench'] })
await server.loaded

async function post(path: string, body: string): Promise<unknown> {
  const headers = { Authorization: 'Bearer bench', 'Content-Type': 'application/json' }
  const response = await server.fetch(new Request(`http://localhost${path}`, { method: 'POST', headers, body }))
  if (response.status !== 200) throw new Error(await response.text())
  return response.json()
}

try {
  for (let from = 0; from < rowCount; from += BATCH_ROWS) {
    const lines = Array.from({ length: Math.min(BATCH_ROWS, rowCount - from) }, (_, i) => lineOf(from + i))
    await post('/api/ingest/logs?format=ndjson', lines.join('\n'))
  }
  // Writes the rows that are not in segments yet.
  const range = { start: '2026-01-01', end: '2027-01-01', write: true }
  await post('/api/rows/delete', JSON.stringify({ where: 'no:such', ...range }))
  let left = rowCount
  for (const where of ['user_id:="u77"', 'level:error', '*']) {
    const before = process.cpuUsage()
    const { rows } = (await post('/api/rows/delete', JSON.stringify({ where, ...range }))) as { readonly rows: number }
    const { user, system } = process.cpuUsage(before)
    const seconds = (user + system) / 1e6
    const rate = Math.round(left / seconds).toLocaleString('en-US')
    process.stdout.write(
      `${where}: ${rows} of ${left} rows deleted in ${seconds.toFixed(2)} s of processor, ${rate} rows a second looked at and written\n`,
    )
    left -= rows
  }
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
