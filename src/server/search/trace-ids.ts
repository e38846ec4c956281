import { column, test, type Expr } from '../../plan/index.ts'

/** Lengths to which trace ids may be padded with zeros, in hexadecimal digits: 64 and 128 bits. */
const ID_DIGITS = [16, 32] as const

/**
 * Returns a condition on `trace_id` for some ids. Leading zeros may be present or missing, both in the ids and in rows.
 */
export function tracesById(ids: readonly string[]): Expr {
  const values = ids.flatMap((id) => {
    const digits = id.toLowerCase().replace(/^0+/, '')
    return [id, digits, ...ID_DIGITS.map((length) => digits.padStart(length, '0'))]
  })
  return test(column('trace_id'), { kind: 'in', values: [...new Set(values)], isFolded: false, isTyped: false })
}
