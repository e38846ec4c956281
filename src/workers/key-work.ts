/** After so long what a key's jobs have worked counts half, milliseconds. */
const HALF_LIFE_MS = 1000
/** A key is heavier than another when it takes so many times as much of the workers, and more than a short while. */
const TIMES = 3
const LEAST_MS = 50
/** So many jobs at once are seen before they have worked. */
const LEAST_JOBS = 4
/** Less is forgotten. */
const NOTHING_MS = 1

interface Work {
  ms: number
  atMs: number
}

/** How much of the workers each key has had lately. */
export class KeyWork {
  readonly #keys = new Map<string, Work>()

  add(key: string, ms: number, nowMs: number): void {
    const work = this.#keys.get(key)
    if (work === undefined) this.#keys.set(key, { ms, atMs: nowMs })
    else {
      work.ms = decayed(work, nowMs) + ms
      work.atMs = nowMs
    }
  }

  /** Whether jobs of `key` should not take turns with those of `other`; `jobsOf` says how many of a key wait or run. */
  isHeavier(other: string, key: string, jobsOf: (key: string) => number, nowMs: number): boolean {
    if (other === key) return false
    if (jobsOf(other) >= Math.max(LEAST_JOBS, TIMES * jobsOf(key))) return true
    return this.#of(other, nowMs) >= Math.max(LEAST_MS, TIMES * this.#of(key, nowMs))
  }

  /** Forgets keys that have done nothing for long. */
  trim(nowMs: number): void {
    for (const [key, work] of this.#keys) if (decayed(work, nowMs) < NOTHING_MS) this.#keys.delete(key)
  }

  #of(key: string, nowMs: number): number {
    const work = this.#keys.get(key)
    return work === undefined ? 0 : decayed(work, nowMs)
  }
}

function decayed({ ms, atMs }: Work, nowMs: number): number {
  return ms * 2 ** ((atMs - nowMs) / HALF_LIFE_MS)
}
