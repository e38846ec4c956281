import type { Labels } from '../../data/index.ts'

export type InstanceState = 'Normal' | 'Pending' | 'Alerting' | 'NoData' | 'Error'

/** The reason for the state of an instance, where its results alone do not give it. */
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

/** One label set of a monitor with its state. Immutable. Times are milliseconds since 1970. */
export interface Instance {
  /** Final labels, which identify the instance within its monitor. */
  readonly labels: Labels
  readonly origin: InstanceOrigin
  readonly state: InstanceState
  readonly reason: Reason | undefined
  /** Time of the first evaluation of the current breach; `undefined` in the state Normal. */
  readonly activeAtMs: number | undefined
  /** When the instance became Alerting, NoData or Error; `undefined` before. */
  readonly firedAtMs: number | undefined
  /** Since when the condition no longer holds while `keepFiringForMs` keeps the alert firing; else `undefined`. */
  readonly keepFiringSinceMs: number | undefined
  /** Number of consecutive evaluations that had results, but none for this label set. */
  readonly missed: number
}

/** Whether receivers are notified of an instance. */
export function isNotified({ state }: Instance): boolean {
  return state === 'Alerting' || state === 'NoData' || state === 'Error'
}

/** All instances of one monitor after an evaluation. Immutable. */
export interface MonitorState {
  /** Instances by the key of their labels. */
  readonly instances: ReadonlyMap<string, Instance>
  /** Scheduled time of the last evaluation; `undefined` before the first. */
  readonly evaluatedAtMs: number | undefined
  /** Whether the model was edited after the last evaluation. */
  readonly isModelEdited: boolean
}

export const initialState: MonitorState = { instances: new Map(), evaluatedAtMs: undefined, isModelEdited: false }

/** The settings of a monitor that decide states. Durations are milliseconds. */
export interface InstanceRules {
  readonly intervalMs: number
  readonly pendingForMs: number
  readonly keepFiringForMs: number
  readonly autoResolve: boolean
  readonly noDataState: 'OK' | 'Alerting' | 'NoData' | 'KeepLast'
  readonly errorState: 'OK' | 'Alerting' | 'Error' | 'KeepLast'
  /** Labels of the instance that stands for the whole monitor, without `reason`. */
  readonly monitorLabels: Labels
}

/** A value of one label set. */
export interface InstanceResult {
  readonly labels: Labels
  /** With a resolve threshold, the answer depends on whether the instance is alerting. */
  readonly isBreaching: (isAlerting: boolean) => boolean
}

/** Outcome of one evaluation. `results` has at least one result, and no label set twice. */
export type Evaluation =
  | { readonly kind: 'results'; readonly results: readonly InstanceResult[] }
  | { readonly kind: 'no-data' }
  | { readonly kind: 'error' }

/** A change of state. `to` is the instance after the change; its last state if it is forgotten. */
export interface Transition {
  readonly from: InstanceState
  readonly to: Instance
  readonly atMs: number
}

/** State after an evaluation, and the instances whose state has changed. */
export interface Step {
  readonly state: MonitorState
  readonly transitions: readonly Transition[]
}
