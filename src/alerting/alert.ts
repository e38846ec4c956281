import type { Labels } from '../data/index.ts'

/**
 * An alert as routes, silences and receivers see it. Two alerts are the same alert exactly when their labels are equal.
 * Times are milliseconds since 1970.
 */
export interface Alert {
  /** All labels, `alertname` among them. */
  readonly labels: Labels
  readonly annotations: Labels
  /** When the condition began to hold. */
  readonly startsAtMs: number
  /** When the alert was resolved, or will be unless it is sent again. `Infinity`: no such time is set. */
  readonly endsAtMs: number
  /** Where a reader finds the rule; empty if there is no such page. */
  readonly generatorUrl: string
}

/** Whether an alert is firing at a time. */
export function isFiring({ endsAtMs }: Alert, nowMs: number): boolean {
  return endsAtMs > nowMs
}

/**
 * Most UTF-16 units of all labels of one evaluation, 1 KiB for each of 1,000 label sets. The thread that answers requests
 * hashes, stores and sends them, so more would delay the answers.
 */
export const MAX_LABEL_CHARS = 1024 * 1024
