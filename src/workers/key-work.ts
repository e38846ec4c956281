/** After so long what a key's jobs have worked counts half, milliseconds. */
const HALF_LIFE_MS = 1000
/** A key is heavier than another when it takes so many times as much of the workers, and more than a short while. */
const TIMES = 2
const LEAST_MS = 50
/** One is also heavier whose jobs take so many times as long: they are what others wait for. */
const TIMES_A_JOB = 3
/** So many jobs at once are seen before any of their key has worked, and taken to take as long, milliseconds. */
const LEAST_JOBS = 4
const UNKNOWN_MS = 100
/** A key is light whose jobs have ended lately and took no more than so long each. */
const LIGHT_MS = 10
const LEAST_ENDED = 0.1
/** Less is forgotten. */
const NOTHING_MS = 1

interface Work {
  ms: number
  jobs: number
  ended: number
  atMs: number
}

type JobsOf = (key: string) => number

/** How much of the workers each key has had lately. */
export class KeyWork {
  readonly #keys = new Map<string, Work>()

  /** A job of the key has begun. */
  begin(key: string, nowMs: number): void {
    this.#now(key, nowMs).jobs++
  }

  /** One of them has ended. */
  end(key: string, nowMs: number): void {
    this.#now(key, nowMs).ended++
  }

  /** Jobs of the key have worked so long. */
  add(key: string, ms: number, nowMs: number): void {
    this.#now(key, nowMs).ms += ms
  }

  /** Whether jobs of `key` should not take turns with those of `other`; `jobsOf` says how many of a key wait or run. */
  isHeavier(other: string, key: string, jobsOf: JobsOf, nowMs: number): boolean {
    if (other === key) return false
    const theirs = this.#of(other, nowMs)
    const own = this.#of(key, nowMs)
    if (expectedMs(theirs, jobsOf(other)) >= Math.max(LEAST_MS, TIMES * expectedMs(own, jobsOf(key)))) return true
    return theirs.ms >= LEAST_MS && own.jobs > 0 && msAJob(theirs) >= TIMES_A_JOB * msAJob(own)
  }

  /** Whether there is a key that should not take turns with `key`. */
  isHeavy(key: string, jobsOf: JobsOf, nowMs: number): boolean {
    for (const other of this.#keys.keys()) if (this.isHeavier(key, other, jobsOf, nowMs)) return true
    return false
  }

  /** Whether its jobs are short, as far as those tell that have ended. */
  isLight(key: string, nowMs: number): boolean {
    const { ms, ended } = this.#of(key, nowMs)
    return ended >= LEAST_ENDED && ms <= LIGHT_MS * ended
  }

  /** Forgets keys that have done nothing for long. */
  trim(nowMs: number): void {
    for (const key of this.#keys.keys()) {
      const { ms, jobs } = this.#of(key, nowMs)
      if (ms < NOTHING_MS && jobs < 0.5) this.#keys.delete(key)
    }
  }

  #of(key: string, nowMs: number): Work {
    const work = this.#keys.get(key) ?? { ms: 0, jobs: 0, ended: 0, atMs: nowMs }
    const part = 2 ** ((work.atMs - nowMs) / HALF_LIFE_MS)
    return { ms: work.ms * part, jobs: work.jobs * part, ended: work.ended * part, atMs: nowMs }
  }

  #now(key: string, nowMs: number): Work {
    const work = this.#of(key, nowMs)
    this.#keys.set(key, work)
    return work
  }
}

function msAJob({ ms, jobs }: Work): number {
  return ms / Math.max(jobs, 1)
}

/** What a key has had, and what its jobs will take if they are like those before. */
function expectedMs(work: Work, jobs: number): number {
  if (work.ms > 0) return work.ms + jobs * msAJob(work)
  return jobs < LEAST_JOBS ? 0 : jobs * UNKNOWN_MS
}
