import { Instant, toText, type Value } from '../../../value.ts'
import { parseIpv4 } from '../../network.ts'
import { parsePlainNumber, typedNumber } from '../../numbers.ts'
import { isIso8601Millis } from '../../iso8601-millis.ts'
import type { NamedTest } from './definition.ts'

function integerType(value: number | bigint): string {
  if (value < 0) return 'int64'
  return value < 2 ** 8 ? 'uint8' : value < 2 ** 16 ? 'uint16' : value < 2 ** 32 ? 'uint32' : 'uint64'
}

/**
 * Returns the narrowest type that holds the value: `uint8` … `uint64`, `int64`, `float64`, `ipv4`, `iso8601` (a time,
 * or its text in UTC with milliseconds) or `string`.
 */
function typeOf(value: Value): string | undefined {
  if (value === null || value === '') return undefined
  if (value instanceof Instant || (typeof value === 'string' && isIso8601Millis(value))) return 'iso8601'
  const number = typeof value === 'string' ? parsePlainNumber(value) : typedNumber(value)
  if (typeof number === 'bigint') return integerType(number)
  if (typeof number === 'number') return Number.isInteger(number) ? integerType(number) : 'float64'
  return parseIpv4(toText(value)) === undefined ? 'string' : 'ipv4'
}

/** Argument: a type name. The test compares the type of each value, because column types differ between engines. */
export const valueType: NamedTest = {
  name: 'value-type',
  text:
    ([type]) =>
    (text) =>
      typeOf(text) === type,
  value:
    ([type]) =>
    (value) =>
      typeOf(value) === type,
}
