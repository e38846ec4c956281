/** Lengths of trace ids in hexadecimal digits: 64 and 128 bits. */
const ID_DIGITS = [16, 32]

/**
 * Returns the condition for the rows of a trace, in both dialects. Tempo omits leading zeros, so a short id also
 * matches its padded form.
 */
export function ofTrace(id: string): string {
  const isShort = /^[1-9a-f][0-9a-f]*$/.test(id) && id.length < Math.max(...ID_DIGITS)
  if (!isShort) return only('trace_id', id)
  const ids = new Set([id, ...ID_DIGITS.map((digits) => id.padStart(digits, '0'))])
  return `trace_id:in(${[...ids].map((each) => JSON.stringify(each)).join(', ')})`
}

/** Returns a condition on a field as query text that is valid in both dialects. */
export function only(field: string, value: string): string {
  return `${field}:=${JSON.stringify(value)}`
}
