import type { Labels } from '../../../data/index.ts'

export type AlertState = 'inactive' | 'pending' | 'firing'

/** An alert of an alerting rule for one label set. Times are Unix ms. */
export interface ActiveAlert {
  readonly labels: Labels
  annotations: Labels
  value: number
  state: AlertState
  /** Time at which the expression became true. */
  activeAtMs: number
  firedAtMs: number | undefined
  resolvedAtMs: number | undefined
  /** Time at which the expression became false, while `keep_firing_for` keeps the alert firing. */
  keepFiringSinceMs: number | undefined
  lastSentAtMs: number | undefined
}

/**
 * Time for which a resolved alert is sent repeatedly, ms. The receiver then learns of the end even if requests fail.
 */
const RESOLVED_RETENTION_MS = 15 * 60_000

/** Durations `for` and `keep_firing_for` of an alerting rule, ms. */
export interface AlertTimes {
  readonly forMs: number
  readonly keepFiringForMs: number
}

/**
 * Updates an alert at an evaluation. `isMatching` is true if the expression has a series with the alert's labels.
 * Returns true if the alert is active, false if it is resolved, and `undefined` if it must be removed.
 */
export function advanceAlert(
  alert: ActiveAlert,
  isMatching: boolean,
  atMs: number,
  { forMs, keepFiringForMs }: AlertTimes,
): boolean | undefined {
  if (isMatching) alert.keepFiringSinceMs = undefined
  else if (!isKept(alert, atMs, keepFiringForMs)) return endAlert(alert, atMs)
  if (alert.state === 'pending' && atMs - alert.activeAtMs >= forMs) {
    alert.state = 'firing'
    alert.firedAtMs = atMs
  }
  return true
}

function isKept(alert: ActiveAlert, atMs: number, keepFiringForMs: number): boolean {
  if (alert.state !== 'firing' || keepFiringForMs === 0) return false
  alert.keepFiringSinceMs ??= atMs
  return atMs - alert.keepFiringSinceMs < keepFiringForMs
}

function endAlert(alert: ActiveAlert, atMs: number): false | undefined {
  if (alert.state === 'pending') return undefined
  if (alert.resolvedAtMs !== undefined && atMs - alert.resolvedAtMs > RESOLVED_RETENTION_MS) return undefined
  if (alert.state === 'firing') {
    alert.state = 'inactive'
    alert.resolvedAtMs = atMs
  }
  return false
}

/** True if an alert must be sent: it is newly firing or resolved, or was last sent more than the resend delay ago. */
export function isDue(
  { state, resolvedAtMs, lastSentAtMs }: ActiveAlert,
  atMs: number,
  resendDelayMs: number,
): boolean {
  if (state === 'pending') return false
  if (lastSentAtMs === undefined) return true
  if (resolvedAtMs !== undefined && resolvedAtMs > lastSentAtMs) return true
  return lastSentAtMs + resendDelayMs < atMs
}
