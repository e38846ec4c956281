import { Instant, toText, type Value } from '../../../value.ts'
import { parseIpv4 } from '../../network.ts'
import { parsePlainNumber } from '../../numbers.ts'
import { toTimeNs } from '../../coerce.ts'
import type { NamedTest } from './definition.ts'

function integerType(value: number | bigint): string {
  if (value < 0) return 'int64'
  return value < 2 ** 8 ? 'uint8' : value < 2 ** 16 ? 'uint16' : value < 2 ** 32 ? 'uint32' : 'uint64'
}

/** The narrowest type that holds the value: `uint8` … `uint64`, `int64`, `float64`, `ipv4`, `iso8601` or `string`. */
function typeOf(value: Value): string | undefined {
  if (value === null || value === '') return undefined
  if (value instanceof Instant || toTimeNs(value) !== undefined) return 'iso8601'
  const number = typeof value === 'string' ? parsePlainNumber(value) : value
  if (typeof number === 'bigint') return integerType(number)
  if (typeof number === 'number') return Number.isInteger(number) ? integerType(number) : 'float64'
  return parseIpv4(toText(value)) === undefined ? 'string' : 'ipv4'
}

/** Argument: a type. What one engine stores of a column is not what another stores, so it is the value that counts. */
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
