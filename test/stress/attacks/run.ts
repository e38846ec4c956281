import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Caller, type Attack } from './attack.ts'
import type { CatalogKind } from './catalogs.ts'
import { Setting, familyOf, hostileKey, type Service } from './service.ts'
import type { Testimony, WitnessData } from './witness.ts'

export interface AttackResult extends Testimony {
  readonly name: string
  readonly catalog: CatalogKind | undefined
  readonly outcomes: ReadonlyMap<string, number>
  readonly isAlive: boolean
  /**
   * Milliseconds from the end of the attack until `/healthz` answered quickly again; Infinity if that took longer than
   * `RECOVERY_MS`.
   */
  readonly recoveryMs: number
  /**
   * For an attack of a single request: milliseconds from its deadline to the end of its answer. 0 if the answer was in
   * time or was cut off earlier.
   */
  readonly lateMs: number
  /** Milliseconds of processor time that the service used between the end of the attack and its recovery. */
  readonly processorMsAfter: number
}

export interface RunOptions {
  readonly attacks: readonly Attack[]
  readonly rows: number
  /** Milliseconds after which each attack is aborted, unless it is one of the slowest or largest. */
  readonly attackMs: number
  /** Time limit of a query in the service, in milliseconds. */
  readonly timeoutMs: number
  /** Additional arguments of `serve`. */
  readonly serving?: readonly string[]
  readonly ceilingBytes: number
  /**
   * True to start a new service for each attack, so that its peak does not include memory left by the previous one.
   */
  readonly isFresh?: boolean
  /** True to run the output of `npm run build` instead of the source. */
  readonly isPacked?: boolean
  readonly onResult?: (result: AttackResult) => void
}

const RECOVERY_MS = 5000
const CALM_MS = 100
const CALM_TIMES = 4
/** A service that holds this many bytes more than at its start is replaced before the next attack. */
const KEPT_BYTES = 400 * 2 ** 20
const TICK_MS = 10

function processorMsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}

/**
 * Number of the witness's beats between two light queries if a catalog holds the rows. Light queries are rarer then,
 * because a database needs much more time for one than the service's own memory tables.
 */
const LIGHT_BEATS_OF_CATALOGS = 10

class Stage {
  readonly service: Service
  readonly #witness: ChildProcess
  firstBytes = 0

  constructor(service: Service, ceilingBytes: number, catalog: CatalogKind | undefined) {
    this.service = service
    const lightBeats = catalog === undefined ? 1 : LIGHT_BEATS_OF_CATALOGS
    const data: WitnessData = { pid: service.pid, address: service.address, ceilingBytes, lightBeats }
    this.#witness = fork(join(import.meta.dirname, 'witness.ts'), [JSON.stringify(data)])
  }

  /** Resolves with this object once the witness process is measuring. */
  async ready(): Promise<this> {
    await once(this.#witness, 'message')
    return this
  }

  get isAlive(): boolean {
    const { exitCode, signalCode } = this.service.process.child
    return exitCode === null && signalCode === null
  }

  /** User and system time in milliseconds that the service and its child processes have used so far. */
  get processorMs(): number {
    return familyOf(this.service.pid).reduce((sum, pid) => sum + processorMsOf(pid), 0)
  }

  begin(): void {
    this.#witness.send('begin')
  }

  async end(): Promise<Testimony> {
    this.#witness.send('end')
    const [testimony] = (await once(this.#witness, 'message')) as [Testimony]
    return testimony
  }

  /**
   * Waits until `/healthz` has answered quickly `CALM_TIMES` times in a row. Resolves with the milliseconds that it
   * took; Infinity after `RECOVERY_MS`.
   */
  async recover(): Promise<number> {
    const startedMs = performance.now()
    let calm = 0
    while (calm < CALM_TIMES && this.isAlive && performance.now() - startedMs < RECOVERY_MS) {
      const askedMs = performance.now()
      const isOk = await fetch(`${this.service.process.address}/healthz`, { signal: AbortSignal.timeout(RECOVERY_MS) })
        .then(async (response) => (await response.text()) !== '')
        .catch(() => false)
      calm = isOk && performance.now() - askedMs < CALM_MS ? calm + 1 : 0
      await sleep(20)
    }
    return calm < CALM_TIMES ? Infinity : performance.now() - startedMs
  }

  async close(): Promise<void> {
    this.#witness.kill()
    await this.service.process.kill()
  }
}

/** Milliseconds that an attack runs beyond its deadline, so that late answers are measured. */
const BEYOND_MS = 2000

async function attackOn(stage: Stage, attack: Attack, options: RunOptions): Promise<AttackResult> {
  const { timeoutMs } = options
  const attackMs = attack.isWorst === true ? timeoutMs + BEYOND_MS : options.attackMs
  stage.begin()
  const ending = new AbortController()
  const caller = new Caller(stage.service, hostileKey, ending.signal)
  const timer = setTimeout(() => ending.abort(), attackMs)
  const onExit = (): void => ending.abort()
  stage.service.process.child.once('exit', onExit)
  await attack.run(caller).catch((error: unknown) => {
    if (!ending.signal.aborted) throw error
  })
  clearTimeout(timer)
  ending.abort()
  caller.close()
  stage.service.process.child.off('exit', onExit)
  const usedMs = stage.processorMs
  const recoveryMs = await stage.recover()
  const processorMsAfter = Math.max(0, stage.processorMs - usedMs)
  const testimony = await stage.end()
  return {
    ...testimony,
    name: attack.name,
    catalog: attack.catalog,
    outcomes: caller.outcomes,
    isAlive: stage.isAlive,
    recoveryMs,
    lateMs: attack.isOne === true ? Math.max(0, caller.longestMs - timeoutMs) : 0,
    processorMsAfter,
  }
}

/**
 * Runs attacks in turn against a service, which is replaced if an attack has broken it. Returns one result per attack.
 */
export async function runAttacks(options: RunOptions): Promise<readonly AttackResult[]> {
  const { attacks, rows, timeoutMs, serving = [], ceilingBytes, isFresh = false, isPacked = false, onResult } = options
  const setting = new Setting(rows, ['--timeout', `${timeoutMs}ms`, ...serving], isPacked)
  const results: AttackResult[] = []
  let stage: Stage | undefined
  let catalog: CatalogKind | undefined
  try {
    await setting.prepare()
    for (const attack of attacks) {
      if (attack.catalog !== catalog) {
        await stage?.close()
        stage = undefined
      }
      if (stage === undefined) {
        catalog = attack.catalog
        stage = await new Stage(await setting.start(catalog), ceilingBytes, catalog).ready()
        // The service compiles the code of its first queries, which would distort the measurement.
        await sleep(300)
        await stage.recover()
      }
      const result = await attackOn(stage, attack, options)
      results.push(result)
      onResult?.(result)
      stage.firstBytes ||= result.startBytes
      const isSpoilt =
        isFresh ||
        !result.isAlive ||
        attack.leavesData === true ||
        result.recoveryMs === Infinity ||
        result.peakBytes - stage.firstBytes > KEPT_BYTES
      if (isSpoilt) {
        await stage.close()
        stage = undefined
      }
    }
  } finally {
    await stage?.close()
    setting.remove()
  }
  return results
}
