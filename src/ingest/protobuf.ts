/** A 64-bit integer that was read, as a number; it is an object where a library for such integers is loaded. */
export function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : (value as { toNumber(): number }).toNumber()
}
