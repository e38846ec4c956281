import { sharedMemory } from './bytes.ts'
import { SluiceError, defineDiagnostics } from './diagnostic.ts'
import { nowhere } from './origin.ts'

export const budgetDiagnostic = defineDiagnostics('budget', {
  memory: (d: { memoryMiB: number }) => ({
    message: `The query needs more than its memory limit of ${d.memoryMiB} MiB.`,
    why: 'Many groups, a large sort or a large join hold their rows in memory. A tighter filter, a shorter time range or a `limit` makes them smaller.',
  }),
  deadline: (d: { timeoutMs: number }) => ({
    message: `The query ran longer than its time limit of ${d.timeoutMs} ms.`,
    why: 'A tighter time range or a more selective first filter reads less.',
  }),
  cancelled: (_: Record<never, never>) => ({ message: 'The query was cancelled.' }),
  rows: (d: { limitRows: number }) => ({
    message: `The query read more than its limit of ${d.limitRows} rows.`,
    why: 'A tighter time range or a more selective first filter reads less.',
  }),
})

/** What a query that needs more than `memoryBytes` ends with. */
export function memoryError(memoryBytes: number): SluiceError {
  return new SluiceError([budgetDiagnostic('memory', { memoryMiB: Math.round(memoryBytes / 2 ** 20) }, nowhere)])
}

export interface BudgetLimits {
  readonly memoryBytes: number
  readonly timeoutMs: number
  /** Rows that scans may read before the query is refused. */
  readonly scanRows: number
}

const cancelWords = new WeakMap<AbortSignal, Int32Array>()

/** Makes queries under a signal watch this word too, which another thread can set while their own never comes to look up. */
export function watchCancelWord(signal: AbortSignal, word: Int32Array): void {
  cancelWords.set(signal, word)
}

/**
 * One per query, handed to every operator: counts memory, rows and time, and carries the cancel flag.
 * Its cancel word is shareable, so that workers and statements can watch it too.
 */
export class Budget {
  readonly limits: BudgetLimits
  /** Non-zero once the query must stop; may be read from other threads. */
  readonly cancelWord: Int32Array
  readonly #nowMs: () => number
  readonly #deadlineMs: number
  #usedBytes = 0
  #peakBytes = 0
  #scannedRows = 0

  constructor(limits: BudgetLimits, nowMs: () => number, signal?: AbortSignal) {
    this.limits = limits
    this.cancelWord = (signal && cancelWords.get(signal)) ?? new Int32Array(sharedMemory(4))
    this.#nowMs = nowMs
    this.#deadlineMs = nowMs() + limits.timeoutMs
    if (signal?.aborted === true) this.cancel()
    else signal?.addEventListener('abort', () => this.cancel(), { once: true })
  }

  cancel(): void {
    Atomics.store(this.cancelWord, 0, 1)
  }

  get isCancelled(): boolean {
    return Atomics.load(this.cancelWord, 0) !== 0
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  get peakBytes(): number {
    return this.#peakBytes
  }

  get scannedRows(): number {
    return this.#scannedRows
  }

  /** Counts bytes an operator holds on to; negative when it lets go. Throws `budget/memory`. */
  charge(bytes: number): void {
    this.#usedBytes += bytes
    if (this.#usedBytes > this.#peakBytes) this.#peakBytes = this.#usedBytes
    if (this.#usedBytes > this.limits.memoryBytes) {
      throw memoryError(this.limits.memoryBytes)
    }
  }

  /** Counts rows a scan looked at. Throws `budget/rows`. */
  scanned(rows: number): void {
    this.#scannedRows += rows
    if (this.#scannedRows > this.limits.scanRows) {
      throw new SluiceError([budgetDiagnostic('rows', { limitRows: this.limits.scanRows }, nowhere)])
    }
  }

  /** To be called at least every few milliseconds of work. Throws `budget/cancelled` or `budget/deadline`. */
  checkpoint(): void {
    if (this.isCancelled) throw new SluiceError([budgetDiagnostic('cancelled', {}, nowhere)])
    if (this.#nowMs() > this.#deadlineMs) {
      throw new SluiceError([budgetDiagnostic('deadline', { timeoutMs: this.limits.timeoutMs }, nowhere)])
    }
  }
}
