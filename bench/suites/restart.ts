/**
 * The time of a restart after a crash. Logs are ingested over HTTP with a data folder, every batch acknowledged
 * durably; the process is killed with SIGKILL and started again. The clock runs from the start until `/readyz` answers
 * 200, and until a query returns the number of all rows. `--check` gives exit code 1 when a limit is exceeded;
 * `--packed` runs what `npm run build` has made.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { search, startServer } from '../../test/harness/server-process.ts'
import { sendLoad } from './ingest/load.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    writers: { type: 'string', default: '8' },
    batch: { type: 'string', default: '1000' },
    times: { type: 'string', default: '3' },
    check: { type: 'boolean', default: false },
    packed: { type: 'boolean', default: false },
  },
})
const program = values.packed ? join(import.meta.dirname, '../../bin/sluice.cjs') : undefined
const LEAST_ROWS_A_SECOND = 50_000
const MOST_SECONDS = 10
const print = (line: string): void => void process.stdout.write(`${line}\n`)

interface Restart {
  readonly readySeconds: number
  readonly countedSeconds: number
  /** Processor seconds of all threads from the start until the rows were counted. */
  readonly cpuSeconds: number
  readonly rows: number
}

/** Returns the processor seconds of all threads of the server. */
async function cpuSecondsOf(address: string): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text()
  return Number(/^\w*process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1] ?? NaN)
}

/** Starts the server and ends it with the given signal. */
async function restart(folder: string, end: 'SIGKILL' | 'SIGTERM'): Promise<Restart> {
  const startedMs = performance.now()
  const secondsSince = (): number => (performance.now() - startedMs) / 1000
  const server = await startServer(['--data', folder], [], {}, program)
  while ((await fetch(`${server.address}/readyz`)).status !== 200) await sleep(10)
  const readySeconds = secondsSince()
  const [found] = await search(server.address, '* | stats count() n')
  const countedSeconds = secondsSince()
  const cpuSeconds = await cpuSecondsOf(server.address)
  await (end === 'SIGKILL' ? server.kill() : server.stop())
  return { readySeconds, countedSeconds, cpuSeconds, rows: Number(found['n']) }
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-restart-bench-'))
const broken: string[] = []
try {
  const server = await startServer(['--data', folder], [], {}, program)
  const load = { rows: Number(values.rows), writers: Number(values.writers), batchRows: Number(values.batch) }
  // Every batch differs, since a log that repeats a few batches would be read faster than a real one.
  const sent = await sendLoad(server.address, { ...load, differentBatches: Infinity })
  const cpuSeconds = await cpuSecondsOf(server.address)
  await server.kill()
  const rowsPerSecond = sent.rows / sent.seconds
  const bytes = statSync(join(folder, 'batches.log')).size
  const at = (share: number): string => sent.latenciesMs[Math.floor(share * (sent.latenciesMs.length - 1))].toFixed(1)
  print(
    `${sent.rows} rows in batches of ${load.batchRows} by ${load.writers} writers: ${Math.round(rowsPerSecond)} rows/s acknowledged`,
  )
  print(
    `answers: median ${at(0.5)} ms, p99 ${at(0.99)} ms; batch log ${(bytes / 1e6).toFixed(1)} MB; ${cpuSeconds.toFixed(1)} s of processor`,
  )
  if (rowsPerSecond < LEAST_ROWS_A_SECOND) broken.push(`${Math.round(rowsPerSecond)} rows/s`)
  const tell = (how: string, one: Restart): void =>
    print(
      `${how}: ready in ${one.readySeconds.toFixed(1)} s, counted ${one.rows} rows in ${one.countedSeconds.toFixed(1)} s, ${one.cpuSeconds.toFixed(1)} s of processor`,
    )
  const restarts: Restart[] = []
  for (let round = 0; round < Number(values.times); round++)
    restarts.push(await restart(folder, round === Number(values.times) - 1 ? 'SIGTERM' : 'SIGKILL'))
  for (const one of restarts) tell('after kill -9', one)
  const stopped = await restart(folder, 'SIGKILL')
  tell('after SIGTERM', stopped)
  tell('an empty folder', await restart(join(folder, 'empty'), 'SIGKILL'))
  for (const { rows } of [...restarts, stopped])
    if (rows !== sent.rows) broken.push(`${rows} rows of ${sent.rows} are there after a restart`)
  const seconds = restarts.map((one) => one.countedSeconds).toSorted((a, b) => a - b)
  const median = seconds[Math.floor(seconds.length / 2)]
  print(`median of ${seconds.length} restarts until counted: ${median.toFixed(1)} s`)
  if (median > MOST_SECONDS) broken.push(`${median.toFixed(1)} s until counted`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const line of broken) print(`BROKEN ${line}`)
if (values.check && broken.length > 0) process.exitCode = 1
