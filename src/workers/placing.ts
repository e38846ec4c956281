/** A worker, as far as it matters for who gets the next job. */
export interface Place {
  /** False while it comes round to nothing. */
  readonly isActive: boolean
  readonly hasRoom: boolean
  /** Jobs that it works on. */
  readonly busyJobs: number
  jobsOf(key: string): number
  /** Of jobs that it has worked on for long: they may hold it for long at a time too. */
  readonly longKeys: readonly string[]
  /** True while it has a job that runs by itself, since another worker may have died of it. */
  readonly hasSuspect: boolean
}

export interface Placing {
  /** So many of the places are used; what is behind them is to spare. */
  readonly workers: number
  readonly jobsPerWorker: number
}

/**
 * The least busy worker with a place for a job. The one to spare works while all others are stuck, and for keys without long
 * jobs while all others have some: those take turns of their own length, which nobody beside them can shorten.
 */
export function placeFor<P extends Place>(
  job: { readonly key: string; readonly isSuspect: boolean },
  places: readonly P[],
  { workers, jobsPerWorker }: Placing,
): P | undefined {
  const active = places.filter(({ isActive }) => isActive)
  const usual = active.slice(0, Math.max(1, Math.min(active.length, workers)))
  const isLong = ({ longKeys }: P): boolean => longKeys.length > 0
  const isLightKey = !places.some(({ longKeys }) => longKeys.includes(job.key))
  const loadOf = (place: P): number => place.busyJobs + (isLightKey && isLong(place) ? jobsPerWorker : 0)
  let best: P | undefined
  for (const place of isLightKey && usual.every(isLong) ? active : usual) {
    if (!place.hasRoom || place.hasSuspect || place.busyJobs >= (job.isSuspect ? 1 : jobsPerWorker)) continue
    if (place.jobsOf(job.key) >= Math.max(1, jobsPerWorker - 1)) continue
    if (best === undefined || loadOf(place) < loadOf(best)) best = place
  }
  return best
}
