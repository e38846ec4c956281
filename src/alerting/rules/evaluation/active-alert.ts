import type { Labels } from '../../../data/index.ts'

export type AlertState = 'inactive' | 'pending' | 'firing'

/** An alert of one label set of an alerting rule. Times are milliseconds since 1970. */
export interface ActiveAlert {
  readonly labels: Labels
  annotations: Labels
  value: number
  state: AlertState
  /** When the expression began to hold. */
  activeAtMs: number
  firedAtMs: number | undefined
  resolvedAtMs: number | undefined
  /** When the expression stopped holding, while `keep_firing_for` keeps the alert firing. */
  keepFiringSinceMs: number | undefined
  lastSentAtMs: number | undefined
}

/** Time in ms for which a resolved alert is sent, so that a receiver learns of it even if some requests fail. */
const RESOLVED_RETENTION_MS = 15 * 60_000

/** Length of the two times of an alerting rule in ms. */
export interface AlertTimes {
  readonly forMs: number
  readonly keepFiringForMs: number
}

/**
 * Advances an alert to an evaluation. Returns `undefined` if the alert is to be forgotten, else whether it is active.
 * `isMatching`: the expression has a series for its labels.
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

/** Whether an alert is due to be sent: newly firing or resolved, or last sent more than the resend delay ago. */
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
