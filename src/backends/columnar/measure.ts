import type { BlockReads } from '../../base/index.ts'
import type { ExplainMeasure } from '../../plan/index.ts'

/** The measured work of one node during a run. */
export class OperatorMeasure {
  rows = 0
  milliseconds = 0
  /** Sentences about decisions during the run, for `explain`. */
  readonly notes: string[] = []
  readonly #counters = new Map<string, number>()

  count(name: string, amount: number): void {
    this.#counters.set(name, (this.#counters.get(name) ?? 0) + amount)
  }

  /** Returns the values of all counters so far, by name. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counters
  }

  /** Adds the block reads between two snapshots. Includes reads of the node's inputs, as `milliseconds` does. */
  readSince(before: BlockReads, now: BlockReads): void {
    if (now.blocks > before.blocks) {
      this.count('blocksFromDisk', now.blocks - before.blocks)
      this.count('bytesFromDisk', now.bytes - before.bytes)
    }
    if (now.hits > before.hits) {
      this.count('partsFromCache', now.hits - before.hits)
      this.count('bytesFromCache', now.hitBytes - before.hitBytes)
    }
  }

  snapshot(): ExplainMeasure {
    return { rows: this.rows, milliseconds: this.milliseconds, counters: Object.fromEntries(this.#counters) }
  }
}
