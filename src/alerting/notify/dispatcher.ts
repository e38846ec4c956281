import type { Labels } from '../../data/index.ts'
import { isFiring } from '../alert.ts'
import { matchRoutes, type NotifyConfig, type Receiver, type Route } from './config/index.ts'
import { fingerprintOf } from './fingerprint.ts'
import { NotificationGroup, groupsFor, type GroupOptions, type PendingDelivery } from './group.ts'
import { Inhibitor } from './inhibition.ts'
import { NotificationLog } from './log.ts'
import { mergeAlerts } from './merge.ts'
import type { Silencer } from './silences.ts'
import { decodeAlert, encodeAlert, encodeGroup, restoreGroup, type DispatcherState } from './state.ts'
import { MAX_DEAD_LETTERS, MAX_UNDELIVERED_MS, SWEEP_MS } from './tuning.ts'
import type { DeadLetter, Delivery, NotificationRecord, SendOutcome, RoutedAlert } from './types.ts'

export interface DispatcherOptions {
  /** Returns a random number in [0, 1), for the jitter of retries. */
  readonly random?: () => number
}

/** Reasons why an alert is suppressed at present. */
export interface MuteState {
  /** Ids of the silences that suppress the alert. */
  readonly silencedBy: readonly string[]
  /** Fingerprints of the alerts that inhibit this one. */
  readonly inhibitedBy: readonly string[]
}

/**
 * Receives alerts and decides which deliveries are due. It has no clock and sends nothing. The caller advances it by
 * `nextWakeMs` at the latest, attempts each delivery once, and reports the outcome.
 */
export class Dispatcher {
  readonly config: NotifyConfig
  readonly #silences: Silencer
  readonly #log: NotificationLog
  readonly #random: () => number
  readonly #inhibitor: Inhibitor
  /** Alerts by label key. Resolved ones are kept until no group contains them. */
  readonly #alerts = new Map<string, RoutedAlert>()
  readonly #groups = new Map<string, NotificationGroup>()
  /** Latest failed delivery of each group, by group id. */
  readonly #deadLetters = new Map<string, DeadLetter>()
  #nextSweepMs = 0

  constructor(
    config: NotifyConfig,
    silences: Silencer,
    log = new NotificationLog(),
    { random = Math.random }: DispatcherOptions = {},
  ) {
    this.config = config
    this.#silences = silences
    this.#log = log
    this.#random = random
    this.#inhibitor = new Inhibitor(config.inhibitRules)
  }

  /**
   * Receives new versions of alerts. The caller must pass each alert that is new, changed or resolved, and may omit
   * unchanged ones. An alert with `isTimeout` ends at its `endsAtMs` unless it is passed again before.
   */
  receive(alerts: Iterable<RoutedAlert>, nowMs: number): void {
    this.#sweep(nowMs)
    for (const received of alerts) {
      const known = this.#alerts.get(received.labels.key)
      const merged = known === undefined ? received : mergeAlerts(known, received, nowMs)
      const alert = { ...merged, updatedAtMs: nowMs }
      this.#keep(alert)
      const targets = this.#groupsOf(alert)
      for (const options of targets) this.#groupOf(options, nowMs).insert(alert, nowMs)
      if (known !== undefined) this.#leaveGroups(known, alert, targets, nowMs)
    }
  }

  /**
   * Returns the deliveries to attempt now, earliest first. The caller must report each outcome to `answered`. Until
   * then `exportState` includes the delivery, so that it is attempted again after a restart.
   */
  advance(nowMs: number): readonly Delivery[] {
    this.#sweep(nowMs)
    const due = [...this.#groups.values()].filter((group) => group.wakeMs <= nowMs)
    return due.sort((a, b) => a.wakeMs - b.wakeMs).flatMap((group) => this.#advanceGroup(group, nowMs) ?? [])
  }

  /**
   * Returns the time at which `advance` must be called next; `Infinity` if only an outcome or a new alert can change
   * something.
   */
  get nextWakeMs(): number {
    let wakeMs = Infinity
    for (const group of this.#groups.values()) wakeMs = Math.min(wakeMs, group.wakeMs)
    return wakeMs
  }

  /**
   * Records the outcome of an attempt. Returns the log record after a success. Ignored unless the delivery is in
   * flight.
   */
  answered(delivery: Delivery, outcome: SendOutcome, nowMs: number): NotificationRecord | undefined {
    const group = this.#groups.get(delivery.groupId)
    const pending = group?.pending
    if (group === undefined || pending?.isInFlight !== true || pending.delivery.id !== delivery.id) return undefined
    const record = group.settle(pending, outcome, nowMs, this.#random)
    if (outcome.kind === 'failed') this.#giveUp(pending, outcome.reason, nowMs)
    if (record === undefined) return undefined
    this.#deadLetters.delete(delivery.groupId)
    this.#log.set(record)
    return record
  }

  /** Returns the current alerts, including resolved ones of which a receiver has not been notified yet. */
  alerts(): readonly RoutedAlert[] {
    return [...this.#alerts.values()]
  }

  /** Returns the routes of an alert with their receivers. */
  routesOf({ labels, settings }: RoutedAlert): readonly (readonly [Route, Receiver])[] {
    if (settings?.isMuted === true) return []
    const { route, receivers } = this.config
    const named = (settings?.receivers ?? []).flatMap((name) => receivers.get(name) ?? [])
    if (named.length > 0) {
      return named.map((receiver) => [{ ...route, key: `{}/{routing=${JSON.stringify(receiver.name)}}` }, receiver])
    }
    return matchRoutes(route, labels).flatMap((matched) => {
      const receiver = receivers.get(matched.receiver)
      return receiver === undefined ? [] : [[matched, receiver] as const]
    })
  }

  muteState(labels: Labels, nowMs: number): MuteState {
    return {
      silencedBy: this.#silences.silencedBy(labels, nowMs),
      inhibitedBy: this.#inhibitor.inhibitedBy(labels, nowMs).map(fingerprintOf),
    }
  }

  /** Returns the latest given-up delivery of each group. It is removed when the group is notified. */
  deadLetters(): readonly DeadLetter[] {
    return [...this.#deadLetters.values()]
  }

  /**
   * Makes a delivery with the current alerts of a dead letter's group due now. Returns false if there is no such
   * letter. Also returns false, and removes the letter, if its group has no alerts any more.
   */
  resend(id: string, nowMs: number): boolean {
    const letter = this.deadLetters().find((each) => each.id === id)
    if (letter === undefined) return false
    const group = this.#groups.get(letter.groupId)
    if (group === undefined || group.alerts.size === 0) {
      this.#deadLetters.delete(letter.groupId)
      return false
    }
    if (group.pending === undefined) group.nextLookMs = nowMs
    else group.pending.dueMs = nowMs
    return true
  }

  exportState(): DispatcherState {
    return {
      alerts: this.alerts().map(encodeAlert),
      groups: [...this.#groups.values()].map(encodeGroup),
      log: this.#log.records(),
      deadLetters: this.deadLetters(),
    }
  }

  /**
   * Restores a dispatcher from exported state. The configuration may have changed: alerts are routed again, and groups
   * that no longer exist are dropped. Deliveries in flight are attempted again with their ids.
   */
  static restore(
    config: NotifyConfig,
    silences: Silencer,
    state: DispatcherState,
    nowMs: number,
    log = new NotificationLog(state.log),
    options: DispatcherOptions = {},
  ): Dispatcher {
    const dispatcher = new Dispatcher(config, silences, log, options)
    const saved = new Map(state.groups.map((group) => [group.id, group]))
    for (const alert of state.alerts.map(decodeAlert)) {
      dispatcher.#keep(alert)
      const fingerprint = fingerprintOf(alert.labels)
      for (const groupOptions of dispatcher.#groupsOf(alert)) {
        const had = saved.get(groupOptions.id)?.alerts.includes(fingerprint) === true
        // A resolved alert outside its group has been notified already.
        if (had || isFiring(alert, nowMs)) dispatcher.#groupOf(groupOptions, nowMs).insert(alert, nowMs)
      }
    }
    for (const group of dispatcher.#groups.values()) {
      const groupState = saved.get(group.options.id)
      if (groupState !== undefined) restoreGroup(group, groupState, config.externalUrl)
    }
    for (const letter of state.deadLetters) dispatcher.#deadLetters.set(letter.groupId, letter)
    return dispatcher
  }

  #keep(alert: RoutedAlert): void {
    this.#alerts.set(alert.labels.key, alert)
    this.#inhibitor.set(alert)
  }

  #groupsOf(alert: RoutedAlert): readonly GroupOptions[] {
    return this.routesOf(alert).flatMap(([route, receiver]) => groupsFor(route, receiver, alert.labels))
  }

  /** Ends an alert in the groups to which it is no longer routed, after a change of its monitor's settings. */
  #leaveGroups(known: RoutedAlert, alert: RoutedAlert, targets: readonly GroupOptions[], nowMs: number): void {
    const ids = new Set(targets.map(({ id }) => id))
    for (const { id } of this.#groupsOf(known)) {
      const group = ids.has(id) ? undefined : this.#groups.get(id)
      if (group?.alerts.has(alert.labels.key) !== true) continue
      group.insert({ ...alert, endsAtMs: Math.min(alert.endsAtMs, nowMs) }, nowMs)
    }
  }

  #groupOf(options: GroupOptions, nowMs: number): NotificationGroup {
    let group = this.#groups.get(options.id)
    if (group === undefined) this.#groups.set(options.id, (group = new NotificationGroup(options, nowMs)))
    return group
  }

  #advanceGroup(group: NotificationGroup, nowMs: number): Delivery | undefined {
    const { pending } = group
    if (pending !== undefined && pending.deadlineMs <= nowMs) {
      group.pending = undefined
      const { reason = 'It was not attempted.' } = pending
      this.#giveUp(pending, `${reason} A later look at the group replaced it.`, nowMs)
    }
    if (group.pending === undefined && group.nextLookMs <= nowMs) {
      const record = group.check(nowMs, {
        isMuted: (labels) => {
          const { silencedBy, inhibitedBy } = this.muteState(labels, nowMs)
          return silencedBy.length > 0 || inhibitedBy.length > 0
        },
        record: this.#log.get(group.options.id),
        externalUrl: this.config.externalUrl,
      })
      if (record !== undefined) this.#log.set(record)
    }
    const next = group.pending
    if (next === undefined || next.dueMs > nowMs) return undefined
    next.attempts++
    next.isInFlight = true
    return next.delivery
  }

  #giveUp({ delivery }: PendingDelivery, reason: string, atMs: number): void {
    const { id, groupId, receiver, integration, groupKey, status, alerts } = delivery
    const fingerprints = alerts.map(({ fingerprint }) => fingerprint)
    const letter = {
      id,
      groupId,
      receiver,
      integrationId: integration.id,
      groupKey,
      status,
      fingerprints,
      atMs,
      reason,
    }
    // Deleted first, so that the map stays in time order.
    this.#deadLetters.delete(groupId)
    this.#deadLetters.set(groupId, letter)
    const [oldest] = this.#deadLetters.keys()
    if (this.#deadLetters.size > MAX_DEAD_LETTERS && oldest !== undefined) this.#deadLetters.delete(oldest)
  }

  /** Removes empty groups, resolved alerts without a group, and expired log records. */
  #sweep(nowMs: number): void {
    if (nowMs < this.#nextSweepMs) return
    this.#nextSweepMs = nowMs + SWEEP_MS
    const held = new Set<string>()
    for (const [id, group] of this.#groups) {
      for (const [key, { endsAtMs }] of group.alerts) {
        if (endsAtMs + MAX_UNDELIVERED_MS <= nowMs) group.alerts.delete(key)
        else held.add(key)
      }
      if (group.isIdle) this.#groups.delete(id)
    }
    for (const [key, alert] of this.#alerts) {
      if (isFiring(alert, nowMs) || held.has(key)) continue
      this.#alerts.delete(key)
      this.#inhibitor.delete(alert.labels)
    }
    this.#log.sweep(nowMs, (id) => this.#groups.has(id))
  }
}
