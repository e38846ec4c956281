import { noReads, type BlockReads } from './block-reads.ts'
import { sharedMemory } from './bytes.ts'
import { SluiceError, defineDiagnostics } from './diagnostics/diagnostic.ts'
import { nowhere } from './diagnostics/origin.ts'
import { MAX_INT32 } from './numbers/integers.ts'

const grouped = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

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
  'value-length': (d: { maker: string; limitChars: number }) => ({
    message: `\`${d.maker}\` would make a value of more than ${grouped(d.limitChars)} characters.`,
    why: 'One value may not take the memory of many. Fewer rows, shorter fields or a `limit` inside the call make it shorter.',
  }),
  'value-items': (d: { maker: string; limitItems: number }) => ({
    message: `\`${d.maker}\` would make a list of more than ${grouped(d.limitItems)} items.`,
    why: 'One value may not take the memory of many. Fewer rows or a `limit` inside the call make it shorter.',
  }),
  'row-length': (d: { limitChars: number }) => ({
    message: `A row of the answer would have more than ${grouped(d.limitChars)} characters as JSON.`,
    why: 'Fewer fields, by `fields`, or shorter ones make it shorter.',
  }),
  pairs: (d: { pairs: number; timeoutMs: number }) => ({
    message: `The join makes ${grouped(d.pairs)} pairs of rows, more than can be read within the time limit of ${d.timeoutMs} ms.`,
    why: 'Many rows of both sides have the same keys. Further fields in `join by`, a filter, or `stats` by the key on one side before the join make fewer pairs.',
  }),
  rows: (d: { limitRows: number }) => ({
    message: `The query read more than its limit of ${d.limitRows} rows.`,
    why: 'A tighter time range or a more selective first filter reads less.',
  }),
})

/** Returns the error of a query that needs more than `memoryBytes`. */
export function memoryError(memoryBytes: number): SluiceError {
  return new SluiceError([budgetDiagnostic('memory', { memoryMiB: Math.round(memoryBytes / 2 ** 20) }, nowhere)])
}

/** Limits on the size of one string, list or object. */
export interface ValueLimits {
  /** Maximum length of a string, or of the JSON text of a list or object, UTF-16 units. */
  readonly valueChars: number
  /** Maximum number of items of a list. */
  readonly valueItems: number
}

export const defaultValueLimits: ValueLimits = { valueChars: 16 * 2 ** 20, valueItems: 1_000_000 }

/**
 * Limits that are checked before allocating something whose size depends on the input. The budget of a query implements
 * it.
 */
export interface Meter {
  /**
   * Must be called before a string of `chars` UTF-16 units is made. `maker` is the name of the function or pipe, for
   * the message. Throws `budget/value-length`, and `budget/memory` if the string does not fit into the remaining
   * memory. Charges nothing: a caller that stores the string charges it.
   */
  text(chars: number, maker: string): void
  /**
   * Must be called before a string is made whose length is known only as an upper bound; `text` must be called with the
   * actual length. Throws `budget/memory`.
   */
  room(chars: number): void
  /** Must be called before a list of `count` items is made. Throws `budget/value-items`. */
  items(count: number, maker: string): void
  /** Charges bytes from now on; a negative number releases them. Throws `budget/memory`. */
  charge(bytes: number): void
  /** Must be called at least every few milliseconds of work. Throws `budget/cancelled` or `budget/deadline`. */
  checkpoint(): void
}

/** Returns a meter that limits only the size of values, for work outside queries. */
export function valueMeter(limits: ValueLimits = defaultValueLimits): Meter {
  return {
    text: (chars, maker) => checkChars(chars, maker, limits),
    room: () => undefined,
    items: (count, maker) => checkItems(count, maker, limits),
    charge: () => undefined,
    checkpoint: () => undefined,
  }
}

function checkChars(chars: number, maker: string, { valueChars: limitChars }: ValueLimits): void {
  if (chars > limitChars) throw new SluiceError([budgetDiagnostic('value-length', { maker, limitChars }, nowhere)])
}

function checkItems(count: number, maker: string, { valueItems: limitItems }: ValueLimits): void {
  if (count > limitItems) throw new SluiceError([budgetDiagnostic('value-items', { maker, limitItems }, nowhere)])
}

/** The limits of one query. A query that exceeds one fails with an error that names it. */
export interface BudgetLimits extends Partial<ValueLimits> {
  /** Maximum number of bytes in use at one time, as estimated by the operators. */
  readonly memoryBytes: number
  /** Maximum time from the start of the query to the end of its answer, ms. */
  readonly timeoutMs: number
  /** Maximum number of rows that all scans of the query read together. */
  readonly scanRows: number
}

const cancelWords = new WeakMap<AbortSignal, Int32Array>()

/**
 * Lets another thread cancel queries that run without yielding. Queries started with `signal` stop once `words[0]` is
 * not 0. Each query writes its time limit in milliseconds to `words[1]`.
 */
export function watchCancelWord(signal: AbortSignal, words: Int32Array): void {
  cancelWords.set(signal, words)
}

/**
 * The budget of one query, which every operator receives. It counts memory, rows and time. Its cancel flag is in shared
 * memory, so that workers and database statements can watch it.
 */
export class Budget implements Meter {
  readonly limits: BudgetLimits
  readonly valueLimits: ValueLimits
  /** Non-zero once the query must stop; other threads may read it. */
  readonly cancelWord: Int32Array
  /** The block reads of the query so far. */
  readonly reads: BlockReads = noReads()
  readonly #nowMs: () => number
  readonly #deadlineMs: number
  #usedBytes = 0
  #peakBytes = 0
  #scannedRows = 0
  readonly #wakes = new Set<() => void>()

  /**
   * The time limit counts from `startMs`, a reading of the clock `nowMs`. Another thread can cancel the query by
   * writing to `cancelWord`, which is in shared memory.
   */
  constructor(
    limits: BudgetLimits,
    nowMs: () => number,
    signal?: AbortSignal,
    startMs = nowMs(),
    cancelWord?: Int32Array,
  ) {
    this.limits = limits
    this.valueLimits = { ...defaultValueLimits, ...limits }
    const watched = signal && cancelWords.get(signal)
    this.cancelWord = cancelWord ?? watched ?? new Int32Array(sharedMemory(4))
    this.#nowMs = nowMs
    this.#deadlineMs = startMs + limits.timeoutMs
    if (watched !== undefined) watched[1] = Math.max(1, Math.min(Math.ceil(limits.timeoutMs), MAX_INT32))
    if (signal?.aborted === true) this.cancel()
    else signal?.addEventListener('abort', () => this.cancel(), { once: true })
  }

  cancel(): void {
    Atomics.store(this.cancelWord, 0, 1)
    const wakes = [...this.#wakes]
    this.#wakes.clear()
    for (const wake of wakes) wake()
  }

  /**
   * Calls `wake` once when the query is cancelled, immediately if it already is. Code that waits needs this, since it
   * passes no checkpoints. Returns a function that removes the callback.
   */
  onCancel(wake: () => void): () => void {
    if (this.isCancelled) wake()
    else this.#wakes.add(wake)
    return () => void this.#wakes.delete(wake)
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

  /** Milliseconds until the deadline, at least 0. */
  get remainingMs(): number {
    return Math.max(0, this.#deadlineMs - this.#nowMs())
  }

  /** Charges bytes that an operator has allocated; a negative number releases them. Throws `budget/memory`. */
  charge(bytes: number): void {
    this.#usedBytes += bytes
    if (this.#usedBytes > this.#peakBytes) this.#peakBytes = this.#usedBytes
    if (this.#usedBytes > this.limits.memoryBytes) {
      throw memoryError(this.limits.memoryBytes)
    }
  }

  text(chars: number, maker: string): void {
    checkChars(chars, maker, this.valueLimits)
    this.room(chars)
  }

  room(chars: number): void {
    if (this.#usedBytes + chars > this.limits.memoryBytes) throw memoryError(this.limits.memoryBytes)
  }

  items(count: number, maker: string): void {
    checkItems(count, maker, this.valueLimits)
  }

  /** Counts rows that a scan has read. Throws `budget/rows`. */
  scanned(rows: number): void {
    this.#scannedRows += rows
    if (this.#scannedRows > this.limits.scanRows) {
      throw new SluiceError([budgetDiagnostic('rows', { limitRows: this.limits.scanRows }, nowhere)])
    }
  }

  /** Must be called at least every few milliseconds of work. Throws `budget/cancelled` or `budget/deadline`. */
  checkpoint(): void {
    if (this.isCancelled) throw new SluiceError([budgetDiagnostic('cancelled', {}, nowhere)])
    if (this.#nowMs() > this.#deadlineMs) {
      throw new SluiceError([budgetDiagnostic('deadline', { timeoutMs: this.limits.timeoutMs }, nowhere)])
    }
  }
}
