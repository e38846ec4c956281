import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { search, startServer } from '../../test/harness/server-process.ts'
import { sendLoad } from './ingest/load.ts'

/**
 * The ingestion rate of `serve --data`: `npm run bench -- ingest [rows] [writers] [batch rows]`. Every row is
 * acknowledged durably; then the server is killed, started again and asked for the number of rows.
 */
const given = process.argv.slice(2).map(Number)
const [rows, writers, batchRows] = [given[0] ?? 1_000_000, given[1] ?? 8, given[2] ?? 1_000]
const folder = mkdtempSync(join(tmpdir(), 'sluice-ingest-bench-'))
try {
  const server = await startServer(['--data', folder])
  const {
    rows: stored,
    seconds,
    latenciesMs,
  } = await sendLoad(server.address, { rows, writers, batchRows, differentBatches: 100 })
  const at = (share: number): string => latenciesMs[Math.floor(share * (latenciesMs.length - 1))].toFixed(1)
  const metrics = await (await fetch(`${server.address}/metrics`)).text()
  const cpuSeconds = Number(/^\w*process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1] ?? NaN)
  await server.kill()
  const bytes = statSync(join(folder, 'batches.log')).size
  const again = await startServer(['--data', folder])
  const [found] = await search(again.address, '* | stats count() n')
  await again.stop()
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
