import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SluiceError, present, seededRandom } from '../../../src/base/index.ts'
import { sqliteBackend } from '../../../src/backends/sql/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { standardCatalog } from '../../../src/store/index.ts'
import { openSqlite, sqliteTelemetry } from '../../../src/store/sqlite/index.ts'
import { Caller } from '../attacks/attack.ts'
import { logAttacks } from '../attacks/list/logs.ts'
import { metricAttacks } from '../attacks/list/metrics.ts'
import { Setting, hostileKey } from '../attacks/service.ts'
import { childrenOf } from '../../harness/children-of.ts'
import type { Rounds } from '../run.ts'
import { ProcessorUse, processorMsOf } from './processor.ts'

export interface CancelOptions {
  readonly more: Rounds
  readonly seed: number
}

export interface CancelRequestOptions extends CancelOptions {
  /** Prefixes of the names of the queries to run. */
  readonly only: readonly string[]
  /** True if the output of `npm run build` runs instead of the source. */
  readonly isPacked: boolean
}

/** Processor time that a query caused after it was cancelled. */
export interface Cancelled {
  readonly name: string
  /** Milliseconds of processor time from the cancel until the process is idle again. */
  readonly usedMs: number
  /** The part of `usedMs` later than 50 ms after the cancel. */
  readonly lateMs: number
  /** `usedMs` by the name of the thread. */
  readonly byThread: ReadonlyMap<string, number>
}

/** Number of log rows in the service. */
const ROWS = 200_000
const STEP_MS = 10
/** The process counts as idle after this many consecutive steps in which it used less than a tenth of the time. */
const CALM_STEPS = 4
const MAX_MS = 5000
/** Longest time in milliseconds from sending a query to cancelling it. */
const MAX_RUN_MS = 250

const LATE_MS = 50

/**
 * Waits until the process is idle. Returns the processor time that it used until its last busy step, and the part of it
 * that is late.
 */
async function usedUntilCalm(usedMs: () => number): Promise<Pick<Cancelled, 'usedMs' | 'lateMs'>> {
  const startMs = usedMs()
  const lateFromMs = performance.now() + LATE_MS
  let onTimeMs: number | undefined
  let calm = 0
  let lastBusyMs = startMs
  for (let waitedMs = 0; calm < CALM_STEPS && waitedMs < MAX_MS; waitedMs += STEP_MS) {
    const before = usedMs()
    await sleep(STEP_MS)
    const after = usedMs()
    if (performance.now() >= lateFromMs) onTimeMs ??= after
    if (after - before < STEP_MS / 10) calm++
    else {
      calm = 0
      lastBusyMs = after
    }
  }
  return { usedMs: lastBusyMs - startMs, lateMs: Math.max(0, lastBusyMs - (onTimeMs ?? lastBusyMs)) }
}

/**
 * Sends the attacks' queries to a service and cancels each by closing the connection. Returns the processor time used
 * after each cancel.
 */
export async function cancelRequests({
  more,
  seed,
  only,
  isPacked,
}: CancelRequestOptions): Promise<readonly Cancelled[]> {
  const random = seededRandom(seed)
  const setting = new Setting(ROWS, [], isPacked)
  const questions = [...logAttacks, ...metricAttacks].filter(
    ({ name, isOne }) => isOne === true && only.some((part) => name.startsWith(part)),
  )
  const found: Cancelled[] = []
  await setting.prepare()
  const service = await setting.start()
  try {
    const use = new ProcessorUse(service.pid)
    await usedUntilCalm(() => use.totalMs())
    for (let i = 0; more(i); i++) {
      const { name, run } = present(questions[i % questions.length])
      const ending = new AbortController()
      const caller = new Caller(service, hostileKey, ending.signal)
      const asked = run(caller)
      await sleep(10 + random.below(MAX_RUN_MS))
      const wasAnswered = caller.outcomes.size > 0
      ending.abort()
      caller.close()
      const before = use.byThread()
      const used = await usedUntilCalm(() => use.totalMs())
      const byThread = new Map([...use.byThread()].map(([thread, ms]) => [thread, ms - (before.get(thread) ?? 0)]))
      await asked
      // A query that was answered before the cancel measures nothing.
      if (!wasAnswered) found.push({ name, ...used, byThread })
    }
  } finally {
    await service.process.kill()
    setting.remove()
  }
  return found
}

/**
 * Cancels SQLite statements that would take hours, which run in separate processes. Returns the processor time used
 * after each cancel.
 */
export async function cancelStatements({ more, seed }: CancelOptions): Promise<readonly Cancelled[]> {
  const random = seededRandom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-cancels-'))
  const connection = await openSqlite(join(folder, 'logs.db'), { durability: 'normal' })
  const telemetry = sqliteTelemetry(connection, standardCatalog)
  telemetry.append(
    'logs',
    Array.from({ length: 2000 }, (_, i) => ({
      timeNs: BigInt(i),
      sequence: i,
      row: new Map([['content', `row ${i}`]]),
    })),
  )
  const backend = sqliteBackend(telemetry, standardFunctions, { mode: 'child', processes: 1 })
  const engine = createEngine({ backends: [backend] })
  const query =
    '* | fields content | join by () (* | fields content) cross | join by () (* | fields content) cross | filter content:~"never so" | stats count() as n'
  const found: Cancelled[] = []
  try {
    for (let i = 0; more(i); i++) {
      // Resolves once the process that replaces the killed one is ready. Its start must not count towards the next
      // cancelled query.
      await engine.query('* | limit 1').toArray()
      const ending = new AbortController()
      const asked = engine
        .query(query, { signal: ending.signal })
        .toArray()
        .catch((error: unknown) => {
          if (!(error instanceof SluiceError) || error.code !== 'budget/cancelled') throw error
        })
      await sleep(50 + random.below(MAX_RUN_MS))
      const before = new Map(childrenOf(process.pid).map((pid) => [pid, processorMsOf(pid)]))
      ending.abort()
      const lateFromMs = performance.now() + LATE_MS
      const used = new Map<number, number>()
      const onTime = new Map<number, number>()
      for (let waitedMs = 0; waitedMs < 200; waitedMs += STEP_MS) {
        await sleep(STEP_MS)
        const isLate = performance.now() >= lateFromMs
        for (const [pid, ms] of before) {
          used.set(pid, Math.max(used.get(pid) ?? 0, processorMsOf(pid) - ms))
          if (!isLate) onTime.set(pid, used.get(pid) ?? 0)
        }
      }
      await asked
      found.push({
        name: 'cross join in SQLite',
        usedMs: Math.max(0, ...used.values()),
        lateMs: Math.max(0, ...[...used].map(([pid, ms]) => ms - (onTime.get(pid) ?? 0))),
        byThread: new Map(),
      })
    }
  } finally {
    await backend.close()
    connection.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return found
}

/** Returns the smallest value such that at least this share of the values is not larger. */
export function quantileOf(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0
}
