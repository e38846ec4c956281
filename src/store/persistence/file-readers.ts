/** Indexes of the shared 32-bit words in which a thread publishes its active reads. */
const readWord = {
  inWork: 0,
  oldest: 1,
  count: 2,
} as const

/** Allocates the shared words of one reading thread. The thread that removes files reads them. */
export function readWords(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(readWord.count * Int32Array.BYTES_PER_ELEMENT))
}

/** True if version `a` is before version `b`. Versions are 32-bit counters that may wrap around. */
function isBefore(a: number, b: number): boolean {
  return ((a - b) | 0) < 0
}

/** The active reads of one thread. Until it ends, a read may open any file that existed at the read's version. */
export class ReadsInWork {
  readonly #words: Int32Array
  /** The number of active reads by version, in the order in which the versions were first used. */
  readonly #begun = new Map<number, number>()

  constructor(words: Int32Array) {
    this.#words = words
  }

  /**
   * Begins a read: files that existed at `version` stay on the disk until the returned function is called. The caller
   * must then check that `version` is still the latest; otherwise files may already have been removed.
   */
  begin(version: number): () => void {
    this.#begun.set(version, (this.#begun.get(version) ?? 0) + 1)
    this.#say()
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      const left = (this.#begun.get(version) ?? 1) - 1
      if (left === 0) this.#begun.delete(version)
      else this.#begun.set(version, left)
      this.#say()
    }
  }

  /**
   * Publishes the version of the oldest read, and then whether there are reads. If the remover looks in between, it
   * sees a version that is too old, which is safe, or no read. In the second case this thread later finds that its
   * version is not the latest.
   */
  #say(): void {
    let oldest: number | undefined
    for (const version of this.#begun.keys()) if (oldest === undefined || isBefore(version, oldest)) oldest = version
    if (oldest !== undefined) Atomics.store(this.#words, readWord.oldest, oldest)
    Atomics.store(this.#words, readWord.inWork, oldest === undefined ? 0 : 1)
  }
}

/** A thread that reads files, as the thread that removes files sees it. */
export interface ReadingThread {
  readonly words: Int32Array
  /** Called with the paths of removed files, so that the thread closes them. */
  readonly removed: (paths: readonly string[]) => void
}

/** All threads of this process that may still read replaced files. */
export class FileReaders {
  /** The version counter, in memory that all reading threads share. */
  readonly #version: Int32Array
  readonly #threads = new Set<ReadingThread>()
  readonly #own: ReadsInWork

  constructor(version: Int32Array = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))) {
    this.#version = version
    const words = readWords()
    this.#own = new ReadsInWork(words)
    this.#threads.add({ words, removed: () => undefined })
  }

  /** Registers a thread; the returned function unregisters it. */
  add(thread: ReadingThread): () => void {
    this.#threads.add(thread)
    return () => void this.#threads.delete(thread)
  }

  /** Begins a read in this thread; the returned function ends it. */
  begin(): () => void {
    return this.#own.begin(Atomics.load(this.#version, 0))
  }

  /**
   * Increments the version and returns it. Reads that begin later cannot see files that were removed before this call.
   */
  mark(): number {
    return (Atomics.add(this.#version, 0, 1) + 1) | 0
  }

  /** True if all reads that began before `mark` returned this number have ended. */
  haveEnded(mark: number): boolean {
    for (const { words } of this.#threads) {
      const isInWork = Atomics.load(words, readWord.inWork) !== 0
      if (isInWork && isBefore(Atomics.load(words, readWord.oldest), mark)) return false
    }
    return true
  }

  removed(paths: readonly string[]): void {
    for (const { removed } of this.#threads) removed(paths)
  }
}
