import { Labels } from '../../data/index.ts'
import { fingerprintOf } from './fingerprint.ts'
import { makeDelivery, type NotificationGroup, type PendingDelivery } from './group.ts'
import type { DeadLetter, NotificationRecord, NotificationReason, RoutedAlert } from './types.ts'

/** An alert as JSON: labels are objects, an unknown end is `null`. */
export type AlertState = Omit<RoutedAlert, 'labels' | 'annotations' | 'endsAtMs'> & {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly endsAtMs: number | null
}

/** A delivery that has not succeeded yet. After a restart it is sent again with the same id. */
export interface PendingState {
  readonly id: string
  readonly threadId: string
  readonly reason: NotificationReason
  readonly atMs: number
  readonly deadlineMs: number
  /** Repeat interval of the delivery, ms; `null` if it is not repeated. */
  readonly repeatMs: number | null
  readonly attempts: number
  /** Alerts of the delivery, as they were when it was created. */
  readonly alerts: readonly AlertState[]
  readonly firing: readonly string[]
  readonly resolved: readonly string[]
}

export interface GroupState {
  readonly id: string
  readonly nextLookMs: number
  readonly hasLooked: boolean
  /** Fingerprints of the alerts in the group. */
  readonly alerts: readonly string[]
  readonly pending?: PendingState
}

/** Complete state of a dispatcher as JSON. */
export interface DispatcherState {
  readonly alerts: readonly AlertState[]
  readonly groups: readonly GroupState[]
  readonly log: readonly NotificationRecord[]
  readonly deadLetters: readonly DeadLetter[]
}

export function encodeAlert(alert: RoutedAlert): AlertState {
  const { labels, annotations, endsAtMs } = alert
  return {
    ...alert,
    labels: labels.toRecord(),
    annotations: annotations.toRecord(),
    endsAtMs: endsAtMs === Infinity ? null : endsAtMs,
  }
}

export function decodeAlert(state: AlertState): RoutedAlert {
  const { labels, annotations, endsAtMs } = state
  return { ...state, labels: Labels.of(labels), annotations: Labels.of(annotations), endsAtMs: endsAtMs ?? Infinity }
}

export function encodeGroup({ options, nextLookMs, hasLooked, alerts, pending }: NotificationGroup): GroupState {
  const fingerprints = [...alerts.values()].map(({ labels }) => fingerprintOf(labels))
  const state = { id: options.id, nextLookMs, hasLooked, alerts: fingerprints }
  return pending === undefined ? state : { ...state, pending: encodePending(pending) }
}

function encodePending({ delivery, firing, resolved, deadlineMs, repeatMs, attempts }: PendingDelivery): PendingState {
  const { id, threadId, reason, atMs, alerts } = delivery
  return {
    id,
    threadId,
    reason,
    atMs,
    deadlineMs,
    repeatMs: repeatMs === Infinity ? null : repeatMs,
    attempts,
    alerts: alerts.map(encodeAlert),
    firing,
    resolved,
  }
}

/** Restores the times and the pending delivery of a group whose alerts have been restored. */
export function restoreGroup(group: NotificationGroup, state: GroupState, externalUrl: string): void {
  group.nextLookMs = state.nextLookMs
  group.hasLooked = state.hasLooked
  if (state.pending === undefined) return
  const { id, threadId, reason, atMs, deadlineMs, repeatMs, attempts, firing, resolved } = state.pending
  const alerts = state.pending.alerts.map(decodeAlert).map((alert) => {
    const fingerprint = fingerprintOf(alert.labels)
    return { ...alert, fingerprint, status: firing.includes(fingerprint) ? ('firing' as const) : ('resolved' as const) }
  })
  const ended = [...group.alerts.values()].filter(({ labels }) => resolved.includes(fingerprintOf(labels)))
  group.pending = {
    delivery: makeDelivery(group.options, { id, reason, alerts, atMs, threadId, externalUrl }),
    firing,
    resolved,
    ended,
    repeatMs: repeatMs ?? Infinity,
    deadlineMs,
    dueMs: atMs,
    attempts,
    isInFlight: false,
  }
}
