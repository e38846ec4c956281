import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, type Random } from '../../../src/base/index.ts'
import { newTenant, openDataToRead, type DataToRead } from '../../../src/server/index.ts'
import { diskFiles } from '../../../src/store/durable/index.ts'
import { takeSnapshot } from '../../../src/store/persistence/index.ts'
import { PATIENCE_MS } from '../../harness/patience.ts'
import type { Rounds } from '../run.ts'
import { SentBatches } from './sent-batches.ts'
import { SentSamples } from './sent-samples.ts'
import { PROCESS_KEY, startServer, type ServerProcess } from '../../harness/server-process.ts'

export interface KillReport {
  cycles: number
  acknowledgedBatches: number
  acknowledgedRows: number
  acknowledgedSamples: number
  /** Files of samples that were written, those merged and gone since too. */
  sampleFiles: number
  /** Series that were too old and have left. */
  oldSeriesGone: number
  /** Cycles that ended with a write nobody had answered. */
  cyclesInFlight: number
  /** Batches that were deleted and said to be gone. */
  deletedBatches: number
  deletedSampleBatches: number
  snapshots: number
  /** Writes nobody had answered at the kills, over all cycles. */
  inFlightAtKills: number
  /** What is wrong, one line each; empty when nothing is. */
  readonly faults: string[]
}

export interface KillOptions {
  /** Of all chains together. */
  readonly more: Rounds
  readonly seed: number
  readonly writers: number
  /** Folders that are written and killed beside each other. */
  readonly chains?: number
  /** False starts servers that keep nothing, to see that the check finds it. */
  readonly keeps?: boolean
  /** The launcher of the program that is started; the source unless given. */
  readonly program?: string | undefined
  readonly print?: (line: string) => void
}

/** Cycles that share a data folder; afterwards a fresh one is taken, so that no check grows without end. */
const CYCLES_PER_FOLDER = 10

/**
 * After each kill the folder is read here, where all code is warm; the next server is asked, too, once in so many cycles and after the
 * last: what is lost or doubled stays so until a check that comes later.
 */
const SERVER_CHECK_CYCLES = 4

/** A kill comes at most so long after the first answer. */
const KILL_MS = 150

/** One cycle in so many takes a snapshot while the others write. */
const SNAPSHOT_CYCLES = 4

/** Between two deletions. */
const DELETE_MS = 20

/** Writers of samples. */
const SAMPLE_WRITERS = 3
/** Batches of samples that are too old, at the start of a cycle, with a pause behind each. */
const OLD_BATCHES = 2
const OLD_MS = 30

/** Most batches are small, so that much happens in a cycle; some are large, so that a kill meets one half written. */
const rowsOf = (random: Random): number => 1 + random.below(random.below(10) === 0 ? 1000 : 40)

/** One data folder after the other, each killed and started again a few times. */
class Chain {
  readonly #report: KillReport
  readonly #options: KillOptions
  readonly #random: Random
  readonly #compiled: string
  readonly #keeps: boolean
  #folder = ''
  #sent = new SentBatches()
  #samples = new SentSamples()

  constructor(report: KillReport, options: KillOptions, seed: number, compiled: string) {
    this.#report = report
    this.#options = options
    this.#random = seededRandom(seed)
    this.#compiled = compiled
    this.#keeps = options.keeps ?? true
  }

  async run(name: string): Promise<void> {
    try {
      for (let cycle = 0; this.#options.more(this.#report.cycles); cycle++) {
        if (cycle % CYCLES_PER_FOLDER === 0) {
          await this.#finishFolder()
          this.#folder = mkdtempSync(join(tmpdir(), 'sluice-kill-'))
          this.#sent = new SentBatches()
          this.#samples = new SentSamples()
        }
        await this.#cycle(`${name}-${cycle}`)
      }
      await this.#finishFolder()
    } finally {
      if (this.#folder !== '') rmSync(this.#folder, { recursive: true, force: true })
    }
  }

  /** With threads and without. */
  #start(): Promise<ServerProcess> {
    const { program } = this.#options
    // A short log: rows become segments, and their batches leave, many times a second.
    const kept = ['--data', this.#folder, '--log-size', '4KiB', '--retain', 'logs=30d,metrics=30d']
    const args = [...(this.#keeps ? kept : []), '--workers', `${this.#random.below(3)}`]
    return startServer(args, [], { NODE_COMPILE_CACHE: this.#compiled }, program)
  }

  async #cycle(name: string): Promise<void> {
    const { writers, print = () => {} } = this.#options
    const report = this.#report
    const sent = this.#sent
    const server = await this.#start()
    const samples = this.#samples
    await isReady(server)
    if (sent.batches > 0 && (report.cycles % SERVER_CHECK_CYCLES === 0 || !this.#keeps))
      report.faults.push(...(await sent.check(server.address)), ...(await samples.check(server.address)))
    for (let batch = 0; batch < OLD_BATCHES; batch++) {
      await samples.sendOld(server.address, (below) => this.#random.below(below))
      await sleep(OLD_MS)
    }
    const before = sent.acknowledgedBatches
    const samplesBefore = samples.acknowledgedSamples
    let inFlight = 0
    // Writes until the server is gone.
    const write = async (writer: string, random: Random): Promise<void> => {
      for (let i = 0; ; i++) {
        inFlight++
        const status = await sent.send(server.address, PROCESS_KEY, `${writer}-${i}`, rowsOf(random))
        if (status !== 200) return
        inFlight--
      }
    }
    const working = Array.from({ length: writers }, (_, i) =>
      write(`${name}-${i}`, seededRandom(this.#random.below(2 ** 31))),
    )
    const writeSamples = async (writer: string, random: Random): Promise<void> => {
      while ((await samples.send(server.address, writer, rowsOf(random))) === 200);
    }
    for (let i = 0; i < SAMPLE_WRITERS; i++)
      working.push(writeSamples(`writer ${i}`, seededRandom(this.#random.below(2 ** 31))))
    const remove = async (): Promise<void> => {
      while (server.child.exitCode === null && server.child.signalCode === null) {
        await sleep(DELETE_MS)
        // Of a server that keeps nothing all that was acknowledged is to be missed.
        if (this.#keeps)
          await Promise.all([
            sent.delete(server.address, PROCESS_KEY, (below) => this.#random.below(below)),
            samples.delete(server.address, (below) => this.#random.below(below)),
          ])
        // Rows that are too old at once leave by retention all the time.
        await sent.sendOld(server.address, PROCESS_KEY)
      }
    }
    const snapshot = async (): Promise<void> => {
      if (!this.#keeps || this.#random.below(SNAPSHOT_CYCLES) > 0) return
      report.faults.push(...(await checkSnapshot(this.#folder, sent, samples)))
      report.snapshots++
    }
    working.push(remove(), snapshot())
    // Where little gets done, the first answers are waited for: a cycle in which nothing was acknowledged checks nothing. Later ones
    // are killed before a file of samples is there, too.
    const hasFiles = (): boolean => {
      if (!this.#keeps || report.cycles > 0) return true
      samples.lookAtFiles(this.#folder)
      return samples.files > 0
    }
    const hasBegun = (): boolean =>
      sent.acknowledgedBatches > before && samples.acknowledgedSamples > samplesBefore && hasFiles()
    for (let waitedMs = 0; waitedMs < PATIENCE_MS && !hasBegun(); waitedMs += 5) await sleep(5)
    // One cycle in four is killed after a deletion of rows or of samples, perhaps in the next.
    const awaited = this.#random.below(8)
    const deleted = (): number => [sent, samples][awaited]?.deletedBatches ?? 0
    const deletedBefore = deleted()
    if (this.#keeps && awaited < 2)
      for (let waitedMs = 0; waitedMs < PATIENCE_MS && deleted() === deletedBefore; waitedMs += 5) await sleep(5)
    await sleep(this.#random.below(KILL_MS))
    const atKill = inFlight
    await server.kill()
    await Promise.all(working)
    samples.lookAtFiles(this.#folder)
    if (this.#keeps) report.faults.push(...(await checkFolder('after a kill', this.#folder, sent, samples)))
    report.inFlightAtKills += atKill
    if (atKill > 0) report.cyclesInFlight++
    report.cycles++
    print(
      `cycle ${report.cycles}: ${sent.batches} batches sent so far, ${atKill} in flight, ${samples.files} files of samples, ${report.faults.length} faults`,
    )
  }

  async #finishFolder(): Promise<void> {
    if (this.#folder === '') return
    const server = await this.#start()
    await isReady(server)
    this.#report.faults.push(...(await this.#sent.check(server.address)))
    this.#report.faults.push(...(await this.#samples.check(server.address)))
    await server.kill()
    this.#samples.lookAtFiles(this.#folder)
    this.#report.acknowledgedSamples += this.#samples.acknowledgedSamples
    this.#report.sampleFiles += this.#samples.files
    this.#report.oldSeriesGone += this.#samples.oldGone
    this.#report.acknowledgedBatches += this.#sent.acknowledgedBatches
    this.#report.acknowledgedRows += this.#sent.acknowledgedRows
    this.#report.deletedBatches += this.#sent.deletedBatches
    this.#report.deletedSampleBatches += this.#samples.deletedBatches
    rmSync(this.#folder, { recursive: true, force: true })
    this.#folder = ''
  }
}

/** Resolves when what was read back is served. */
async function isReady({ address }: ServerProcess): Promise<void> {
  while ((await fetch(`${address}/readyz`)).status !== 200) await sleep(5)
}

/** Takes a snapshot of a folder that a server writes to, and compares the rows and samples in it with what was sent. */
async function checkSnapshot(folder: string, sent: SentBatches, samples: SentSamples): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'sluice-kill-copy-'))
  const copy = join(root, 'copy')
  try {
    return await checkFolder('in a snapshot', copy, sent, samples, () => takeSnapshot(diskFiles, folder, copy))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Compares the rows and samples that are read from a folder with what was sent before it was prepared. */
async function checkFolder(
  where: string,
  folder: string,
  sent: SentBatches,
  samples: SentSamples,
  prepare: () => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly string[]> {
  let opened: DataToRead | undefined
  const taken = (async () => {
    await prepare()
    opened = await openDataToRead(folder, { hasSamples: true, cacheBytes: 1 << 24 })
    return newTenant(undefined, opened.target)
  })()
  try {
    // Both note at once what is acknowledged before it is taken.
    const faults = await Promise.all([
      sent.checkRead(() => taken),
      samples.checkRead(async () => (await taken).samples),
    ])
    return faults.flat().map((fault) => `${where}, ${fault}`)
  } finally {
    await opened?.close()
  }
}

/**
 * Kills servers with SIGKILL at random moments while many write to them, starts them again over the same folder and counts
 * every batch. The cycles of one folder are checked together: nothing may get lost later either.
 */
export async function killCycles(options: KillOptions): Promise<KillReport> {
  const { seed, program, chains = 1 } = options
  const report: KillReport = {
    cycles: 0,
    acknowledgedBatches: 0,
    acknowledgedRows: 0,
    acknowledgedSamples: 0,
    sampleFiles: 0,
    oldSeriesGone: 0,
    cyclesInFlight: 0,
    deletedBatches: 0,
    deletedSampleBatches: 0,
    snapshots: 0,
    inFlightAtKills: 0,
    faults: [],
  }
  const compiled = mkdtempSync(join(tmpdir(), 'sluice-compiled-'))
  try {
    // Who is killed cannot keep what it compiled at its end: one server ends by itself.
    const first = await startServer(['--workers', '1'], [], { NODE_COMPILE_CACHE: compiled }, program)
    await first.stop()
    await Promise.all(
      Array.from({ length: chains }, (_, chain) =>
        new Chain(report, options, seed * 1_000_003 + chain, compiled).run(`${chain}`),
      ),
    )
  } finally {
    rmSync(compiled, { recursive: true, force: true })
  }
  return report
}
