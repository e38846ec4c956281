import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, type Random } from '../../src/base/index.ts'
import { authorized, search, startServer } from './server-process.ts'

export interface KillReport {
  readonly cycles: number
  readonly acknowledgedBatches: number
  readonly acknowledgedRows: number
  /** Cycles that ended with a write nobody had answered. */
  readonly cyclesInFlight: number
  /** Writes nobody had answered at the kills, over all cycles. */
  readonly inFlightAtKills: number
  /** What is wrong, one line each; empty when nothing is. */
  readonly faults: readonly string[]
}

export interface KillOptions {
  readonly cycles: number
  readonly seed: number
  readonly writers: number
  /** False starts servers that keep nothing, to see that the check finds it. */
  readonly keeps?: boolean
  readonly print?: (line: string) => void
}

/** Cycles that share a data folder; afterwards a fresh one is taken, so that no check grows without end. */
const CYCLES_PER_FOLDER = 20

/** How long the first answer of a cycle is waited for. */
const FIRST_ANSWER_MS = 20_000

/** A batch that was sent, and whether its answer came. */
interface Sent {
  readonly rows: number
  isAcknowledged: boolean
}

function linesOf(batch: string, rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) =>
    JSON.stringify({ content: `row ${row} of ${batch}`, batch, row, level: 'info' }),
  )
  return lines.join('\n')
}

/** Every batch is there wholly and once, or, when it was not acknowledged, perhaps not at all. */
async function check(address: string, sent: ReadonlyMap<string, Sent>): Promise<string[]> {
  const faults: string[] = []
  const found = new Map<string, { readonly n: number; readonly different: number }>()
  for (const row of await search(address, '* | stats by (batch) count() n, count_uniq(row) different')) {
    found.set(String(row['batch']), { n: Number(row['n']), different: Number(row['different']) })
  }
  for (const [batch, { rows, isAcknowledged }] of sent) {
    const there = found.get(batch)
    if (there === undefined) {
      if (isAcknowledged) faults.push(`lost: the acknowledged batch ${batch} of ${rows} rows`)
    } else if (there.n !== rows || there.different !== rows) {
      const what = there.n > rows ? 'doubled' : 'torn'
      faults.push(`${what}: ${there.n} rows, ${there.different} different, of the ${rows} of batch ${batch}`)
    }
  }
  for (const batch of found.keys()) if (!sent.has(batch)) faults.push(`foreign: batch ${batch} was never sent`)
  return faults
}

/** Writes until the server is gone; true when an answer was still owed then. */
async function writer(address: string, name: string, random: Random, sent: Map<string, Sent>): Promise<boolean> {
  for (let i = 0; ; i++) {
    const batch = `${name}-${i}`
    const rows = 1 + random.below(200)
    const entry: Sent = { rows, isAcknowledged: false }
    const body = linesOf(batch, rows)
    sent.set(batch, entry)
    try {
      const response = await fetch(`${address}/api/ingest/logs`, {
        method: 'POST',
        headers: authorized({ 'Content-Type': 'application/x-ndjson' }),
        body,
      })
      const text = await response.text()
      if (response.status !== 200) throw new TypeError(text)
      entry.isAcknowledged = (JSON.parse(text) as { accepted: number }).accepted === rows
    } catch {
      return true
    }
  }
}

/**
 * Kills a server with SIGKILL at random moments while many write to it, starts it again over the same folder and counts
 * every batch. The cycles of one folder are checked together: nothing may get lost later either.
 */
export async function killCycles({
  cycles,
  seed,
  writers,
  keeps = true,
  print = () => {},
}: KillOptions): Promise<KillReport> {
  const random = seededRandom(seed)
  const faults: string[] = []
  let folder = ''
  let sent = new Map<string, Sent>()
  let acknowledgedBatches = 0
  let acknowledgedRows = 0
  let cyclesInFlight = 0
  let inFlightAtKills = 0
  const compiled = mkdtempSync(join(tmpdir(), 'sluice-compiled-'))
  const start = () => startServer(keeps ? ['--data', folder] : [], [], { NODE_COMPILE_CACHE: compiled })
  const verify = async (): Promise<void> => {
    const server = await start()
    faults.push(...(await check(server.address, sent)))
    await server.kill()
  }
  const finishFolder = async (): Promise<void> => {
    if (folder === '') return
    await verify()
    for (const { rows, isAcknowledged } of sent.values()) {
      if (!isAcknowledged) continue
      acknowledgedBatches++
      acknowledgedRows += rows
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    // Who is killed cannot keep what it compiled at its end: one server ends by itself.
    const first = await startServer([], [], { NODE_COMPILE_CACHE: compiled })
    await first.stop()
    for (let cycle = 0; cycle < cycles; cycle++) {
      if (cycle % CYCLES_PER_FOLDER === 0) {
        await finishFolder()
        folder = mkdtempSync(join(tmpdir(), 'sluice-kill-'))
        sent = new Map()
      }
      const server = await start()
      if (sent.size > 0) faults.push(...(await check(server.address, sent)))
      const known = new Set(sent.keys())
      const working = Array.from({ length: writers }, (_, i) =>
        writer(server.address, `${cycle}-${i}`, seededRandom(seed * 1_000_003 + cycle * 101 + i), sent),
      )
      // Where little gets done, the first answer is waited for: a cycle in which nothing was acknowledged checks nothing.
      const isAnswered = (): boolean => [...sent].some(([batch, entry]) => !known.has(batch) && entry.isAcknowledged)
      for (let waitedMs = 0; waitedMs < FIRST_ANSWER_MS && !isAnswered(); waitedMs += 10) await sleep(10)
      await sleep(random.below(400))
      const before = [...sent].filter(([batch, entry]) => !known.has(batch) && !entry.isAcknowledged).length
      inFlightAtKills += before
      await server.kill()
      const owed = await Promise.all(working)
      if (before > 0 && owed.includes(true)) cyclesInFlight++
      print(`cycle ${cycle + 1}: ${sent.size} batches sent so far, ${before} in flight, ${faults.length} faults`)
    }
    await finishFolder()
  } finally {
    rmSync(compiled, { recursive: true, force: true })
    if (folder !== '') rmSync(folder, { recursive: true, force: true })
  }
  return { cycles, acknowledgedBatches, acknowledgedRows, cyclesInFlight, inFlightAtKills, faults }
}
