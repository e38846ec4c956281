import type { Labels } from '../data/index.ts'

/**
 * An alert as routes, silences and receivers see it. Two alerts are the same alert exactly when their labels are equal.
 * Times are milliseconds since 1970.
 */
export interface Alert {
  /** All labels, including `alertname`. */
  readonly labels: Labels
  readonly annotations: Labels
  /** Time at which the condition became true. */
  readonly startsAtMs: number
  /** Time at which the alert was resolved, or will be unless it is sent again; `Infinity` if none is set. */
  readonly endsAtMs: number
  /** URL of a page that shows the rule; empty if there is none. */
  readonly generatorUrl: string
}

/** True if an alert is firing at a time. */
export function isFiring({ endsAtMs }: Alert, nowMs: number): boolean {
  return endsAtMs > nowMs
}

/**
 * Maximum total length of all labels of one evaluation, UTF-16 units: 1,024 for each of 1,024 label sets. The main
 * thread hashes, stores and sends them, so more would delay requests.
 */
export const MAX_LABEL_CHARS = 1024 * 1024
