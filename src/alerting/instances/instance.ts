import type { Labels } from '../../data/index.ts'

export type InstanceState = 'Normal' | 'Pending' | 'Alerting' | 'NoData' | 'Error'

/** Reason for the state of an instance, if it does not follow from results alone. */
export type Reason =
  | 'NoData'
  | 'Error'
  | 'KeepLast'
  | 'KeepFiring'
  | 'MissingSeries'
  | 'Updated'
  | 'Paused'
  | 'Deleted'
  | 'Held'

/**
 * Origin of an instance's labels.
 *
 * - `result`: a result of the monitor's queries.
 * - `monitor`: the monitor alone, in an evaluation without data or with an error.
 * - `no-data`, `error`: as `monitor`, with a label `reason`.
 */
export type InstanceOrigin = 'result' | 'monitor' | 'no-data' | 'error'

/** A label set of a monitor with its state. Immutable. Times are Unix ms. */
export interface Instance {
  /** Final labels, which identify the instance within its monitor. */
  readonly labels: Labels
  readonly origin: InstanceOrigin
  readonly state: InstanceState
  readonly reason: Reason | undefined
  /** Time of the first evaluation of the current breach; `undefined` in the state Normal. */
  readonly activeAtMs: number | undefined
  /** Time at which the instance became Alerting, NoData or Error; `undefined` before. */
  readonly firedAtMs: number | undefined
  /**
   * Time since which the condition no longer holds while `keepFiringForMs` keeps the alert firing; otherwise
   * `undefined`.
   */
  readonly keepFiringSinceMs: number | undefined
  /** Number of consecutive evaluations that had results, but none for this label set. */
  readonly missed: number
}

/** True if receivers are notified of an instance in this state. */
export function isNotified({ state }: Instance): boolean {
  return state === 'Alerting' || state === 'NoData' || state === 'Error'
}

/** All instances of one monitor after an evaluation. Immutable. */
export interface MonitorState {
  /** Instances by the key of their labels. */
  readonly instances: ReadonlyMap<string, Instance>
  /** Scheduled time of the last evaluation; `undefined` before the first. */
  readonly evaluatedAtMs: number | undefined
  /** True if the model was edited after the last evaluation. */
  readonly isModelEdited: boolean
}

export const initialState: MonitorState = { instances: new Map(), evaluatedAtMs: undefined, isModelEdited: false }

/** Settings of a monitor that determine states. Durations are in ms. */
export interface InstanceRules {
  readonly intervalMs: number
  readonly pendingForMs: number
  readonly keepFiringForMs: number
  readonly autoResolve: boolean
  readonly noDataState: 'OK' | 'Alerting' | 'NoData' | 'KeepLast'
  readonly errorState: 'OK' | 'Alerting' | 'Error' | 'KeepLast'
  /** Labels of the instance that represents the whole monitor, without `reason`. */
  readonly monitorLabels: Labels
}

/** A value of one label set. */
export interface InstanceResult {
  readonly labels: Labels
  /**
   * True if the value is in breach. The answer depends on whether the instance is alerting, because of the resolve
   * threshold.
   */
  readonly isBreaching: (isAlerting: boolean) => boolean
}

/** Result of running the queries of one evaluation. `results` is not empty, and its label sets are distinct. */
export type Evaluation =
  | { readonly kind: 'results'; readonly results: readonly InstanceResult[] }
  | { readonly kind: 'no-data' }
  | { readonly kind: 'error' }

/** A state change. `to` is the instance after the change, or its last state if it is removed. */
export interface Transition {
  readonly from: InstanceState
  readonly to: Instance
  readonly atMs: number
}

/** State after an evaluation, and the instances whose state has changed. */
export interface InstanceStep {
  readonly state: MonitorState
  readonly transitions: readonly Transition[]
}
