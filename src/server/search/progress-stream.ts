import type { StreamBody } from '../../workers/index.ts'
import type { QueryStatistics } from '../../engine/index.ts'

/** Minimum interval between progress messages, ms. */
export const PROGRESS_MS = 250

/**
 * Returns an event stream message with the cost of a query so far. Under a data scope, counts of stored rows are left
 * out.
 */
export function progressMessage({ scannedRows, milliseconds, ...read }: QueryStatistics): string {
  const progress = {
    rowsRead: scannedRows,
    bytesRead: read.bytes + read.bytesFromDisk + read.bytesFromCache,
    milliseconds: Math.round(milliseconds),
  }
  return `event: progress\ndata: ${JSON.stringify(progress)}\n\n`
}

/** True if the promise settles within the time. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const settled = promise.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([settled, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Inserts progress messages between the messages of a stream, also while no rows arrive. */
export class ProgressStream implements StreamBody {
  readonly #body: StreamBody
  readonly #message: () => string
  readonly #everyMs: number
  #pending: Promise<string | Uint8Array | undefined> | undefined
  #dueMs: number
  /**
   * True if the last message was progress. The next row is then sent first if it arrives in time, even if progress is
   * due.
   */
  #wasProgress = true

  constructor(body: StreamBody, message: () => string, everyMs: number) {
    this.#body = body
    this.#message = message
    this.#everyMs = everyMs
    this.#dueMs = performance.now() + everyMs
  }

  get failure(): unknown {
    return this.#body.failure
  }

  async next(): Promise<string | Uint8Array | undefined> {
    this.#pending ??= this.#body.next()
    const leftMs = this.#dueMs - performance.now()
    const isDue = leftMs <= 0 && !this.#wasProgress
    if (isDue || !(await settlesWithin(this.#pending, leftMs > 0 ? leftMs : this.#everyMs))) {
      this.#wasProgress = true
      this.#dueMs = performance.now() + this.#everyMs
      return this.#message()
    }
    const chunk = this.#pending
    this.#pending = undefined
    this.#wasProgress = false
    return chunk
  }

  cancel(): void {
    this.#body.cancel()
  }
}
