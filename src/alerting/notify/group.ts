import type { Labels } from '../../data/index.ts'
import { isFiring } from '../alert.ts'
import type { Integration, Receiver, Route } from './config/index.ts'
import { compareAlertLabels, fingerprintOf, hashOf } from './fingerprint.ts'
import {
  FIRST_PAUSE_MS,
  LEAST_DELIVERY_MS,
  LOG_REPEATS,
  MAX_PAUSE_MS,
  PAUSE_GROWTH,
  RESEND_MS,
  SWEEP_MS,
} from './tuning.ts'
import type {
  Delivery,
  NotificationRecord,
  NotificationReason,
  NotifiedAlert,
  SendOutcome,
  RoutedAlert,
} from './types.ts'

/** Identity and settings of a group. */
export interface GroupOptions {
  readonly id: string
  readonly key: string
  readonly labels: Labels
  readonly receiver: string
  readonly integration: Integration
  readonly waitMs: number
  readonly intervalMs: number
  /** Repeat interval, unless the monitor of an alert sets another, ms. */
  readonly repeatMs: number
}

/** Returns the labels by which a route groups an alert. */
export function groupLabels({ groupBy }: Route, labels: Labels): Labels {
  return groupBy === 'all' ? labels : labels.keep(groupBy)
}

/** Returns the settings of the groups in which a receiver puts an alert, one for each of its integrations. */
export function groupsFor(route: Route, receiver: Receiver, alert: Labels): readonly GroupOptions[] {
  const labels = groupLabels(route, alert)
  const key = `${route.key}:${labels.toString()}`
  return receiver.integrations.map((integration) => {
    // Alertmanager groups alerts and delays notifications itself. It resolves alerts that are not sent again.
    const isForwarded = integration.kind === 'alertmanager'
    return {
      id: `${receiver.name}/${integration.id} ${key}`,
      key,
      labels,
      receiver: receiver.name,
      integration,
      waitMs: isForwarded ? 0 : route.groupWaitMs,
      intervalMs: isForwarded ? Math.min(RESEND_MS, route.groupIntervalMs) : route.groupIntervalMs,
      repeatMs: isForwarded ? 0 : route.repeatIntervalMs,
    }
  })
}

/** Returns the shortest repeat interval of the firing alerts; `Infinity` if none is repeated. */
function repeatMsOf({ repeatMs, integration }: GroupOptions, alerts: readonly NotifiedAlert[]): number {
  if (integration.kind === 'alertmanager') return repeatMs
  const wanted = alerts
    .filter(({ status }) => status === 'firing')
    .map(({ settings = {} }) =>
      settings.disableRenotification === true ? Infinity : (settings.repeatIntervalMs ?? repeatMs),
    )
  return Math.min(...wanted)
}

/** True if an alert with its status is sent to the integration. */
function isSent({ status, settings }: NotifiedAlert, { sendResolved }: Integration): boolean {
  return (status === 'firing' || sendResolved) && (settings?.statuses?.includes(status) ?? true)
}

/**
 * Returns the reason to notify a group; `undefined` if there is none. `record` describes the latest notification.
 * `firing` has fingerprints of firing alerts, `ended` those of resolved alerts that the receiver accepts. Silenced and
 * inhibited alerts are in neither.
 */
function reasonToNotify(
  record: NotificationRecord | undefined,
  firing: readonly string[],
  ended: readonly string[],
  repeatMs: number,
  nowMs: number,
): NotificationReason | undefined {
  if (record === undefined) return firing.length > 0 ? 'first notification' : undefined
  const known = new Set(record.firing)
  if (!firing.every((each) => known.has(each))) return known.size === 0 ? 'first notification' : 'new alerts added'
  // This is a reason even without `send_resolved`, so that the log record no longer lists the alerts as firing.
  if (firing.length === 0) return known.size > 0 ? 'all alerts resolved' : undefined
  const knownEnded = new Set(record.resolved)
  if (!ended.every((each) => knownEnded.has(each))) return 'some alerts resolved'
  return record.atMs < nowMs - repeatMs ? 'repeat interval elapsed' : undefined
}

/** A delivery until it succeeds or is given up. */
export interface PendingDelivery {
  readonly delivery: Delivery
  /**
   * Fingerprints of the firing alerts for the log after success: all that are not suppressed, including those that are
   * not sent.
   */
  readonly firing: readonly string[]
  readonly resolved: readonly string[]
  /** Resolved alerts to remove after success, in the version that was sent. */
  readonly ended: readonly RoutedAlert[]
  readonly repeatMs: number
  /** Time from which no further attempt begins, Unix ms. */
  readonly deadlineMs: number
  dueMs: number
  attempts: number
  isInFlight: boolean
  /** The error of the latest attempt. */
  reason?: string
}

/** Context for checking a group. */
export interface CheckTools {
  /** True if an alert is silenced or inhibited. */
  readonly isMuted: (labels: Labels) => boolean
  readonly record: NotificationRecord | undefined
  readonly externalUrl: string
}

/** Builds the delivery of a group; `alerts` must not be empty. */
export function makeDelivery(
  { id, key, labels, receiver, integration }: GroupOptions,
  look: Pick<Delivery, 'id' | 'reason' | 'alerts' | 'atMs' | 'threadId' | 'externalUrl'>,
): Delivery {
  const isAnyFiring = look.alerts.some(({ status }) => status === 'firing')
  const status = isAnyFiring ? 'firing' : 'resolved'
  return { ...look, groupId: id, groupKey: key, groupLabels: labels, receiver, integration, status }
}

/**
 * Alerts of one route with equal group labels, for one integration. It has no clock: each method receives the time.
 * `check` checks periodically whether to notify; Alertmanager calls this a flush.
 */
export class NotificationGroup {
  readonly options: GroupOptions
  readonly alerts = new Map<string, RoutedAlert>()
  nextLookMs: number
  hasLooked = false
  pending: PendingDelivery | undefined

  constructor(options: GroupOptions, nowMs: number) {
    this.options = options
    this.nextLookMs = nowMs + options.waitMs
  }

  /** Adds or replaces an alert. If it began at least `group_wait` ago, the first check is due at once. */
  insert(alert: RoutedAlert, nowMs: number): void {
    if (this.isIdle && this.nextLookMs < nowMs) {
      // While the group was empty, checks were skipped; their schedule continues.
      const { intervalMs } = this.options
      this.nextLookMs += Math.ceil((nowMs - this.nextLookMs) / intervalMs) * intervalMs
    }
    this.alerts.set(alert.labels.key, alert)
    if (!this.hasLooked && alert.startsAtMs + this.options.waitMs <= nowMs) this.nextLookMs = nowMs
  }

  /** True if the group has neither alerts nor a delivery. */
  get isIdle(): boolean {
    return this.alerts.size === 0 && this.pending === undefined
  }

  /**
   * Returns the time at which the group must be checked next; `Infinity` while it is idle or a delivery is in flight.
   */
  get wakeMs(): number {
    if (this.isIdle) return Infinity
    if (this.pending === undefined) return this.nextLookMs
    return this.pending.isInFlight ? Infinity : Math.min(this.pending.dueMs, this.pending.deadlineMs)
  }

  /**
   * Checks whether the receiver must be notified, and if so creates the pending delivery. Returns a log record if the
   * log changes without a delivery.
   */
  check(nowMs: number, { isMuted, record, externalUrl }: CheckTools): NotificationRecord | undefined {
    this.hasLooked = true
    this.nextLookMs = nowMs + this.options.intervalMs
    const all = [...this.alerts.values()].sort((a, b) => compareAlertLabels(a.labels, b.labels))
    const ended = all.filter((alert) => !isFiring(alert, nowMs))
    const visible = all
      .filter(({ labels }) => !isMuted(labels))
      .map((alert): NotifiedAlert => ({
        ...alert,
        status: isFiring(alert, nowMs) ? 'firing' : 'resolved',
        fingerprint: fingerprintOf(alert.labels),
      }))
    const withStatus = (status: string, alerts: readonly NotifiedAlert[]): readonly string[] =>
      alerts.filter((alert) => alert.status === status).map(({ fingerprint }) => fingerprint)
    const alerts = visible.filter((alert) => isSent(alert, this.options.integration))
    const [firing, resolved] = [withStatus('firing', visible), withStatus('resolved', visible)]
    const repeatMs = repeatMsOf(this.options, visible)
    const reason =
      visible.length === 0 ? undefined : reasonToNotify(record, firing, withStatus('resolved', alerts), repeatMs, nowMs)
    if (reason === undefined) {
      this.#forget(ended)
      // An alert that ended while it was suppressed must be notified when it fires again, even if repetition is off.
      const unseen = new Set(ended.filter(({ labels }) => isMuted(labels)).map(({ labels }) => fingerprintOf(labels)))
      const stays = record?.firing.filter((each) => !unseen.has(each)) ?? []
      if (record === undefined || stays.length === record.firing.length) return undefined
      return { ...record, firing: stays }
    }
    const states = alerts.flatMap(({ fingerprint, status }) => [fingerprint, status])
    const id = hashOf([this.options.id, ...states, String(nowMs)])
    const threadId = reason === 'first notification' ? id : (record?.threadId ?? id)
    if (alerts.length === 0) {
      this.#forget(ended)
      return this.#record(nowMs, firing, resolved, threadId, repeatMs)
    }
    this.pending = {
      delivery: makeDelivery(this.options, { id, reason, alerts, atMs: nowMs, threadId, externalUrl }),
      firing,
      resolved,
      ended,
      repeatMs,
      deadlineMs: nowMs + Math.max(this.options.intervalMs, LEAST_DELIVERY_MS),
      dueMs: nowMs,
      attempts: 0,
      isInFlight: false,
    }
    return undefined
  }

  /**
   * Records the outcome of an attempt. After a success it returns the log record and removes resolved alerts. After a
   * temporary failure, the next attempt is due after 0.5 to 1.5 times the back-off; `random` returns a number in [0,
   * 1).
   */
  settle(
    pending: PendingDelivery,
    outcome: SendOutcome,
    nowMs: number,
    random: () => number,
  ): NotificationRecord | undefined {
    pending.isInFlight = false
    if (outcome.kind === 'retry') {
      pending.reason = outcome.reason
      const baseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * PAUSE_GROWTH ** (pending.attempts - 1))
      pending.dueMs = nowMs + Math.max(Math.min(MAX_PAUSE_MS, baseMs * (0.5 + random())), outcome.retryAfterMs ?? 0)
      return undefined
    }
    this.pending = undefined
    if (outcome.kind === 'failed') return undefined
    this.#forget(pending.ended)
    const { firing, resolved, delivery, repeatMs } = pending
    return this.#record(nowMs, firing, resolved, delivery.threadId, repeatMs)
  }

  /** Removes resolved alerts, unless a newer version has arrived. */
  #forget(ended: readonly RoutedAlert[]): void {
    for (const alert of ended) {
      const { key } = alert.labels
      if (this.alerts.get(key) === alert) this.alerts.delete(key)
    }
  }

  #record(
    atMs: number,
    firing: readonly string[],
    resolved: readonly string[],
    threadId: string,
    repeatMs: number,
  ): NotificationRecord {
    const { id, intervalMs } = this.options
    // JSON cannot represent Infinity.
    const expiresAtMs = Math.min(Number.MAX_SAFE_INTEGER, atMs + LOG_REPEATS * Math.max(repeatMs, intervalMs, SWEEP_MS))
    return { groupId: id, atMs, firing, resolved, threadId, expiresAtMs }
  }
}
