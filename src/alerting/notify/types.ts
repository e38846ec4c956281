import type { Labels } from '../../data/index.ts'
import type { Alert } from '../alert.ts'
import type { Integration } from './config/index.ts'

export type AlertStatus = 'firing' | 'resolved'

/** Settings of a monitor that override the settings of routes. */
export interface AlertSettings {
  /** Names of receivers, each of which gets the alert. If empty, the route tree decides. */
  readonly receivers?: readonly string[]
  readonly repeatIntervalMs?: number
  readonly disableRenotification?: boolean
  /** Statuses of the alert that are sent. Default: all that the receiver accepts. */
  readonly statuses?: readonly AlertStatus[]
  /** True if receivers are never notified of the alert. */
  readonly isMuted?: boolean
}

/** Expanded notification texts of a monitor. */
export interface AlertDisplay {
  readonly title?: string
  readonly description?: string
  /** Names of the labels that are listed first, in this order. */
  readonly firstLabels?: readonly string[]
}

/** An alert with the settings of its monitor. */
export interface RoutedAlert extends Alert {
  readonly settings?: AlertSettings
  readonly display?: AlertDisplay
  /** The value that was compared with the thresholds. */
  readonly value?: number
  /** Evaluation interval of its monitor, ms. */
  readonly intervalMs?: number
  /** True if the end was derived from `resolve_timeout`. Any later message replaces it. */
  readonly isTimeout?: boolean
  /** Time at which the latest version was received, Unix ms. */
  readonly updatedAtMs?: number
}

/** An alert in a delivery, with the status that it had when the delivery was created. */
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

/** A notification of a group to one integration; the same for all attempts. */
export interface Delivery {
  /** Idempotency key: a hash of the group, the alerts with their statuses, and the creation time. */
  readonly id: string
  /** Id of the group and its integration. At most one delivery of a group is in flight. */
  readonly groupId: string
  readonly receiver: string
  readonly integration: Integration
  readonly groupKey: string
  readonly groupLabels: Labels
  readonly reason: NotificationReason
  readonly status: AlertStatus
  /** Alerts of the delivery, at least one, in Alertmanager's order. */
  readonly alerts: readonly NotifiedAlert[]
  /** Creation time, Unix ms. */
  readonly atMs: number
  /** Id of the delivery with which this thread of messages about the group began. */
  readonly threadId: string
  readonly externalUrl: string
}

/** Result of an attempt to send. `reason` is for people and contains no secret. */
export type SendOutcome =
  | { readonly kind: 'success' }
  | { readonly kind: 'retry'; readonly reason: string; readonly retryAfterMs?: number }
  | { readonly kind: 'failed'; readonly reason: string }

/** Log record of a group's latest notification, which prevents duplicates. */
export interface NotificationRecord {
  readonly groupId: string
  /** Time at which the notification was acknowledged, Unix ms. */
  readonly atMs: number
  /** Fingerprints of the alerts that were firing. */
  readonly firing: readonly string[]
  readonly resolved: readonly string[]
  readonly threadId: string
  /** Time from which the record is removed if its group no longer exists, Unix ms. */
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
  /** Time at which it was given up, Unix ms. */
  readonly atMs: number
  readonly reason: string
}
