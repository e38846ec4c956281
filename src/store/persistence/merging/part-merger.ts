import type { FolderEdits } from '../folder-edits.ts'
import type { PersistedTable } from '../persisted-table.ts'
import { mergeSizes, mergeableParts, type MergeSizes } from './merge.ts'
import { BackgroundThrottle } from './background-throttle.ts'

export interface PartMergerOptions {
  readonly edits: FolderEdits
  readonly sizes?: MergeSizes | undefined
  /** Called when a merge failed. Its parts are not tried again until the next start. */
  readonly onFailure: (error: unknown) => void
  /** Called when the caller should run `beginIfDue` again. */
  readonly wake: () => void
}

/** Merging takes at most 1 of this many parts of the time, less while segments wait for their files. */
const SHARE = 2
const BUSY_SHARE = 8

/**
 * Merges parts by copying their row groups, one merge at a time, while other parts are written. A crash leaves either a
 * new file or old files that the manifest does not name.
 */
export class PartMerger {
  readonly #options: PartMergerOptions
  readonly #sizes: MergeSizes
  readonly #pace = new BackgroundThrottle()
  /** The names of parts whose merge failed. */
  readonly #failed = new Set<string>()
  #current: { readonly ended: Promise<void>; readonly stop: AbortController } | undefined
  #timer: NodeJS.Timeout | undefined
  #isRunning = false
  /** The time when the last part with new rows was named, in milliseconds of a monotonic clock. */
  #namedMs = -Infinity

  constructor(options: PartMergerOptions) {
    this.#options = options
    this.#sizes = options.sizes ?? mergeSizes
  }

  start(): void {
    this.#isRunning = true
    this.#pace.pause(this.#sizes.firstAfterMs)
  }

  /** Cancels the current merge and prevents later ones. */
  stop(): void {
    this.#isRunning = false
    clearTimeout(this.#timer)
    this.#current?.stop.abort()
  }

  /** Resolves when the current merge has ended; `undefined` if none is running. */
  get ended(): Promise<void> | undefined {
    return this.#current?.ended
  }

  /** Cancels the current merge, because row groups are about to change. Resolves when no merge is running. */
  async release(): Promise<void> {
    this.#current?.stop.abort()
    await this.#current?.ended
  }

  /** Records that a part with new rows was named. */
  named(): void {
    this.#namedMs = performance.now()
  }

  /** Begins a merge if one is due. `isBusy` is true if segments wait for their files. */
  beginIfDue(tables: Iterable<PersistedTable>, isBusy: boolean): void {
    if (!this.#isRunning || this.#current !== undefined) return
    const isAtRest = !isBusy && performance.now() - this.#namedMs >= this.#sizes.restMs
    for (const persisted of tables) {
      const parts = this.#options.edits.parts(persisted).filter(({ name }) => !this.#failed.has(name))
      const some = mergeableParts(parts, this.#sizes, isAtRest)
      if (some.length === 0) continue
      clearTimeout(this.#timer)
      if (this.#pace.isTime) this.#begin(persisted, some, isBusy ? BUSY_SHARE : SHARE)
      else this.#timer = setTimeout(() => this.#options.wake(), this.#pace.waitMs).unref()
      return
    }
  }

  #begin(persisted: PersistedTable, parts: ReturnType<FolderEdits['parts']>, share: number): void {
    const { edits, onFailure, wake } = this.#options
    const stop = new AbortController()
    const { signal } = stop
    const ended = this.#pace
      .run(() => edits.replace(persisted, parts, { signal }), share)
      .catch((error: unknown) => {
        if (error === signal.reason) return
        for (const { name } of parts) this.#failed.add(name)
        onFailure(error)
      })
      .finally(() => {
        this.#current = undefined
        if (this.#isRunning) wake()
      })
    this.#current = { ended, stop }
  }
}
