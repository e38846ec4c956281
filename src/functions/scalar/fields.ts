import { compareNumbers, compareText, compileTest, toRangeNumber, toText, type Value } from '../../data/index.ts'
import type { ScalarFunction } from '../definition.ts'
import { doc } from './define.ts'

function predicate(
  name: string,
  evaluate: (args: readonly Value[]) => boolean,
  documentation: ScalarFunction['doc'],
): ScalarFunction {
  return {
    name,
    aliases: [],
    signature: { params: [], minArgs: 2, maxArgs: 2 },
    returns: () => 'bool',
    isMathCall: false,
    evaluate,
    doc: documentation,
  }
}

const fields = [['a, b', 'two fields']] as const

export const eqField = predicate(
  'eq_field',
  ([a = null, b = null]) => toText(a) === toText(b),
  doc(
    'Whether both have the same text; missing and empty are the same.',
    'workload:eq_field(container) | limit 3',
    ...fields,
  ),
)

/** Compares two values: as numbers if both are numbers, else as strings. */
function order(a: Value, b: Value): number {
  const [left, right] = [toRangeNumber(a), toRangeNumber(b)]
  return left === undefined || right === undefined ? compareText(toText(a), toText(b)) : compareNumbers(left, right)
}

export const leField = predicate(
  'le_field',
  ([a = null, b = null]) => order(a, b) <= 0,
  doc('Whether the first is at most the second.', 'duration_ms:le_field(status) | limit 3', ...fields),
)

export const ltField = predicate(
  'lt_field',
  ([a = null, b = null]) => order(a, b) < 0,
  doc('Whether the first is less than the second.', 'duration_ms:lt_field(status) | limit 3', ...fields),
)

export const valueType = predicate(
  'value_type',
  ([value = null, type = null]) => compileTest({ kind: 'named', name: 'value-type', args: [type] })(value),
  doc(
    'Whether the narrowest type that holds the value is the one named.',
    'status:value_type(uint16) | limit 3',
    ['a', 'a field'],
    ['type', 'uint8 to uint64, int64, float64, ipv4, iso8601 or string'],
  ),
)
