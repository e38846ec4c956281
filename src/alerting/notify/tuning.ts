/** Minimum time for which a delivery is retried, ms, as in Alertmanager; a longer `group_interval` extends it. */
export const LEAST_DELIVERY_MS = 10_000

/** First delay between attempts, ms, its growth factor, and its maximum (ruling M56). */
export const FIRST_PAUSE_MS = 500
export const PAUSE_GROWTH = 1.5
export const MAX_PAUSE_MS = 60_000

/**
 * Interval between sweeps of empty groups, resolved alerts and expired records, ms: Alertmanager's maintenance
 * interval.
 */
export const SWEEP_MS = 30_000

/**
 * Interval at which a firing alert is sent to an Alertmanager again, ms. Otherwise the alert would end there (ruling
 * M59).
 */
export const RESEND_MS = 60_000

/** Number of resends of a firing alert that an Alertmanager may miss before the alert ends (ruling M59). */
export const RESENDS_BEFORE_END = 4

/** A log record outlives its group by this many repeat intervals, as in Alertmanager. */
export const LOG_REPEATS = 2

/** Maximum number of listed failed deliveries; the oldest are dropped. Each takes some 1 KiB. */
export const MAX_DEAD_LETTERS = 1_000

/** Time after which a resolved alert is dropped if its receiver keeps rejecting it, ms (a week). It bounds memory. */
export const MAX_UNDELIVERED_MS = 604_800_000
