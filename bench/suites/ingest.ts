import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authorized, search, startServer } from '../../test/ingest/server-process.ts'
import { jsonLine, logRecords } from '../datasets.ts'

/**
 * Times what `serve --data` takes in: `node bench/suites/ingest.ts [rows] [writers] [batch rows]`. Every row is
 * acknowledged durably; then the server is killed, started again and asked for the number of rows.
 */
const given = process.argv.slice(2).map(Number)
const [rows, writers, batchRows] = [given[0] ?? 1_000_000, given[1] ?? 8, given[2] ?? 1_000]
/** So many different batches are made; they are sent over and over, so that the sender costs little. */
const DIFFERENT = 100

function makeBatches(): Buffer[] {
  const batches: Buffer[] = []
  let lines: string[] = []
  for (const record of logRecords({ rows: Math.min(rows, DIFFERENT * batchRows), seed: 1 })) {
    lines.push(jsonLine(record))
    if (lines.length < batchRows) continue
    batches.push(Buffer.from(lines.join('\n')))
    lines = []
  }
  return batches
}

const agent = new Agent({ keepAlive: true, maxSockets: writers })

function send(address: string, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${address}/api/ingest/logs`,
      {
        method: 'POST',
        agent,
        headers: authorized({ 'Content-Type': 'application/x-ndjson', 'Content-Length': String(body.length) }),
      },
      (response) => {
        response.resume()
        if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
        else response.once('end', resolve)
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-ingest-bench-'))
try {
  const batches = makeBatches()
  const server = await startServer(['--data', folder])
  const total = Math.floor(rows / batchRows)
  let next = 0
  const latenciesMs: number[] = []
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (let i = next++; i < total; i = next++) {
        const sentMs = performance.now()
        await send(server.address, batches[i % batches.length])
        latenciesMs.push(performance.now() - sentMs)
      }
    }),
  )
  const seconds = (performance.now() - startedMs) / 1000
  latenciesMs.sort((a, b) => a - b)
  const at = (share: number): string => latenciesMs[Math.floor(share * (latenciesMs.length - 1))].toFixed(1)
  const metrics = await (await fetch(`${server.address}/metrics`)).text()
  const cpuSeconds = Number(/^\w*process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1] ?? NaN)
  await server.kill()
  agent.destroy()
  const bytes = statSync(join(folder, 'batches.db')).size
  const again = await startServer(['--data', folder])
  const [found] = await search(again.address, '* | stats count() n')
  await again.stop()
  const stored = total * batchRows
  process.stdout.write(
    [
      `${stored} rows in batches of ${batchRows} by ${writers} writers: ${Math.round(stored / seconds)} rows/s acknowledged`,
      `the server worked ${cpuSeconds.toFixed(1)} s for it on all its threads`,
      `answers: median ${at(0.5)} ms, p99 ${at(0.99)} ms`,
      `batch log: ${(bytes / 1e6).toFixed(1)} MB, ${(bytes / stored).toFixed(0)} bytes a row`,
      `ready again after kill -9 in ${(again.readyMs / 1000).toFixed(1)} s with ${String(found['n'])} rows`,
      '',
    ].join('\n'),
  )
  if (found['n'] !== stored) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
