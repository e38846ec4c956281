/** Words by which a thread says which of its reads are in work. */
const readWord = {
  inWork: 0,
  oldest: 1,
  count: 2,
} as const

/** To be shared between a thread that reads files and the one that removes them. */
export function readWords(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(readWord.count * Int32Array.BYTES_PER_ELEMENT))
}

/** Whether a number that counts changes, and may go round, is before another. */
function isBefore(a: number, b: number): boolean {
  return ((a - b) | 0) < 0
}

/** Reads of files in one thread. Each begins with what a version says that there is, and may read all of it until it ends. */
export class ReadsInWork {
  readonly #words: Int32Array
  /** By version, how many have begun with it, in the order of versions. */
  readonly #begun = new Map<number, number>()

  constructor(words: Int32Array) {
    this.#words = words
  }

  /**
   * From here on no file leaves the disk that was there at `version`, until what it gives is called. Whoever calls looks afterwards whether
   * that is still the latest version: what had left before may be gone.
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

  /** The oldest is there before it is said that there is one: who looks in between sees it too old, or sees that version outdated. */
  #say(): void {
    let oldest: number | undefined
    for (const version of this.#begun.keys()) if (oldest === undefined || isBefore(version, oldest)) oldest = version
    if (oldest !== undefined) Atomics.store(this.#words, readWord.oldest, oldest)
    Atomics.store(this.#words, readWord.inWork, oldest === undefined ? 0 : 1)
  }
}

/** A thread that reads files, as the one that removes them sees it. */
export interface ReadingThread {
  readonly words: Int32Array
  /** Told of files that were removed: they need not be open any more. */
  readonly removed: (paths: readonly string[]) => void
}

/** Who may still read files whose place others took. */
export class FileReaders {
  /** The word that counts changes, which readers look at. */
  readonly #version: Int32Array
  readonly #threads = new Set<ReadingThread>()
  readonly #own: ReadsInWork

  constructor(version: Int32Array = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))) {
    this.#version = version
    const words = readWords()
    this.#own = new ReadsInWork(words)
    this.#threads.add({ words, removed: () => undefined })
  }

  /** Has a thread taken into account until the function is called that it gives. */
  add(thread: ReadingThread): () => void {
    this.#threads.add(thread)
    return () => void this.#threads.delete(thread)
  }

  /** A read in this thread begins; it has ended when what it gives is called. */
  begin(): () => void {
    return this.#own.begin(Atomics.load(this.#version, 0))
  }

  /** No read that begins from here on sees what has left. Gives the version with which they begin at the earliest. */
  mark(): number {
    return (Atomics.add(this.#version, 0, 1) + 1) | 0
  }

  /** Whether all reads have ended that began before a mark. */
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
