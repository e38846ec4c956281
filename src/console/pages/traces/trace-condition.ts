/** Digits of ids of traces, of 64 and of 128 bits. */
const ID_DIGITS = [16, 32]

/**
 * Returns the condition on rows of one trace, in either dialect. Tempo writes ids without zeros in front, so a shorter
 * one stands for the whole id as well.
 */
export function ofTrace(id: string): string {
  const isShort = /^[1-9a-f][0-9a-f]*$/.test(id) && id.length < Math.max(...ID_DIGITS)
  if (!isShort) return only('trace_id', id)
  const ids = new Set([id, ...ID_DIGITS.map((digits) => id.padStart(digits, '0'))])
  return `trace_id:in(${[...ids].map((each) => JSON.stringify(each)).join(', ')})`
}

/** Returns a condition on a field as text of a query, in either dialect. */
export function only(field: string, value: string): string {
  return `${field}:=${JSON.stringify(value)}`
}
