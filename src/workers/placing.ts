/** A worker, as far as it matters for who gets the next job. */
export interface Place {
  /** False while it comes round to nothing. */
  readonly isActive: boolean
  readonly hasRoom: boolean
  /** Jobs that it works on. */
  readonly busyJobs: number
  jobsOf(key: string): number
  /** Whether there is such a key among those whose jobs it works on. */
  someKey(isSuch: (key: string) => boolean): boolean
  /** True while it has a job that runs by itself, since another worker may have died of it. */
  readonly hasSuspect: boolean
}

export interface Placing {
  /** So many of the places are used; what is behind them is to spare. */
  readonly workers: number
  readonly jobsPerWorker: number
  /** Whether the other key takes so much more of the workers that `key` should not share one with it. */
  readonly isHeavier: (other: string, key: string) => boolean
  /** Whether the key's jobs are known to be short. */
  readonly isLight: (key: string) => boolean
  /** Whether there is a key that should not share a worker with this one. */
  readonly isHeavyKey: (key: string) => boolean
}

/**
 * The least busy worker with a place for a job, of those without jobs of a heavier key if there are any. The one to spare, which
 * gets a core before the others, works for keys whose jobs are known to be short while no key is lighter, and for all others
 * while every usual worker has jobs of heavier keys: their turns can be long, and nobody beside them can shorten those; a job
 * waits for one of its places rather than in turns with those. It also takes the place of one that is stuck, but not for a heavy
 * key whose own jobs that has: else these took the last thread too.
 */
export function placeFor<P extends Place>(
  job: { readonly key: string; readonly isSuspect: boolean },
  places: readonly P[],
  { workers, jobsPerWorker, isHeavier, isLight, isHeavyKey }: Placing,
): P | undefined {
  const heavy = new Set(places.filter((place) => place.someKey((other) => isHeavier(other, job.key))))
  const loadOf = (place: P): number => place.busyJobs + (heavy.has(place) ? jobsPerWorker : 0)
  const inUse = places.filter((place) => place.isActive || (place.jobsOf(job.key) > 0 && isHeavyKey(job.key)))
  const usual = inUse.slice(0, Math.max(1, workers))
  const isTaken = heavy.size > 0 && usual.every((place) => heavy.has(place))
  const usesAll = isTaken || (isLight(job.key) && !isHeavyKey(job.key))
  // From the end: of places that are as busy, the one to spare gets a core first.
  const quiet = usesAll ? inUse.filter((place) => place.isActive && !heavy.has(place)).toReversed() : usual
  let best: P | undefined
  for (const place of quiet.length > 0 ? quiet : inUse) {
    if (!place.isActive || !place.hasRoom || place.hasSuspect) continue
    if (place.busyJobs >= (job.isSuspect ? 1 : jobsPerWorker)) continue
    if (place.jobsOf(job.key) >= Math.max(1, jobsPerWorker - 1)) continue
    if (best === undefined || loadOf(place) < loadOf(best)) best = place
  }
  return best
}
