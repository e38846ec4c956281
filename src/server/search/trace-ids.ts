import { column, test, type Expr } from '../../plan/index.ts'

/** Lengths to which ids are padded with zeros: those of 64 and of 128 bits, in hexadecimal digits. */
const ID_DIGITS = [16, 32] as const

/** Returns the condition on `trace_id` for some ids. Leading zeros of an id may be there or not, here and in rows. */
export function tracesById(ids: readonly string[]): Expr {
  const values = ids.flatMap((id) => {
    const digits = id.toLowerCase().replace(/^0+/, '')
    return [id, digits, ...ID_DIGITS.map((length) => digits.padStart(length, '0'))]
  })
  return test(column('trace_id'), { kind: 'in', values: [...new Set(values)], isFolded: false, isTyped: false })
}
