/** Wire types: the encodings of a field's value. */
export const VARINT = 0
export const FIXED64 = 1
export const LENGTH_DELIMITED = 2
export const FIXED32 = 5

/** The high and low halves of the NaN that marks the end of a series in remote write and remote read. */
export const STALE_HIGH = 0x7ff00000
export const STALE_LOW = 2

/**
 * Returns a decoded 64-bit integer as a number. The decoded integer is an object if a library for such integers is
 * loaded.
 */
export function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : (value as { toNumber(): number }).toNumber()
}
