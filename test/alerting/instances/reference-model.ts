import type { InstanceRules, InstanceState, Reason } from '../../../src/alerting/instances/index.ts'

/**
 * Level of a result: below both thresholds, between them, or above both. `between` counts as a breach only while the
 * set is already alerting.
 */
export type Level = 'calm' | 'between' | 'breach'

/**
 * Name of a label set. `''` is the set with only the monitor's labels. `no-data` and `error` are the instances that
 * stand for missing data and for errors.
 */
export type SetName = string

/** One scheduled evaluation, and the changes made to the monitor just before it. */
export interface Tick {
  readonly atMs: number
  readonly isPausedBefore: boolean
  readonly resolvedBefore: SetName | undefined
  readonly isEditedBefore: boolean
  readonly settings: Omit<InstanceRules, 'monitorLabels'>
  readonly outcome: ReadonlyMap<SetName, Level> | 'no-data' | 'error'
}

export interface ModelInstance {
  readonly state: InstanceState
  readonly reason: Reason | undefined
  readonly activeAtMs: number | undefined
  readonly firedAtMs: number | undefined
}

/**
 * Effect of an evaluation on one label set. `clear`, `keep` and `freeze` come from the settings for missing data and
 * errors.
 */
type Sign = Level | 'absent' | 'clear' | 'keep' | 'freeze'

/**
 * One breach of a label set, in indices of evaluations; `Infinity` means after the end of the history. `end` is the
 * first evaluation without the breach.
 */
type Episode = { readonly start: number; readonly fired: number; readonly end: number }

const CLOCK_SET_BACK_MS = 5 * 60_000
const settingSigns = { OK: 'clear', Alerting: 'breach', NoData: 'absent', Error: 'freeze', KeepLast: 'keep' } as const
const normal = { state: 'Normal', activeAtMs: undefined, firedAtMs: undefined } as const
const ownState: Readonly<Record<SetName, InstanceState>> = { 'no-data': 'NoData', error: 'Error' }

/**
 * True if a tick is evaluated: it is later than the last evaluation, or the clock was set back by more than
 * `CLOCK_SET_BACK_MS`.
 */
export function isEvaluated({ atMs }: Tick, last: Tick | undefined): boolean {
  return last === undefined || atMs > last.atMs || last.atMs - atMs > CLOCK_SET_BACK_MS
}

function signOf(set: SetName, { outcome, settings }: Tick): Sign {
  if (typeof outcome === 'object') return outcome.get(set) ?? 'absent'
  const setting = outcome === 'no-data' ? settings.noDataState : settings.errorState
  if (set in ownState) return outcome === set && setting === ownState[set] ? 'breach' : 'absent'
  return settingSigns[setting]
}

function firstIndex(from: number, end: number, holds: (n: number) => boolean): number {
  for (let n = from; n < end; n++) if (holds(n)) return n
  return Infinity
}

/**
 * Computes the states of one label set between two pauses of the monitor. `isAlone(n)` tells whether no other label set
 * has an instance before evaluation `n`.
 */
class SetHistory {
  readonly #set: SetName
  readonly #ticks: readonly Tick[]
  readonly #signs: readonly Sign[]
  readonly #isAlone: (n: number) => boolean
  /**
   * For each evaluation, the number of evaluations without this set since its last result; `undefined` if it has no
   * instance.
   */
  readonly #missed: (number | undefined)[] = []
  /**
   * For each evaluation, whether the instance has ever had a result. Without one, the settings for missing data or
   * errors created it.
   */
  readonly #isOfResult: boolean[] = []

  constructor(set: SetName, ticks: readonly Tick[], isAlone: (n: number) => boolean) {
    this.#set = set
    this.#ticks = ticks
    this.#signs = ticks.map((tick) => signOf(set, tick))
    this.#isAlone = isAlone
  }

  /**
   * Computes at which evaluations the instance exists, ignoring breaches. With `isHeld`, evaluations without a result
   * never end the instance.
   */
  #follow(from: number, isHeld: boolean): void {
    for (let n = from; n < this.#ticks.length; n++) {
      const before = this.#missed[n - 1]
      const { outcome } = this.#tick(n)
      const hasResult = typeof outcome === 'object' && outcome.has(this.#set)
      const isMade = this.#set === '' ? this.#isAlone(n) && this.#signs[n] !== 'freeze' : this.#set in ownState
      this.#isOfResult[n] = hasResult || (before !== undefined && this.#isOfResult[n - 1] === true)
      if (hasResult) this.#missed[n] = 0
      else if (this.#signs[n] !== 'absent') this.#missed[n] = before ?? (isMade ? 0 : undefined)
      else this.#missed[n] = before === undefined || (!isHeld && this.#isForgotten(n)) ? undefined : before + 1
    }
  }

  /** True if an evaluation without this set ends the instance, provided that it is not held. */
  #isForgotten(n: number): boolean {
    const hasOthers = typeof this.#tick(n).outcome === 'object' || this.#set in ownState
    const isLast = (this.#missed[n - 1] ?? 1) > 0 || this.#isEdited(n) || (hasOthers && this.#isOfResult[n] !== true)
    return this.#signs[n] === 'absent' && isLast
  }

  #tick(n: number): Tick {
    return this.#ticks[n] as Tick
  }

  #is(n: number, ...signs: readonly Sign[]): boolean {
    return signs.some((sign) => sign === this.#signs[n])
  }

  /**
   * True if this is the first evaluation after an edit of the monitor's model. Failed evaluations in between do not
   * count.
   */
  #isEdited(n: number): boolean {
    let m = n
    while (m > 0 && !this.#tick(m).isEditedBefore && this.#tick(m - 1).outcome === 'error') m--
    return this.#tick(m).isEditedBefore
  }

  /**
   * Returns the start of a breach as seen at evaluation `n`, in ms. Time in which nothing was evaluated moves the start
   * later.
   */
  #activeAtMs(start: number, n: number): number {
    let activeAtMs = this.#tick(start).atMs
    for (let m = start + 1; m <= n; m++) {
      const { atMs, settings } = this.#tick(m)
      const gapMs = atMs - this.#tick(m - 1).atMs
      if (gapMs < 0) activeAtMs = atMs
      else if (gapMs > 2 * settings.intervalMs) activeAtMs += gapMs - settings.intervalMs
    }
    return activeAtMs
  }

  #fires(start: number, n: number): boolean {
    const { atMs, settings } = this.#tick(n)
    return this.#is(n, 'breach', 'keep') && atMs - this.#activeAtMs(start, n) >= settings.pendingForMs
  }

  #isKeptFiring(fired: number, n: number): boolean {
    let sinceMs = Infinity
    for (let m = fired + 1; m <= n; m++) {
      if (this.#is(m, 'breach', 'between')) sinceMs = Infinity
      else if (this.#is(m, 'calm')) sinceMs = Math.min(sinceMs, this.#tick(m).atMs)
    }
    return this.#tick(n).atMs - sinceMs < this.#tick(n).settings.keepFiringForMs
  }

  #endsFiring(fired: number, n: number): boolean {
    const { resolvedBefore, settings } = this.#tick(n)
    if (resolvedBefore === this.#set) return true
    const isOver = this.#is(n, 'calm', 'clear') || this.#isForgotten(n)
    if (this.#isEdited(n) || this.#set in ownState) return isOver
    return isOver && settings.autoResolve && !(this.#is(n, 'calm') && this.#isKeptFiring(fired, n))
  }

  #episodeFrom(from: number): Episode {
    const count = this.#ticks.length
    this.#follow(from, false)
    const start = firstIndex(from, count, (n) => this.#signs[n] === 'breach' && this.#missed[n] !== undefined)
    this.#follow(start + 1, true)
    const over = firstIndex(start + 1, count, (n) => this.#is(n, 'calm', 'between', 'clear') || this.#isForgotten(n))
    const fired = firstIndex(start, Math.min(over, count), (n) => this.#fires(start, n))
    if (fired === Infinity) return { start, fired, end: over }
    return { start, fired, end: firstIndex(fired + 1, count, (n) => this.#endsFiring(fired, n)) }
  }

  /**
   * Returns the reason shown with the state. `first` is the evaluation that began the breach, or the period without a
   * breach.
   */
  #reason(n: number, first: number, isFiring: boolean): Reason | undefined {
    const { outcome, settings } = this.#tick(n)
    const sign = this.#signs[n]
    if (sign === 'keep') return 'KeepLast'
    if (isFiring && sign === 'calm') return settings.autoResolve ? 'KeepFiring' : 'Held'
    if (isFiring && (sign === 'clear' || this.#isForgotten(n))) return 'Held'
    if (sign === 'absent' || sign === 'freeze') return n === first ? undefined : this.#reason(n - 1, first, isFiring)
    return typeof outcome === 'object' ? undefined : outcome === 'no-data' ? 'NoData' : 'Error'
  }

  states(): readonly (ModelInstance | undefined)[] {
    let calmFrom = 0
    let episode = this.#episodeFrom(0)
    return this.#ticks.map((_, n) => {
      if (n >= episode.end) episode = this.#episodeFrom((calmFrom = n))
      const { start, fired } = episode
      if (n < start) {
        if (this.#missed[n] === undefined) return undefined
        return { ...normal, reason: this.#reason(n, calmFrom, false) }
      }
      const reason = this.#reason(n, start, n >= fired)
      const activeAtMs = this.#activeAtMs(start, Math.min(n, fired))
      if (n < fired) return { state: 'Pending', reason, activeAtMs, firedAtMs: undefined }
      return { state: ownState[this.#set] ?? 'Alerting', reason, activeAtMs, firedAtMs: this.#tick(fired).atMs }
    })
  }
}

/** Returns the instances after each evaluation of a period without pauses. */
function statesOfEra(ticks: readonly Tick[]): readonly ReadonlyMap<SetName, ModelInstance>[] {
  const names = new Set(ticks.flatMap(({ outcome }) => (typeof outcome === 'object' ? [...outcome.keys()] : [])))
  names.delete('')
  const ofSets = [...names, 'no-data', 'error'].map((set) => {
    return [set, new SetHistory(set, ticks, () => false).states()] as const
  })
  const others = ofSets.filter(([set]) => !(set in ownState))
  const isAlone = (n: number): boolean => others.every(([, states]) => states[n - 1] === undefined)
  const all = [...ofSets, ['', new SetHistory('', ticks, isAlone).states()] as const]
  return ticks.map((_, n) => new Map(all.flatMap(([set, states]) => (states[n] ? [[set, states[n]] as const] : []))))
}

/**
 * Returns the instances after each evaluated tick, computed from the whole history by rulings M29 to M48 of the monitor
 * specification.
 */
export function referenceStates(ticks: readonly Tick[]): readonly ReadonlyMap<SetName, ModelInstance>[] {
  const starts = [0, ...ticks.flatMap(({ isPausedBefore }, n) => (isPausedBefore && n > 0 ? [n] : [])), ticks.length]
  return starts.slice(1).flatMap((end, i) => statesOfEra(ticks.slice(starts[i], end)))
}
