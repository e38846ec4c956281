import { checkpoint } from '../../../base/index.ts'
import type { MorselJob } from '../morsels/parallelism.ts'
import { MorselScheduler, type MorselOptions } from '../morsels/scheduler.ts'
import { countRemote, type RemoteScan, type ScanCounts } from './scan-task.ts'
import type { SegmentRange } from './segment-range.ts'
import type { ScanSource } from './source.ts'

/** The morsels of a scan, which are its ranges. */
export interface ScanMorsels<Part extends ScanCounts> extends Omit<
  MorselOptions<Part>,
  'query' | 'morselCount' | 'merge' | 'nowMs'
> {
  readonly source: ScanSource
  readonly ranges: readonly SegmentRange[]
  /** See `PartialResult.merge`. */
  readonly merge: (part: Part) => boolean
}

/**
 * Schedules the morsels of a scan. The task refers to the segments of `source` unless others are given; reads of other
 * threads are counted there.
 */
export function scanMorsels<Part extends ScanCounts>(options: ScanMorsels<Part>): MorselScheduler<Part> {
  const { source, ranges, merge } = options
  const { parallelism, end, query } = source.context
  return new MorselScheduler({
    ...options,
    query: { parallelism, budget: query.budget, end },
    morselCount: ranges.length,
    segments: options.segments ?? (() => source.segments),
    merge: (part, remote) => {
      if (!merge(part)) return false
      countRemote(source, part, remote)
      return true
    },
  })
}

/** An operator over a scan that takes morsels one by one. */
interface OverScan {
  /** Adds the rows of a morsel. */
  add(morsel: number): void
  /** See `PartialResult.export`. */
  export(): object | undefined
}

/** An operator of another thread's query over the same segments. */
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
    const part = this.#operator.export()
    return part && { ...part, ...this.#scan.counts() }
  }

  end(): Promise<void> {
    return this.#scan.end()
  }
}
