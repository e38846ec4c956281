/** The number of nanoseconds in each unit. */
export const MS_NS = 1_000_000n
export const SECOND_NS = 1_000_000_000n
export const MINUTE_NS = 60_000_000_000n
/** The clocks of all zones change at full quarters of an hour. */
export const QUARTER_NS = 900_000_000_000n
export const HOUR_NS = 3_600_000_000_000n
export const DAY_NS = 86_400_000_000_000n
export const WEEK_NS = 604_800_000_000_000n

export const DAY_SECONDS = 86_400

/** The number of milliseconds in each unit. */
export const SECOND_MS = 1000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
