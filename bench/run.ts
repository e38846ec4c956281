import { createWriteStream, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayStartNs, jsonLineChunks, readBodies, traceId, type DatasetOptions } from './datasets.ts'
import { Child, type Crash } from './child-process.ts'
import { ratio } from './measure.ts'
import type { ChildAnswer, ChildOptions, ChildQuestion } from './peers/child.ts'
import type { PeerName } from './peers/index.ts'
import { firstDifference, normalizeRows, type PlainRow } from './peers/normalize.ts'
import type { BoundQuestion, PeerBytes } from './peers/peer.ts'
import { questions, type Question } from './questions.ts'

/** The generated rows. */
export interface DataSet {
  readonly rows: number
  /** The seed of the generator; 1 by default. */
  readonly seed?: number
  /** A log file whose lines are used as every second message; none by default. */
  readonly bodies?: string | undefined
}

export interface BenchOptions extends Required<DataSet> {
  readonly only: readonly string[]
  readonly peers: readonly PeerName[]
  /** The number of threads of our engine. */
  readonly threads: number
  readonly peerThreads: number
  readonly python: string | undefined
  readonly logs: string | undefined
  /**
   * True if each peer answers all questions before the next one is loaded, so that only one holds its data at a time.
   */
  readonly isOneByOne: boolean
  /** The time in milliseconds for each question and peer. */
  readonly budgetMs: number
  readonly print: (line: string) => void
}

type ByPeer<T> = Readonly<Record<string, T>>

export interface BenchResult {
  readonly rows: number
  readonly seed: number
  readonly node: string
  readonly threads: number
  readonly peerThreads: number
  readonly loadSeconds: ByPeer<number>
  /** Memory and disk use after loading. */
  readonly bytes: ByPeer<PeerBytes>
  /** Warm median milliseconds by question and peer, for equal answers only. */
  readonly medians: Readonly<Record<string, ByPeer<number>>>
  /** Milliseconds of the first run, from the text to the last row. */
  readonly firstMs: Readonly<Record<string, ByPeer<number>>>
  readonly differences: readonly string[]
}

function datasetOf({ rows, seed = 1, bodies }: DataSet): DatasetOptions {
  return { rows, seed, bodies: bodies === undefined ? [] : readBodies(bodies) }
}

export async function dataFile(of: DataSet): Promise<string> {
  const { rows, seed = 1, bodies } = of
  const folder = join(tmpdir(), 'sluice-bench')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `logs-${rows}-${seed}${bodies === undefined ? '' : '-bodies'}.ndjson`)
  if (existsSync(`${file}.done`)) return file
  const out = createWriteStream(file)
  for (const chunk of jsonLineChunks(datasetOf(of))) {
    if (!out.write(chunk)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  writeFileSync(`${file}.done`, '')
  return file
}

function clockNs(clock: string): bigint {
  const [hour, minute] = clock.split(':').map(Number)
  return dayStartNs + BigInt(hour * 3600 + minute * 60) * 1_000_000_000n
}

export function bind(question: Question, { rows, seed = 1 }: DataSet): BoundQuestion {
  const [from, to] = question.range ?? ['00:00', '24:00']
  return {
    question,
    page: Math.floor(rows / 100),
    trace: traceId(seed, 17 % Math.max(1, Math.floor(rows / 4))),
    fromNs: clockNs(from),
    toNs: clockNs(to),
  }
}

class PeerProcess {
  readonly name: PeerName
  readonly #child: Child<ChildAnswer>

  constructor(name: PeerName, options: ChildOptions) {
    this.name = name
    this.#child = new Child(join(import.meta.dirname, 'peers/child.ts'), options)
  }

  /** Throws when the data cannot be loaded. */
  async loaded(): Promise<Extract<ChildAnswer, { kind: 'loaded' }>> {
    const told = await this.#child.next()
    if (told.kind === 'loaded') return told
    throw new Error(`${this.name} did not load: ${told.kind === 'crashed' ? told.how : JSON.stringify(told)}`)
  }

  ask(question: ChildQuestion): Promise<ChildAnswer | Crash> {
    return this.#child.ask(question)
  }

  stop(): Promise<void> {
    return this.#child.stop()
  }
}

/** Collects the times of a run, question by question. */
class Gathered {
  readonly loadSeconds: Record<string, number> = {}
  readonly bytes: Record<string, PeerBytes> = {}
  readonly medians: Record<string, Record<string, number>> = {}
  readonly firstMs: Record<string, Record<string, number>> = {}
  readonly differences: string[] = []
  readonly #options: BenchOptions
  /** The first peer's answer to each question, with which the others are compared. */
  readonly #expected = new Map<string, { readonly peer: PeerName; readonly rows: readonly PlainRow[] }>()

  constructor(options: BenchOptions) {
    this.#options = options
  }

  async start(name: PeerName, file: string): Promise<PeerProcess> {
    const { rows, seed, bodies, threads, peerThreads, python, logs } = this.#options
    const told = { file, rows, seed, bodies, threads, peerThreads, python, logs }
    const process = new PeerProcess(name, { peer: name, ...told })
    const { seconds, bytes } = await process.loaded()
    this.loadSeconds[name] = seconds
    this.bytes[name] = bytes
    this.#options.print(`${name}: loaded ${rows} rows in ${seconds.toFixed(2)} s`)
    return process
  }

  /** Runs a question on a peer and compares the answer; only a right answer is timed. */
  async ask(question: Question, peer: PeerProcess): Promise<void> {
    const { id } = question
    const told = await peer.ask({ kind: 'ask', bound: bind(question, this.#options) })
    if (told.kind === 'unasked') return
    if (told.kind !== 'answered') return this.#broke(`${id}: ${peer.name} gave no answer: ${JSON.stringify(told)}`)
    const rows = normalizeRows(told.rows)
    const expected = this.#expected.get(id)
    const difference = expected === undefined ? undefined : firstDifference(expected.rows, rows)
    if (expected === undefined) this.#expected.set(id, { peer: peer.name, rows })
    else if (difference !== undefined)
      return this.#broke(`${id}: ${expected.peer} and ${peer.name} differ: ${difference}`)
    const timed = await peer.ask({ kind: 'time', budgetMs: this.#options.budgetMs })
    if (timed.kind !== 'timed') return this.#broke(`${id}: ${peer.name} was not timed: ${JSON.stringify(timed)}`)
    ;(this.firstMs[id] ??= {})[peer.name] = told.firstMs
    ;(this.medians[id] ??= {})[peer.name] = timed.medianMs
  }

  #broke(difference: string): void {
    this.differences.push(difference)
  }

  result(): BenchResult {
    const { rows, seed, threads, peerThreads } = this.#options
    const { loadSeconds, bytes, medians, firstMs, differences } = this
    return {
      rows,
      seed,
      node: process.version,
      threads,
      peerThreads,
      loadSeconds,
      bytes,
      medians,
      firstMs,
      differences,
    }
  }
}

/** Loads every peer in a process of its own, compares the answers row by row, then times the questions. */
export async function runBench(options: BenchOptions): Promise<BenchResult> {
  const file = await dataFile(options)
  const asked = questions.filter(({ id }) => options.only.length === 0 || options.only.includes(id))
  const gathered = new Gathered(options)
  // The peers of a group hold their data at the same time, and take turns with each question.
  const groups = options.isOneByOne ? options.peers.map((name) => [name]) : [options.peers]
  for (const names of groups) {
    const running: PeerProcess[] = []
    try {
      for (const name of names) running.push(await gathered.start(name, file))
      for (const question of asked) for (const peer of running) await gathered.ask(question, peer)
    } finally {
      for (const peer of running) await peer.stop()
    }
  }
  return gathered.result()
}

/**
 * Maximum slowdown of a question relative to a peer, as a factor. A busy machine may slow down one of both to half its
 * speed.
 */
const SLOWER_QUESTION = 3
/**
 * Maximum slowdown of the geometric mean of all questions. It is stricter than the limit for one question, because
 * measurement noise averages out.
 */
const SLOWER_MEAN = 1.5

/**
 * Returns what became slower than in a baseline, relative to the first peer that both results have: single questions, and
 * the geometric mean of all. Ratios of one run are compared, so the machine may be another one.
 */
export function regressions(result: BenchResult, baseline: BenchResult): readonly string[] {
  const found: string[] = []
  const changes: number[] = []
  let than = ''
  for (const [id, times] of Object.entries(result.medians)) {
    const before = baseline.medians[id]
    const [own, ...others] = Object.keys(times)
    const peer = others.find((name) => before?.[name] !== undefined)
    if (before === undefined || peer === undefined) continue
    than = peer
    const now = ratio(times[own], times[peer])
    const then = ratio(before[own], before[peer])
    changes.push(Math.log(then / now))
    if (then / now > SLOWER_QUESTION) found.push(`${id}: ${then.toFixed(2)}x ${peer} before, ${now.toFixed(2)}x now`)
  }
  if (changes.length === 0) return ['no question of this run is in the baseline']
  const mean = Math.exp(changes.reduce((sum, change) => sum + change, 0) / changes.length)
  if (mean > SLOWER_MEAN) found.push(`all questions: ${mean.toFixed(2)} times slower relative to ${than} than before`)
  return found
}
