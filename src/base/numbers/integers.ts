/** Bounds of 64-bit and 32-bit integers. */
export const MIN_INT64 = -(2n ** 63n)
export const MAX_INT64 = 2n ** 63n - 1n
export const MAX_UINT64 = 2n ** 64n - 1n
export const MAX_INT32 = 2 ** 31 - 1
export const MAX_UINT32 = 2 ** 32 - 1

/** The first integer beyond int64, as a double. */
export const INT64_END = 2 ** 63

/** Below this bound, doubles represent every integer exactly. */
export const SAFE_INTEGERS = 2 ** 53
