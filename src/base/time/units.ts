/** Nanoseconds of each unit, as times and durations have them. */
export const MS_NS = 1_000_000n
export const SECOND_NS = 1_000_000_000n
export const HOUR_NS = 3_600_000_000_000n
export const DAY_NS = 86_400_000_000_000n
export const WEEK_NS = 604_800_000_000_000n

/** Bytes. */
export const MIB = 1024 ** 2

/** Integers below this are exact as doubles, and so are their neighbours. */
export const SAFE_INTEGERS = 2 ** 53
