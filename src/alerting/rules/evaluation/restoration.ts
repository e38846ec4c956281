import type { ActiveAlert } from './active-alert.ts'

/** An active alert in the state of a group: plain data. Times are milliseconds since 1970. */
export interface StoredAlert {
  readonly labels: Readonly<Record<string, string>>
  /** When the expression began to hold, in whole seconds. */
  readonly activeAtMs: number
  /** Time of the last evaluation that found the alert active. */
  readonly seenAtMs: number
}

/** State of a group that outlives a restart: plain data. */
export interface GroupState {
  readonly alerts: readonly StoredAlert[]
}

/** How alerts are restored after a restart. */
export interface RestoreSettings {
  /** Longest time in ms without evaluations after which alerts are restored. */
  readonly outageToleranceMs: number
  /** Shortest time in ms between a restart and the firing of a restored alert that was pending. */
  readonly gracePeriodMs: number
}

export const defaultRestoreSettings: RestoreSettings = { outageToleranceMs: 3_600_000, gracePeriodMs: 600_000 }

/** Evaluations after a restart before alerts are restored: the first ones may lack series that rules record. */
export const EVALUATIONS_BEFORE_RESTORE = 2

/**
 * Returns the time at which a restored alert became active, so that the time without evaluations does not count. An
 * alert that was firing keeps its time.
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
