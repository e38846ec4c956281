import { POLL_MS, runCooperatively } from '../../base/index.ts'
import { lastNsOf, samplesTable } from '../../store/index.ts'
import { AGE_PARTS, IdleTailSealer, RETENTION_CHECK_MS, type Retention } from '../../store/persistence/index.ts'
import type { IngestTarget } from './decoder.ts'

/**
 * Retention of an in-memory store: drops expired segments and packed sample files as a whole, as in a data folder. A
 * tail that fills slowly is sealed after a fraction of the retention time.
 */
export class MemoryRetention {
  readonly #targets: ReadonlyMap<string, IngestTarget>
  readonly #ageNs: Retention['ageNs']
  readonly #nowNs: () => bigint
  readonly #agings = new Map<unknown, IdleTailSealer>()
  #frozenNs: bigint
  /** Number of dropped segments and sample files. */
  expiredSegments = 0

  constructor(
    targets: ReadonlyMap<string, IngestTarget>,
    { ageNs, nowNs }: Pick<Retention, 'ageNs'> & { readonly nowNs: () => bigint },
  ) {
    this.#targets = targets
    this.#ageNs = ageNs
    this.#nowNs = nowNs
    this.#frozenNs = nowNs()
  }

  /**
   * Calls `expire` periodically, and `onChange` after `expire` dropped something. The returned function stops the
   * calls. Does not keep the process alive.
   */
  start(onChange: () => void): () => void {
    const checksMs = [...this.#ageNs.values()].map((ageNs) => Number(ageNs / AGE_PARTS / 1_000_000n))
    const everyMs = Math.max(POLL_MS, Math.min(RETENTION_CHECK_MS, ...checksMs))
    let isLooking = false
    const check = async (): Promise<void> => {
      if (isLooking) return
      isLooking = true
      try {
        if (await this.expire()) onChange()
      } finally {
        isLooking = false
      }
    }
    const timer = setInterval(() => void check(), everyMs).unref()
    return () => clearInterval(timer)
  }

  /** Drops expired data; returns true if there was any. */
  async expire(): Promise<boolean> {
    const before = this.expiredSegments
    const nowNs = this.#nowNs()
    for (const target of this.#targets.values()) {
      await this.#expireRows(target, nowNs)
      this.#expireSamples(target, nowNs)
    }
    return this.expiredSegments > before
  }

  async #expireRows({ store }: IngestTarget, nowNs: bigint): Promise<void> {
    for (const table of store.memoryTables.values()) {
      const ageNs = this.#ageNs.get(table.definition.name)
      if (ageNs === undefined) continue
      const aging = this.#agings.get(table) ?? new IdleTailSealer()
      this.#agings.set(table, aging)
      aging.seal(table.tails, ageNs, nowNs)
      await runCooperatively(table.sealer.sealFull())
      const gone = table.segments.all.filter((segment) => lastNsOf(segment) < nowNs - ageNs)
      if (gone.length === 0) continue
      table.segments.replace(new Set(gone), [])
      this.expiredSegments += gone.length
    }
  }

  #expireSamples({ packer }: IngestTarget, nowNs: bigint): void {
    const ageNs = this.#ageNs.get(samplesTable.name)
    if (ageNs === undefined || packer === undefined) return
    if (nowNs - this.#frozenNs >= ageNs / AGE_PARTS) {
      this.#frozenNs = nowNs
      packer.freezeColumns()
    }
    for (;;) {
      const { oldestMs } = packer
      if (oldestMs === undefined || BigInt(oldestMs) * 1_000_000n >= nowNs - ageNs) return
      packer.dropOldest()
      this.expiredSegments++
    }
  }
}
