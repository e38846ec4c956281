import { Instant, JsonText, type Value } from '../../../data/index.ts'

/** A value in a form that can be sent to another thread. */
export type PlainKeyValue = Exclude<Value, Instant | JsonText> | { readonly ns: bigint } | { readonly json: string }

export function plainOfValue(value: Value): PlainKeyValue {
  if (value instanceof Instant) return { ns: value.ns }
  return value instanceof JsonText ? { json: value.json } : value
}

export function valueOfPlain(plain: PlainKeyValue): Value {
  if (plain === null || typeof plain !== 'object') return plain
  return 'ns' in plain ? new Instant(plain.ns) : new JsonText(plain.json)
}

/** True if no value of another type equals this one as a group key. Numbers beyond 2^53 can be floats and integers. */
export function hasOneForm(value: Value): boolean {
  if (typeof value === 'bigint') return false
  return typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)
}
