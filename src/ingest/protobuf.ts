/** Wire types: how the value of a field is written. */
export const VARINT = 0
export const FIXED64 = 1
export const LENGTH_DELIMITED = 2
export const FIXED32 = 5

/** High and low half of the bits of the NaN that marks a series as gone in remote write and remote read. */
export const STALE_HIGH = 0x7ff00000
export const STALE_LOW = 2

/** A 64-bit integer that was read, as a number; it is an object where a library for such integers is loaded. */
export function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : (value as { toNumber(): number }).toNumber()
}
