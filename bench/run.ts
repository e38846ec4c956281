import { createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayStartNs, jsonLineChunks, readBodies, traceId, type DatasetOptions } from './datasets.ts'
import { composite, medianMs, ratio } from './measure.ts'
import { firstDifference, normalizeRows, type PlainRow } from './peers/normalize.ts'
import type { BoundQuestion, Peer } from './peers/peer.ts'
import { questions, type Question } from './questions.ts'

/** The generated rows that questions are about. */
export interface DataSet {
  readonly rows: number
  /** 1 unless given. */
  readonly seed?: number
  /** A log file whose lines are every second message; none unless given. */
  readonly bodies?: string | undefined
}

export interface BenchOptions extends Required<DataSet> {
  readonly only: readonly string[]
  readonly peers: readonly string[]
  /** Milliseconds spent per question and peer. */
  readonly budgetMs: number
  readonly out: string | undefined
  readonly baseline: string | undefined
  readonly print: (line: string) => void
}

export interface BenchResult {
  readonly rows: number
  readonly seed: number
  readonly node: string
  readonly loadSeconds: Readonly<Record<string, number>>
  readonly medians: Readonly<Record<string, Readonly<Record<string, number>>>>
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

async function makePeer(name: string, file: string, options: BenchOptions): Promise<Peer> {
  switch (name) {
    case 'columnar':
      return (await import('./peers/columnar.ts')).columnarPeer(file)
    case 'sqlite':
      return (await import('./peers/sqlite.ts')).sqlitePeer(datasetOf(options))
    case 'duckdb':
      return (await import('./peers/duckdb.ts')).duckdbPeer(file)
    case 'sqlite-by-hand':
      return (await import('./peers/sqlite-by-hand.ts')).sqliteByHandPeer(file)
    default:
      throw new Error(`There is no peer ${name}.`)
  }
}

function printTable(options: BenchOptions, peers: readonly string[], medians: BenchResult['medians']): void {
  options.print(
    `${'id'.padEnd(5)}${peers.map((name) => name.padStart(16)).join('')}   ${peers
      .slice(1)
      .map((name) => `${name}/${peers[0]}`.padStart(26))
      .join('')}  question`,
  )
  for (const question of questions) {
    const times = medians[question.id]
    if (times === undefined) continue
    const cells = peers.map((name) => times[name].toFixed(3).padStart(16))
    const ratios = peers.slice(1).map((name) => `${ratio(times[peers[0]], times[name]).toFixed(2)}x`.padStart(26))
    options.print(`${question.id.padEnd(5)}${cells.join('')}   ${ratios.join('')}  ${question.title}`)
  }
  const own = Object.values(medians).map((times) => times[peers[0]])
  for (const name of peers.slice(1)) {
    const value = composite(
      own,
      Object.values(medians).map((times) => times[name]),
    )
    options.print(`composite ${name}/${peers[0]}: ${value.toFixed(2)} (geometric mean of (t + 0.1 ms) ratios)`)
  }
}

/** Loads every peer, compares the answers row by row, then times the questions. */
export async function runBench(options: BenchOptions): Promise<BenchResult> {
  const file = await dataFile(options)
  const peers: Peer[] = []
  const loadSeconds: Record<string, number> = {}
  for (const name of options.peers) {
    const peer = await makePeer(name, file, options)
    loadSeconds[name] = await peer.load()
    options.print(`${name}: loaded ${options.rows} rows in ${loadSeconds[name].toFixed(2)} s`)
    peers.push(peer)
  }
  const medians: Record<string, Record<string, number>> = {}
  const differences: string[] = []
  for (const question of questions.filter((q) => options.only.length === 0 || options.only.includes(q.id))) {
    const bound = bind(question, options)
    const times: Record<string, number> = {}
    let expected: { readonly name: string; readonly rows: readonly PlainRow[] } | undefined
    for (const peer of peers) {
      const run = await peer.prepare(bound)
      const rows = normalizeRows(await run())
      if (expected === undefined) expected = { name: peer.name, rows }
      else {
        const difference = firstDifference(expected.rows, rows)
        if (difference !== undefined)
          differences.push(`${question.id}: ${expected.name} and ${peer.name} differ: ${difference}`)
      }
      times[peer.name] = await medianMs(run, options.budgetMs)
    }
    medians[question.id] = times
  }
  for (const peer of peers) await peer.close()
  printTable(options, options.peers, medians)
  for (const difference of differences) options.print(`DIFFERENCE ${difference}`)
  const result: BenchResult = {
    rows: options.rows,
    seed: options.seed,
    node: process.version,
    loadSeconds,
    medians,
    differences,
  }
  if (options.out !== undefined) writeFileSync(options.out, `${JSON.stringify(result, null, 2)}\n`)
  return result
}

/** Questions that became slower against the baseline, relative to the first peer they share. */
export function regressions(result: BenchResult, baselineFile: string, tolerance = 1.3): readonly string[] {
  const baseline = JSON.parse(readFileSync(baselineFile, 'utf8')) as BenchResult
  const found: string[] = []
  for (const [id, times] of Object.entries(result.medians)) {
    const before = baseline.medians[id]
    if (before === undefined) continue
    const [own, peer] = Object.keys(times)
    if (peer === undefined || before[peer] === undefined) continue
    const now = ratio(times[own], times[peer])
    const then = ratio(before[own], before[peer])
    if (now * tolerance < then) found.push(`${id}: ${then.toFixed(2)}x ${peer} before, ${now.toFixed(2)}x now`)
  }
  return found
}
