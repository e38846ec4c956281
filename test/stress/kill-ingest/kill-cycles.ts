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
  /** Number of sample files written, including those that have been merged and deleted since. */
  sampleFiles: number
  /** Number of expired series that have been removed. */
  oldSeriesGone: number
  /** Number of cycles that ended with an unanswered write. */
  cyclesInFlight: number
  /** Number of batches of rows whose deletion was acknowledged. */
  deletedBatches: number
  deletedSampleBatches: number
  snapshots: number
  /** Number of unanswered writes at the kills, over all cycles. */
  inFlightAtKills: number
  /** Descriptions of faults, one line each; empty if there are none. */
  readonly faults: string[]
}

export interface KillOptions {
  /** Whether to begin another cycle; called with the number of cycles over all chains. */
  readonly more: Rounds
  readonly seed: number
  readonly writers: number
  /** Number of data folders that are written and killed in parallel. */
  readonly chains?: number
  /** If false, servers run without a data folder, to test that the check detects the loss. */
  readonly keeps?: boolean
  /** Launcher of the program to start. Default: the source. */
  readonly program?: string | undefined
  readonly print?: (line: string) => void
}

/** Number of cycles that share a data folder. Then a new folder is used, so that checks stay short. */
const CYCLES_PER_FOLDER = 10

/**
 * Number of cycles between two checks through a started server. After each kill, the folder is read only in this
 * process, where the code is already compiled. Losses and duplicates persist, so a later check through a server still
 * finds them. The server is also checked after the last cycle.
 */
const SERVER_CHECK_CYCLES = 4

/**
 * Upper bound in milliseconds of the random delay before each kill, which starts when the awaited answers have arrived.
 */
const KILL_MS = 150

/** One in this many cycles takes a snapshot during the writes. */
const SNAPSHOT_CYCLES = 4

/** Milliseconds between two deletions. */
const DELETE_MS = 20

/** Number of writers of samples. */
const SAMPLE_WRITERS = 3
/** Number of expired sample batches sent at the start of a cycle, and the pause after each in milliseconds. */
const OLD_BATCHES = 2
const OLD_MS = 30

/**
 * Returns the number of rows of a batch. Most batches are small, so that a cycle has many. Some are large, so that a
 * kill interrupts their write.
 */
const rowsOf = (random: Random): number => 1 + random.below(random.below(10) === 0 ? 1000 : 40)

/** A sequence of data folders. On each, servers are killed and restarted `CYCLES_PER_FOLDER` times. */
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

  /** Starts a server with a random number of worker threads, from 0 to 2. */
  #start(): Promise<ServerProcess> {
    const { program } = this.#options
    // The log is so short that many times a second rows move to segments and their batches leave the log.
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
        // Without a data folder nothing is deleted, so that the check must report the loss of everything acknowledged.
        if (this.#keeps)
          await Promise.all([
            sent.delete(server.address, PROCESS_KEY, (below) => this.#random.below(below)),
            samples.delete(server.address, (below) => this.#random.below(below)),
          ])
        // These rows are expired on arrival, so retention constantly has something to delete.
        await sent.sendOld(server.address, PROCESS_KEY)
      }
    }
    const snapshot = async (): Promise<void> => {
      if (!this.#keeps || this.#random.below(SNAPSHOT_CYCLES) > 0) return
      report.faults.push(...(await checkSnapshot(this.#folder, sent, samples)))
      report.snapshots++
    }
    working.push(remove(), snapshot())
    // A cycle without acknowledgements checks nothing, so the kill waits for the first ones. In the first cycle it also
    // waits for a file of samples.
    const hasFiles = (): boolean => {
      if (!this.#keeps || report.cycles > 0) return true
      samples.lookAtFiles(this.#folder)
      return samples.files > 0
    }
    const hasBegun = (): boolean =>
      sent.acknowledgedBatches > before && samples.acknowledgedSamples > samplesBefore && hasFiles()
    for (let waitedMs = 0; waitedMs < PATIENCE_MS && !hasBegun(); waitedMs += 5) await sleep(5)
    // In a quarter of the cycles the kill waits for a deletion of rows or samples.
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

/** Resolves when the server has read its data and is ready. */
async function isReady({ address }: ServerProcess): Promise<void> {
  while ((await fetch(`${address}/readyz`)).status !== 200) await sleep(5)
}

/**
 * Takes a snapshot of a folder while a server writes to it. Checks the snapshot against the rows and samples that were
 * sent. Returns the faults.
 */
async function checkSnapshot(folder: string, sent: SentBatches, samples: SentSamples): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'sluice-kill-copy-'))
  const copy = join(root, 'copy')
  try {
    return await checkFolder('in a snapshot', copy, sent, samples, () => takeSnapshot(diskFiles, folder, copy))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/**
 * Reads a folder after `prepare` and checks its rows and samples against those sent before `prepare` ran. Returns the
 * faults.
 */
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
    // Both checks first record what is acknowledged at this moment, before the snapshot begins.
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
 * Kills servers with SIGKILL at random moments during writes, restarts them over the same folder, and counts the rows
 * of every batch. All cycles of a folder are checked together, because a later cycle must not lose rows of an earlier
 * one.
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
    // A killed process cannot save its compile cache, so one server first starts and stops normally.
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
