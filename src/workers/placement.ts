import type { CallerCosts } from './caller-costs.ts'
import type { FairQueue } from './fair-queue.ts'
import type { Job } from './job.ts'
import { cores } from './thread.ts'
import type { WorkerSlot } from './worker-slot.ts'
import type { Workers } from './workers.ts'

/** The share of the ordinary workers that one caller may occupy. */
const MAX_SHARE = 0.75

export interface JobLimits {
  readonly runningJobs: number
  readonly runningJobsPerKey: number
  readonly maxWorkers: number
}

/**
 * Chooses the worker for one job by the numbered policy of the folder's README (2, 4 and 8). It uses a snapshot of the
 * workers, so every choice needs a new instance.
 */
export class WorkerPlacement {
  readonly #workers: Workers
  readonly #queue: FairQueue<Job>
  readonly #costs: CallerCosts
  readonly #limits: JobLimits
  readonly #ordinary: readonly WorkerSlot[]
  /**
   * The free ordinary worker with the fewest streams. Few streams are best, since streams end early if their worker is
   * lost.
   */
  readonly #free: WorkerSlot | undefined
  readonly #hasFreeCore: boolean

  constructor(workers: Workers, queue: FairQueue<Job>, costs: CallerCosts, limits: JobLimits) {
    this.#workers = workers
    this.#queue = queue
    this.#costs = costs
    this.#limits = limits
    this.#ordinary = workers.ordinary
    this.#free = this.#ordinary.filter(isFree).toSorted((a, b) => a.jobs.size - b.jobs.size)[0]
    this.#hasFreeCore = workers.active < cores()
  }

  /** Returns the worker for a job; `undefined` when the job has to wait. */
  slotFor({ key, wasLong, given: { port } }: Job): WorkerSlot | undefined {
    const { runningJobs, runningJobsPerKey } = this.#limits
    if (this.#workers.running >= runningJobs || this.#queue.runningOf(key) >= runningJobsPerKey) return undefined
    if (port !== undefined) return this.#forBackground(key)
    const free = this.#mayHoldAnother(key) ? this.#free : undefined
    if (free !== undefined && this.#hasFreeCore) return free
    const { reserved } = this.#workers
    const mayUseReserved = !wasLong && (this.#isShort(key) || (free === undefined && this.#isNew(key)))
    return reserved !== undefined && isFree(reserved) && mayUseReserved ? reserved : free
  }

  /**
   * Returns the worker for a background job; at most one such job runs at a time. It may be a worker that is still
   * loading the modules for other jobs.
   */
  #forBackground(key: string): WorkerSlot | undefined {
    if (this.#queue.runningOf(key) > 0) return undefined
    return this.#ordinary.find((slot) => slot.isStarted && slot.active === undefined)
  }

  #mayHoldAnother(key: string): boolean {
    const held = this.#ordinary.filter(({ active }) => active?.key === key).length
    return held === 0 || held < Math.floor((this.#limits.maxWorkers - 1) * MAX_SHARE)
  }

  /** True if a caller is unknown and has no running job. */
  #isNew(key: string): boolean {
    return !this.#costs.isKnown(key) && this.#queue.runningOf(key) === 0
  }

  /** True if the recent jobs of a caller were short and none of its running jobs is long. */
  #isShort(key: string): boolean {
    return this.#costs.isShort(key) && !this.#workers.hasLongOf(key)
  }
}

function isFree({ isReady, active }: WorkerSlot): boolean {
  return isReady && active === undefined
}
