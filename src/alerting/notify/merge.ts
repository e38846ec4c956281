import { isFiring } from '../alert.ts'
import type { RoutedAlert } from './types.ts'

/** An alert as received; missing times are `undefined`. */
export type ReceivedAlert = Omit<RoutedAlert, 'startsAtMs' | 'endsAtMs' | 'isTimeout'> & {
  readonly startsAtMs: number | undefined
  readonly endsAtMs: number | undefined
}

/**
 * Completes the times of a received alert. A missing start is its end, or else now. A missing end is `resolveTimeoutMs`
 * from now unless the alert is sent again.
 */
export function completeTimes(alert: ReceivedAlert, nowMs: number, resolveTimeoutMs: number): RoutedAlert {
  const { startsAtMs = alert.endsAtMs ?? nowMs, endsAtMs } = alert
  if (endsAtMs !== undefined) return { ...alert, startsAtMs, endsAtMs }
  return { ...alert, startsAtMs, endsAtMs: nowMs + resolveTimeoutMs, isTimeout: true }
}

/**
 * Merges a received alert into the known one with the same labels, as Alertmanager does. If both overlap in time, the
 * earlier start is kept. A future end that the sender stated is not replaced by an earlier future end.
 */
export function mergeAlerts(known: RoutedAlert, received: RoutedAlert, nowMs: number): RoutedAlert {
  const isInside = (timeMs: number): boolean => timeMs > known.startsAtMs && timeMs < known.endsAtMs
  if (!isInside(received.endsAtMs) && !isInside(received.startsAtMs)) return received
  const startsAtMs = Math.min(known.startsAtMs, received.startsAtMs)
  const isLater = known.endsAtMs > received.endsAtMs
  const keepsEnd = isFiring(received, nowMs) ? known.isTimeout !== true : !isFiring(known, nowMs)
  return { ...received, startsAtMs, endsAtMs: isLater && keepsEnd ? known.endsAtMs : received.endsAtMs }
}
