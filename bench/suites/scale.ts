/**
 * Data larger than memory, for each given number of rows: rows are generated and sent to a server with a data folder
 * and a memory limit; then a server starts over the folder, answers its first lookup, and answers the 33 questions cold
 * and warm.
 */
import { fork } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { authorized, startServer, type ServerProcess } from '../../test/harness/server-process.ts'
import { questions } from '../questions.ts'
import { ask, type Asked } from './scale/ask.ts'
import { bytesOf, evict, figuresOf, filesIn, resetPeakOf } from './scale/process-figures.ts'
import type { SenderNews, SenderOptions } from './scale/sender.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    memory: { type: 'string', default: '4' },
    folder: { type: 'string' },
    keep: { type: 'boolean', default: false },
    writers: { type: 'string', default: '4' },
    batch: { type: 'string', default: '2500' },
    workers: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    times: { type: 'string', default: '5' },
    out: { type: 'string' },
  },
})
const program = join(import.meta.dirname, '../../bin/sluice.cjs')
const seed = Number(values.seed)
const only = values.only === '' ? questions : questions.filter(({ id }) => values.only.split(',').includes(id))
const GIB = 1024 ** 3
const MIB = 1024 ** 2
const memoryBytes = Number.parseFloat(values.memory) * GIB
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const inMib = (bytes: number): string => (bytes / MIB).toFixed(0)

const serverOptions = [
  '--workers',
  values.workers,
  '--memory',
  `${Math.floor(memoryBytes / MIB)}MiB`,
  '--timeout',
  '10m',
]

async function start(folder: string): Promise<{ readonly server: ServerProcess; readonly readyMs: number }> {
  const startMs = performance.now()
  const server = await startServer(['--data', folder, ...serverOptions], [], {}, program)
  while ((await fetch(`${server.address}/readyz`, { headers: authorized() })).status !== 200) await sleep(5)
  return { server, readyMs: performance.now() - startMs }
}

const QUIET_MS = 300
/** Milliseconds after the start in which code is still compiled; later times are those of the files. */
const PATIENT_MS = 10_000

/** Resolves when the server hardly uses the processor any more. */
async function settled({ child }: ServerProcess): Promise<void> {
  const pid = child.pid ?? 0
  let before = figuresOf(pid).cpuSeconds
  for (const startMs = performance.now(); performance.now() - startMs < PATIENT_MS;) {
    await sleep(QUIET_MS)
    const now = figuresOf(pid).cpuSeconds
    if (now - before <= 0.02) return
    before = now
  }
}

interface Tenth {
  readonly rows: number
  readonly rowsPerSecond: number
  readonly residentBytes: number
  readonly peakBytes: number
  readonly serverCpuSeconds: number
  readonly diskBytes: number
  readonly refused: number
}

interface Loaded {
  readonly tenths: readonly Tenth[]
  readonly seconds: number
  readonly stopSeconds: number
  readonly bytesPerRow: number
}

async function load(folder: string, rows: number): Promise<Loaded> {
  const { server } = await start(folder)
  const pid = server.child.pid ?? 0
  const tenths: Tenth[] = []
  const options: SenderOptions = {
    address: server.address,
    headers: authorized(),
    rows,
    seed,
    batchRows: Number(values.batch),
    writers: Number(values.writers),
    toldRows: Math.ceil(rows / 10),
  }
  print(
    `${'rows'.padStart(12)} ${'rows/s'.padStart(9)} ${'RSS MiB'.padStart(8)} ${'peak MiB'.padStart(9)} ${'disk MiB'.padStart(9)} ${'B/row'.padStart(7)} ${'cpu µs/row'.padStart(11)} ${'sender µs'.padStart(10)} ${'503'.padStart(5)}`,
  )
  const startMs = performance.now()
  const sender = fork(join(import.meta.dirname, 'scale/sender.ts'), [JSON.stringify(options)])
  let before = figuresOf(pid)
  let rowsBefore = 0
  sender.on('message', (message) => {
    const news = message as SenderNews
    const now = figuresOf(pid)
    const diskBytes = bytesOf(filesIn(folder))
    const count = news.rows - rowsBefore
    const tenth = {
      rows: news.rows,
      rowsPerSecond: count / news.seconds,
      residentBytes: now.residentBytes,
      peakBytes: now.peakBytes,
      serverCpuSeconds: now.cpuSeconds - before.cpuSeconds,
      diskBytes,
      refused: news.refused,
    }
    tenths.push(tenth)
    print(
      `${String(news.rows).padStart(12)} ${tenth.rowsPerSecond.toFixed(0).padStart(9)} ${inMib(now.residentBytes).padStart(8)} ${inMib(now.peakBytes).padStart(9)} ` +
        `${inMib(diskBytes).padStart(9)} ${(diskBytes / news.rows).toFixed(1).padStart(7)} ${((tenth.serverCpuSeconds / count) * 1e6).toFixed(1).padStart(11)} ` +
        `${((news.cpuSeconds / count) * 1e6).toFixed(1).padStart(10)} ${String(news.refused).padStart(5)}`,
    )
    before = now
    rowsBefore = news.rows
    resetPeakOf(pid)
  })
  const code = await new Promise<number | null>((resolve) => sender.once('exit', resolve))
  if (code !== 0) throw new Error(`the sender ended with ${String(code)}`)
  const seconds = (performance.now() - startMs) / 1000
  const stopMs = performance.now()
  await server.stop()
  const stopSeconds = (performance.now() - stopMs) / 1000
  const files = filesIn(folder)
  const bytesPerRow = bytesOf(files) / rows
  print(
    `${rows} rows in ${seconds.toFixed(1)} s; stopped in ${stopSeconds.toFixed(1)} s; ${files.length} files, ${bytesPerRow.toFixed(1)} B a row`,
  )
  return { tenths, seconds, stopSeconds, bytesPerRow }
}

interface QuestionTimes {
  readonly id: string
  readonly cold: Asked
  readonly warm: Asked
}

function parted(asked: Asked): Omit<Asked, 'answer'> {
  const { answer: _, ...figures } = asked
  return figures
}

/** Starts a process, removes its files from the system's cache and runs one question. */
async function askCold(folder: string, rows: number, index: number): Promise<Asked> {
  evict(filesIn(folder))
  const { server } = await start(folder)
  await settled(server)
  try {
    return await ask(server, only[index], { rows, seed })
  } finally {
    await server.kill()
  }
}

/** A question that takes longer than this many milliseconds is not repeated. */
const PATIENCE_MS = 20_000

async function askAll(folder: string, rows: number): Promise<readonly QuestionTimes[]> {
  const colds: Asked[] = []
  for (const [index, { id }] of only.entries()) {
    colds.push(await askCold(folder, rows, index))
    process.stderr.write(`${id} cold: ${colds[index].milliseconds.toFixed(0)} ms\n`)
  }
  const { server } = await start(folder)
  await settled(server)
  const times: QuestionTimes[] = []
  print(
    `${'question'.padEnd(34)} ${'cold ms'.padStart(9)} ${'cpu ms'.padStart(8)} ${'reads'.padStart(7)} ${'MiB'.padStart(8)} ${'disk MiB'.padStart(9)} ${'warm ms'.padStart(9)} ${'cpu ms'.padStart(8)} ${'reads'.padStart(7)} ${'MiB'.padStart(8)} ${'RSS MiB'.padStart(8)}`,
  )
  try {
    for (const [index, question] of only.entries()) {
      const cold = colds[index]
      let spentMs = 0
      const asked: Asked[] = []
      while (asked.length === 0 || (asked.length <= Number(values.times) && spentMs < PATIENCE_MS)) {
        const one = await ask(server, question, { rows, seed })
        spentMs += one.milliseconds
        if (one.refused === undefined && cold.refused === undefined && one.answer !== cold.answer)
          print(`DIFFERENCE ${question.id}: cold and warm answer differently`)
        asked.push(one)
      }
      // The first run is not warm, unless it is the only one.
      const warm = asked.slice(Math.min(1, asked.length - 1)).sort((a, b) => a.milliseconds - b.milliseconds)
      const middle = warm[warm.length >> 1]
      times.push({ id: question.id, cold, warm: middle })
      print(
        `${`${question.id} ${question.title}`.padEnd(34)} ${cold.milliseconds.toFixed(1).padStart(9)} ${cold.cpuMs.toFixed(0).padStart(8)} ${String(cold.reads).padStart(7)} ` +
          `${(cold.readBytes / MIB).toFixed(1).padStart(8)} ${(cold.diskBytes / MIB).toFixed(1).padStart(9)} ${middle.milliseconds.toFixed(1).padStart(9)} ${middle.cpuMs.toFixed(0).padStart(8)} ` +
          `${String(middle.reads).padStart(7)} ${(middle.readBytes / MIB).toFixed(1).padStart(8)} ${inMib(middle.residentBytes).padStart(8)} ${cold.refused ?? ''}${middle.refused === undefined ? '' : ` warm ${middle.refused}`}`,
      )
    }
    print(`RSS at most ${inMib(figuresOf(server.child.pid ?? 0).peakBytes)} MiB while they were asked`)
  } finally {
    await server.kill()
  }
  return times
}

interface Started {
  /**
   * Whether the files were removed from the system's cache, as after a start of the machine, or are in it, as after a
   * start of the process.
   */
  readonly files: 'evicted' | 'as they were'
  readonly readyMs: number
  readonly needleMs: number
  readonly cpuSeconds: number
  readonly readBytes: number
  readonly residentBytes: number
}

/** Measures the time from the start of the process until it is ready, and the first lookup after that. */
async function askFirst(folder: string, rows: number, files: Started['files']): Promise<Started> {
  const isEvicted = files === 'evicted' && evict(filesIn(folder))
  const { server, readyMs } = await start(folder)
  const { cpuSeconds, readBytes, residentBytes } = figuresOf(server.child.pid ?? 0)
  const needle = await ask(server, questions[0], { rows, seed })
  await server.kill()
  print(
    `files ${isEvicted ? 'evicted' : files === 'evicted' ? 'NOT evicted' : 'as they were'}: ready ${readyMs.toFixed(0)} ms after the spawn (${cpuSeconds.toFixed(2)} s of processor, ${inMib(readBytes)} MiB read, RSS ${inMib(residentBytes)} MiB), first needle ${needle.milliseconds.toFixed(0)} ms`,
  )
  return { files, readyMs, needleMs: needle.milliseconds, cpuSeconds, readBytes, residentBytes }
}

interface Scale {
  readonly rows: number
  readonly loaded: Loaded | undefined
  readonly starts: readonly Started[]
  readonly times: readonly QuestionTimes[]
}

async function measure(root: string, rows: number): Promise<Scale> {
  const folder = join(root, String(rows))
  print(`\n${rows} rows, ${serverOptions.join(' ')}`)
  const isThere = existsSync(folder)
  if (isThere) print(`asked of ${folder} as it is`)
  const loaded = isThere ? undefined : await load(folder, rows)
  const starts: Started[] = []
  for (const files of ['evicted', 'evicted', 'evicted', 'as they were', 'as they were'] as const)
    starts.push(await askFirst(folder, rows, files))
  return { rows, loaded, starts, times: await askAll(folder, rows) }
}

/** Prints the times over the larger data divided by those over the smaller. */
function printGrowth(small: Scale, large: Scale): void {
  print(`\n${large.rows} rows beside ${small.rows}: times as long, and times as much read`)
  print(
    `${'question'.padEnd(34)} ${'cold'.padStart(7)} ${'warm'.padStart(7)} ${'cold MiB'.padStart(9)} ${'warm MiB'.padStart(9)}`,
  )
  const times = (a: number, b: number): string => (b / Math.max(a, 1e-9)).toFixed(1)
  for (const [i, one] of small.times.entries()) {
    const other = large.times[i]
    if (other === undefined) continue
    print(
      `${`${one.id} ${questions.find(({ id }) => id === one.id)?.title ?? ''}`.padEnd(34)} ${times(one.cold.milliseconds, other.cold.milliseconds).padStart(7)} ${times(one.warm.milliseconds, other.warm.milliseconds).padStart(7)} ` +
        `${times(one.cold.readBytes + MIB, other.cold.readBytes + MIB).padStart(9)} ${times(one.warm.readBytes + MIB, other.warm.readBytes + MIB).padStart(9)}`,
    )
  }
}

// Servers end with this process, however it ends.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))

const isOwn = values.folder === undefined
const root = values.folder ?? mkdtempSync(join(tmpdir(), 'sluice-scale-'))
mkdirSync(root, { recursive: true })
const scales: Scale[] = []
try {
  for (const rows of values.rows.split(',').map(Number)) scales.push(await measure(root, rows))
  const [small] = scales
  const large = scales.at(-1)
  if (large !== undefined && large !== small) printGrowth(small, large)
  if (values.out !== undefined)
    writeFileSync(
      values.out,
      `${JSON.stringify(
        scales.map((scale) => ({
          ...scale,
          times: scale.times.map(({ id, cold, warm }) => ({ id, cold: parted(cold), warm: parted(warm) })),
        })),
        null,
        2,
      )}\n`,
    )
} finally {
  if (isOwn || !values.keep) for (const { rows } of scales) rmSync(join(root, String(rows)), { recursive: true })
  if (isOwn) rmSync(root, { recursive: true, force: true })
}
