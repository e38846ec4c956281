import type { WorkerSlot } from './worker-slot.ts'

export interface WorkerCounts {
  /** The number of permanent ordinary workers. */
  readonly workers: number
  /** True if there is also a reserved worker. */
  readonly hasReserved: boolean
  /** The maximum number of workers at one time. */
  readonly maxWorkers: number
}

/** The workers of a pool: ordinary ones, and one that is reserved for callers whose recent jobs were short. */
export class Workers {
  readonly #counts: WorkerCounts
  readonly #slots = new Set<WorkerSlot>()
  #reserved: WorkerSlot | undefined

  constructor(counts: WorkerCounts) {
    this.#counts = counts
  }

  get all(): readonly WorkerSlot[] {
    return [...this.#slots]
  }

  get ordinary(): readonly WorkerSlot[] {
    return this.all.filter((slot) => slot !== this.#reserved)
  }

  get reserved(): WorkerSlot | undefined {
    return this.#reserved
  }

  /** The number of jobs that have begun and not ended. */
  get running(): number {
    let count = 0
    for (const { jobs } of this.#slots) count += jobs.size
    return count
  }

  /** The number of workers that run a job now. */
  get active(): number {
    return this.all.filter(({ active }) => active !== undefined).length
  }

  get ready(): number {
    return this.all.filter(({ isReady }) => isReady).length
  }

  get isLoading(): boolean {
    return this.ready < this.#slots.size
  }

  /** True if there are fewer workers than the permanent number. */
  get isMissing(): boolean {
    return this.#slots.size < this.#usual || (this.#counts.hasReserved && this.#reserved === undefined)
  }

  get hasExtra(): boolean {
    return this.#slots.size > this.#usual
  }

  /**
   * True if no further ordinary worker may be added. The place of the reserved worker is never used for an ordinary
   * one.
   */
  get hasMostOrdinary(): boolean {
    const { maxWorkers, hasReserved } = this.#counts
    return this.ordinary.length >= maxWorkers - (hasReserved ? 1 : 0)
  }

  /** True if every ordinary worker has a long job. */
  get areAllLong(): boolean {
    return this.ordinary.every(({ active }) => active?.isLong === true)
  }

  get #usual(): number {
    return this.#counts.workers + (this.#counts.hasReserved ? 1 : 0)
  }

  /** Adds a worker. The first one is ordinary; the next one is reserved if there is no reserved worker yet. */
  add(slot: WorkerSlot): void {
    if (this.#slots.size > 0 && this.#counts.hasReserved) this.#reserved ??= slot
    this.#slots.add(slot)
  }

  delete(slot: WorkerSlot): void {
    this.#slots.delete(slot)
    if (slot === this.#reserved) this.#reserved = undefined
  }

  /** Turns the reserved worker into an ordinary one. */
  release(): void {
    this.#reserved?.lowerPriority()
    this.#reserved = undefined
  }

  /** True if a long job of this caller is running. */
  hasLongOf(key: string): boolean {
    return this.all.some(({ active }) => active?.key === key && active.isLong)
  }
}
