import type { Labels } from '../../data/index.ts'
import type { Alert } from '../alert.ts'
import type { Integration } from './config/index.ts'

export type AlertStatus = 'firing' | 'resolved'

/** Settings of one monitor that replace those of routes. */
export interface AlertSettings {
  /** Names of receivers; each gets the alert. Empty: the route tree decides. */
  readonly receivers?: readonly string[]
  readonly repeatIntervalMs?: number
  readonly disableRenotification?: boolean
  /** Statuses that are sent; absent: all that the receiver takes. */
  readonly statuses?: readonly AlertStatus[]
  /** Never notify. */
  readonly isMuted?: boolean
}

/** Texts of a monitor for people, already expanded. */
export interface AlertDisplay {
  readonly title?: string
  readonly description?: string
  /** Names of labels that stand first, in this order. */
  readonly firstLabels?: readonly string[]
}

/** An alert with the settings of its monitor. */
export interface RoutedAlert extends Alert {
  readonly settings?: AlertSettings
  readonly display?: AlertDisplay
  /** The value that was compared with the thresholds. */
  readonly value?: number
  /** Time between evaluations of its monitor, in ms. */
  readonly intervalMs?: number
  /** The end was derived from `resolve_timeout`; any later message replaces it. */
  readonly isTimeout?: boolean
  /** When its latest version was received. */
  readonly updatedAtMs?: number
}

/** An alert as one delivery has it: the status is that at the time of the look. */
export interface NotifiedAlert extends RoutedAlert {
  readonly status: AlertStatus
  readonly fingerprint: string
}

/** Reasons to notify, in Alertmanager's words. */
export type NotificationReason =
  | 'first notification'
  | 'new alerts added'
  | 'some alerts resolved'
  | 'all alerts resolved'
  | 'repeat interval elapsed'

/** One notification of one group to one integration; the same for all attempts. */
export interface Delivery {
  /** Idempotency key: a hash of group, alerts with their statuses, and time of the look. */
  readonly id: string
  /** Identifies the group at this integration. At most one delivery of a group is in flight. */
  readonly groupId: string
  readonly receiver: string
  readonly integration: Integration
  readonly groupKey: string
  readonly groupLabels: Labels
  readonly reason: NotificationReason
  readonly status: AlertStatus
  /** Not empty; in Alertmanager's order. */
  readonly alerts: readonly NotifiedAlert[]
  /** When the group was looked at. */
  readonly atMs: number
  /** The id of the group's delivery that began this thread of messages. */
  readonly threadId: string
  readonly externalUrl: string
}

/** Result of one attempt to send. `reason` is for people and holds no secret. */
export type Outcome =
  | { readonly kind: 'success' }
  | { readonly kind: 'retry'; readonly reason: string; readonly retryAfterMs?: number }
  | { readonly kind: 'failed'; readonly reason: string }

/** The latest notification of one group: the state that prevents a second one. */
export interface LogRecord {
  readonly groupId: string
  /** When it was acknowledged. */
  readonly atMs: number
  /** Fingerprints. */
  readonly firing: readonly string[]
  readonly resolved: readonly string[]
  readonly threadId: string
  /** When the record is forgotten if its group no longer exists. */
  readonly expiresAtMs: number
}

/** A delivery that was given up. */
export interface DeadLetter {
  readonly id: string
  readonly groupId: string
  readonly receiver: string
  readonly integrationId: string
  readonly groupKey: string
  readonly status: AlertStatus
  readonly fingerprints: readonly string[]
  /** When it was given up. */
  readonly atMs: number
  readonly reason: string
}
