import { Labels } from '../../data/index.ts'
import {
  initialState,
  type Evaluation,
  type Instance,
  type InstanceOrigin,
  type InstanceResult,
  type InstanceRules,
  type MonitorState,
  type Reason,
  type InstanceStep,
  type Transition,
} from './instance.ts'

/**
 * If the clock is behind the last evaluation by more than this, it was set back, and the schedule starts again (M34).
 */
const MAX_CLOCK_LAG_MS = 5 * 60_000

/** Number of consecutive evaluations without a result after which an instance is resolved (M37, Grafana's default). */
const MISSED_TO_RESOLVE = 2

/** Maximum gap, in intervals, that counts as time in which the condition held (M31). */
const GAP_INTERVALS = 2

/** False if an evaluation must be skipped because it is not after the last one, unless the clock was set back. */
export function isDue({ evaluatedAtMs }: MonitorState, nowMs: number): boolean {
  return evaluatedAtMs === undefined || nowMs > evaluatedAtMs || evaluatedAtMs - nowMs > MAX_CLOCK_LAG_MS
}

/** Returns the instance in the state Normal, after its breach has ended. */
function ended(instance: Pick<Instance, 'labels' | 'origin' | 'missed'>, reason?: Reason): Instance {
  const { labels, origin, missed } = instance
  return {
    labels,
    origin,
    state: 'Normal',
    reason,
    activeAtMs: undefined,
    firedAtMs: undefined,
    keepFiringSinceMs: undefined,
    missed,
  }
}

/** Returns a new instance in the state Normal. */
function created(labels: Labels, origin: InstanceOrigin): Instance {
  return ended({ labels, origin, missed: 0 })
}

/** Returns the state of an instance whose breach has lasted for the pending period. */
function firingState(origin: InstanceOrigin): 'Alerting' | 'NoData' | 'Error' {
  return origin === 'no-data' ? 'NoData' : origin === 'error' ? 'Error' : 'Alerting'
}

/** One evaluation of a monitor, which updates every instance. */
class Round {
  readonly #rules: InstanceRules
  readonly #nowMs: number
  readonly #isModelEdited: boolean
  #isEditPending = false
  readonly #before: ReadonlyMap<string, Instance>
  readonly #after = new Map<string, Instance>()
  readonly #transitions: Transition[] = []

  constructor(state: MonitorState, rules: InstanceRules, nowMs: number) {
    this.#rules = rules
    this.#nowMs = nowMs
    this.#isModelEdited = state.isModelEdited
    this.#before = withoutGap(state, rules, nowMs)
  }

  results(results: readonly InstanceResult[]): void {
    for (const { labels, isBreaching } of results) {
      const known = this.#before.get(labels.key) ?? created(labels, 'result')
      const found = { ...known, origin: 'result', missed: 0 } as const
      const after = isBreaching(known.state === 'Alerting') ? this.#breach(found) : this.#calm(found, undefined)
      this.#put(known, after)
    }
    for (const instance of this.#before.values()) {
      if (!this.#after.has(instance.labels.key)) this.#missing(instance, instance.origin === 'result')
    }
  }

  noData(): void {
    const { noDataState } = this.#rules
    if (noDataState === 'NoData') {
      const own = this.#report('NoData', 'no-data')
      for (const instance of this.#known()) if (!instance.labels.equals(own)) this.#missing(instance, true)
    } else this.#withoutResults(noDataState, 'NoData')
  }

  error(): void {
    // After a failed evaluation, the reset that an edit requires is still pending.
    this.#isEditPending = this.#isModelEdited
    const { errorState } = this.#rules
    if (errorState === 'Error') {
      const own = this.#report('Error', 'error')
      for (const instance of this.#known()) if (!instance.labels.equals(own)) this.#put(instance, instance)
    } else this.#withoutResults(errorState, 'Error')
  }

  end(): InstanceStep {
    const state = { instances: this.#after, evaluatedAtMs: this.#nowMs, isModelEdited: this.#isEditPending }
    return { state, transitions: this.#transitions }
  }

  #put(before: Instance, after: Instance, isForgotten = false): void {
    if (!isForgotten) this.#after.set(after.labels.key, after)
    if (before.state !== after.state) this.#transitions.push({ from: before.state, to: after, atMs: this.#nowMs })
  }

  #breach(instance: Instance, reason?: Reason): Instance {
    const { pendingForMs } = this.#rules
    const activeAtMs = instance.activeAtMs ?? this.#nowMs
    const held = { ...instance, reason, activeAtMs, keepFiringSinceMs: undefined }
    const isDue = this.#nowMs - activeAtMs >= pendingForMs
    const firedAtMs = instance.firedAtMs ?? (isDue ? this.#nowMs : undefined)
    return { ...held, state: firedAtMs === undefined ? 'Pending' : firingState(instance.origin), firedAtMs }
  }

  /**
   * Returns the instance after an evaluation in which its condition does not hold. `reason` is set if this does not
   * follow from a result.
   */
  #calm(instance: Instance, reason: Reason | undefined): Instance {
    // After an edit of the model, the instance is no longer held in its state (M35, M41).
    if (instance.state !== 'Alerting' || this.#isModelEdited) return ended(instance, reason)
    if (!this.#rules.autoResolve) return { ...instance, reason: 'Held' }
    if (reason !== undefined) return ended(instance, reason)
    // The minimum corrects for a clock that was set back. Otherwise the alert would keep firing longer.
    const keepFiringSinceMs = Math.min(instance.keepFiringSinceMs ?? Infinity, this.#nowMs)
    const isKept = this.#nowMs - keepFiringSinceMs < this.#rules.keepFiringForMs
    return isKept ? { ...instance, reason: 'KeepFiring', keepFiringSinceMs } : ended(instance)
  }

  /** Handles an instance without a result, in an evaluation that has results or no data. */
  #missing(instance: Instance, hasGrace: boolean): void {
    const missed = instance.missed + 1
    const isKept = hasGrace && missed < MISSED_TO_RESOLVE && !this.#isModelEdited
    if (isKept) return this.#put(instance, { ...instance, missed })
    const after = this.#calm({ ...instance, missed }, 'MissingSeries')
    this.#put(instance, after, after.state === 'Normal')
  }

  /**
   * Applies the setting for missing data or errors, if it is not NoData or Error. Without instances it creates one with
   * the monitor's labels.
   */
  #withoutResults(setting: 'OK' | 'Alerting' | 'KeepLast', reason: Reason): void {
    this.#endOwn()
    const found = this.#known()
    const instances = found.length > 0 ? found : [created(this.#rules.monitorLabels, 'monitor')]
    for (const instance of instances) {
      if (setting === 'OK') this.#put(instance, this.#calm(instance, reason))
      else if (setting === 'Alerting') this.#put(instance, this.#breach(instance, reason))
      else if (instance.state === 'Pending') this.#put(instance, this.#breach(instance, 'KeepLast'))
      else this.#put(instance, { ...instance, reason: 'KeepLast' })
    }
  }

  /** Makes the instance for missing data or an error breach. Returns its labels; a result may have the same labels. */
  #report(reason: 'NoData' | 'Error', origin: 'no-data' | 'error'): Labels {
    const labels = this.#rules.monitorLabels.with('reason', reason)
    this.#endOwn(labels)
    const known = this.#before.get(labels.key) ?? created(labels, origin)
    this.#put(known, this.#breach({ ...known, origin }, reason))
    return labels
  }

  /** Ends the instances for missing data or an error, except one with the labels `kept`. */
  #endOwn(kept?: Labels): void {
    for (const instance of this.#before.values()) {
      if (isOwn(instance) && instance.labels.key !== kept?.key) this.#put(instance, ended(instance), true)
    }
  }

  /** Returns the instances that come from results or have the monitor's labels. */
  #known(): readonly Instance[] {
    return [...this.#before.values()].filter((instance) => !isOwn(instance))
  }
}

/** True for the instance that represents missing data or an error. */
function isOwn({ origin }: Instance): boolean {
  return origin === 'no-data' || origin === 'error'
}

/**
 * Returns the instances before an evaluation. A long gap, or a clock that was set back, does not count towards the
 * pending period.
 */
function withoutGap(state: MonitorState, { intervalMs }: InstanceRules, nowMs: number): ReadonlyMap<string, Instance> {
  const { instances, evaluatedAtMs } = state
  if (evaluatedAtMs === undefined) return instances
  const gapMs = nowMs - evaluatedAtMs
  const isSetBack = gapMs <= 0
  if (!isSetBack && gapMs <= GAP_INTERVALS * intervalMs) return instances
  const moved = (instance: Instance): Instance => {
    if (instance.state !== 'Pending' || instance.activeAtMs === undefined) return instance
    return { ...instance, activeAtMs: isSetBack ? nowMs : instance.activeAtMs + gapMs - intervalMs }
  }
  return new Map([...instances].map(([key, instance]) => [key, moved(instance)]))
}

/**
 * Returns the state of a monitor after an evaluation. `nowMs` is the scheduled time, for which `isDue` must be true.
 */
export function advance(
  state: MonitorState,
  evaluation: Evaluation,
  rules: InstanceRules,
  nowMs: number,
): InstanceStep {
  const round = new Round(state, rules, nowMs)
  if (evaluation.kind === 'results') round.results(evaluation.results)
  else if (evaluation.kind === 'no-data') round.noData()
  else round.error()
  return round.end()
}

/** Ends all instances of a monitor that was paused or deleted or whose labels were edited. */
export function endAll(state: MonitorState, reason: 'Paused' | 'Deleted' | 'Updated', nowMs: number): InstanceStep {
  const transitions = [...state.instances.values()]
    .filter((instance) => instance.state !== 'Normal')
    .map((instance) => ({ from: instance.state, to: ended(instance, reason), atMs: nowMs }))
  return { state: initialState, transitions }
}

/** Ends an alerting instance at a user's request. Returns `undefined` if no instance with these labels is alerting. */
export function resolveByHand(state: MonitorState, labels: Labels, nowMs: number): InstanceStep | undefined {
  const instance = state.instances.get(labels.key)
  if (instance?.state !== 'Alerting') return undefined
  const to = ended(instance)
  const instances = new Map(state.instances).set(labels.key, to)
  return { state: { ...state, instances }, transitions: [{ from: 'Alerting', to, atMs: nowMs }] }
}
