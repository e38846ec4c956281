import type { ActiveAlert } from './active-alert.ts'

/** An active alert in the stored state of a group. Times are Unix ms. */
export interface StoredAlert {
  readonly labels: Readonly<Record<string, string>>
  /** Time at which the expression became true, in whole seconds. */
  readonly activeAtMs: number
  /** Time of the last evaluation that found the alert active. */
  readonly seenAtMs: number
}

/** State of a group that survives a restart. */
export interface GroupState {
  readonly alerts: readonly StoredAlert[]
}

/** Settings for restoring alerts after a restart. */
export interface RestoreSettings {
  /** Maximum time without evaluations after which alerts are still restored, ms. */
  readonly outageToleranceMs: number
  /** Minimum time from the restart until a restored pending alert fires, ms. */
  readonly gracePeriodMs: number
}

export const defaultRestoreSettings: RestoreSettings = { outageToleranceMs: 3_600_000, gracePeriodMs: 600_000 }

/**
 * Number of evaluations after a restart before alerts are restored. The first ones may lack series that other rules
 * record.
 */
export const EVALUATIONS_BEFORE_RESTORE = 2

/**
 * Returns the time at which a restored alert became active, shifted by the time without evaluations. A firing alert
 * keeps its time.
 */
export function restoredActiveAtMs(
  { activeAtMs, seenAtMs }: StoredAlert,
  forMs: number,
  atMs: number,
  gracePeriodMs: number,
): number {
  const remainingMs = forMs - (seenAtMs - activeAtMs)
  if (remainingMs <= 0) return activeAtMs
  if (remainingMs < gracePeriodMs) return atMs + gracePeriodMs - forMs
  return activeAtMs + (atMs - seenAtMs)
}

/** Returns the active alerts as plain data. */
export function storeAlerts(alerts: readonly ActiveAlert[], seenAtMs: number): readonly StoredAlert[] {
  const wholeSeconds = (ms: number): number => Math.floor(ms / 1000) * 1000
  return alerts.map(({ labels, activeAtMs }) => ({
    labels: labels.toRecord(),
    activeAtMs: wholeSeconds(activeAtMs),
    seenAtMs: wholeSeconds(seenAtMs),
  }))
}
