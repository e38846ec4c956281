/** Alertmanager's least time, in ms, during which one delivery is attempted; longer where `group_interval` is. */
export const LEAST_DELIVERY_MS = 10_000

/** The first pause between two attempts, in ms, its growth per attempt, and its longest value (ruling M56). */
export const FIRST_PAUSE_MS = 500
export const PAUSE_GROWTH = 1.5
export const MAX_PAUSE_MS = 60_000

/** Time in ms between sweeps of empty groups, resolved alerts and expired records: Alertmanager's maintenance. */
export const SWEEP_MS = 30_000

/** Time in ms after which a firing alert is sent to an Alertmanager again, since it ends otherwise (ruling M59). */
export const RESEND_MS = 60_000

/** Messages about a firing alert that an Alertmanager may miss before the alert ends (ruling M59). */
export const RESENDS_BEFORE_END = 4

/** A record of the log outlives its group by this many repeat intervals, as in Alertmanager. */
export const LOG_REPEATS = 2

/** Deliveries that were given up and are listed; older ones are forgotten. Some 1 KiB each. */
export const MAX_DEAD_LETTERS = 1_000

/** Time in ms after which a resolved alert that its receiver keeps refusing is dropped, a week: it bounds memory. */
export const MAX_UNDELIVERED_MS = 604_800_000
