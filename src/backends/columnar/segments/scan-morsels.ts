import { checkpoint } from '../../../base/index.ts'
import type { MorselJob } from '../morsels/parallelism.ts'
import { MorselScheduler, type MorselOptions } from '../morsels/scheduler.ts'
import { countRemote, type RemoteScan, type ScanCounts } from './scan-task.ts'
import type { SegmentRange } from './segment-range.ts'
import type { ScanSource } from './source.ts'

/** Options of `scanMorsels`. Each morsel is one range of the scan. */
export interface ScanMorsels<Exported extends ScanCounts> extends Omit<
  MorselOptions<Exported>,
  'query' | 'morselCount' | 'merge' | 'nowMs'
> {
  readonly source: ScanSource
  readonly ranges: readonly SegmentRange[]
  /** Merges the exported result of another thread; returns false when it does not fit (see `PartialResult.merge`). */
  readonly merge: (partial: Exported) => boolean
}

/**
 * Makes the scheduler for the morsels of a scan. The task refers to the segments of `source` unless `segments` is
 * given. Reads of other threads are added to the counters of `source`.
 */
export function scanMorsels<Exported extends ScanCounts>(options: ScanMorsels<Exported>): MorselScheduler<Exported> {
  const { source, ranges, merge } = options
  const { parallelism, end, query } = source.context
  return new MorselScheduler({
    ...options,
    query: { parallelism, budget: query.budget, end },
    morselCount: ranges.length,
    segments: options.segments ?? (() => source.segments),
    merge: (partial, remote) => {
      if (!merge(partial)) return false
      countRemote(source, partial, remote)
      return true
    },
  })
}

/** An operator that processes the morsels of a scan one by one. */
interface OverScan {
  /** Processes the rows of a morsel. */
  add(morsel: number): void
  /** Returns the result so far as plain data for another thread (see `PartialResult.export`). */
  export(): object | undefined
}

/** Runs an operator over the morsels of another thread's query, over the same segments. */
export class ScanJob implements MorselJob {
  readonly #scan: RemoteScan
  readonly #operator: OverScan

  constructor(scan: RemoteScan, operator: OverScan) {
    this.#scan = scan
    this.#operator = operator
  }

  run(next: () => number | undefined): void {
    for (let morsel = next(); morsel !== undefined; morsel = next()) {
      this.#operator.add(morsel)
      checkpoint()
    }
  }

  export(): ScanCounts | undefined {
    const partial = this.#operator.export()
    return partial && { ...partial, ...this.#scan.counts() }
  }

  end(): Promise<void> {
    return this.#scan.end()
  }
}
