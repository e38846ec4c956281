import { signal } from '@preact/signals'
import type { Ask } from '../../ask/client.ts'
import type { ShownRow } from '../../ask/requests.ts'

/** Number of rows in a request: about two windows of rows. */
const CHUNK_ROWS = 100

/** Maximum number of cached chunks. Scrolling back a little needs no request, and memory is bounded. */
const MAX_CHUNKS = 60

/** Maximum length of a value in the list, UTF-16 units. More does not fit on a line. */
const LIST_CHARS = 1000

/** Cache of the rows near the visible ones. */
export class RowCache {
  /** Incremented when rows have arrived. */
  readonly version = signal(0)
  readonly #ask: Ask
  readonly #answer: number
  readonly #chunks = new Map<number, readonly ShownRow[]>()
  readonly #asked = new Map<number, number>()

  constructor(ask: Ask, answer: number) {
    this.#ask = ask
    this.#answer = answer
  }

  row(index: number): ShownRow | undefined {
    return this.#chunks.get(Math.floor(index / CHUNK_ROWS))?.[index % CHUNK_ROWS]
  }

  /** Requests rows of a window that are not cached. `count` is the number of rows of the answer so far. */
  want(from: number, to: number, count: number): void {
    const [first, last] = [Math.floor(from / CHUNK_ROWS), Math.floor(Math.max(from, to - 1) / CHUNK_ROWS)]
    for (let chunk = first; chunk <= last; chunk++) {
      const size = Math.min(CHUNK_ROWS, count - chunk * CHUNK_ROWS)
      const known = this.#chunks.get(chunk)
      if (known !== undefined) {
        // Moves the chunk to the end, as the most recently used one.
        this.#chunks.delete(chunk)
        this.#chunks.set(chunk, known)
      }
      if (size <= 0 || (known?.length ?? 0) >= size || (this.#asked.get(chunk) ?? 0) >= size) continue
      this.#asked.set(chunk, size)
      void this.#fetch(chunk, size)
    }
  }

  async #fetch(chunk: number, size: number): Promise<void> {
    const from = chunk * CHUNK_ROWS
    try {
      const rows = await this.#ask('rows', { answer: this.#answer, from, to: from + size, maxChars: LIST_CHARS })
      this.#chunks.set(chunk, rows)
      for (const old of this.#chunks.keys()) {
        if (this.#chunks.size <= MAX_CHUNKS) break
        this.#chunks.delete(old)
      }
      this.version.value++
    } catch {
      // The request failed because a new answer has replaced this one.
    } finally {
      this.#asked.delete(chunk)
    }
  }
}
