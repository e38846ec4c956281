import { compareText } from '../../../data/index.ts'
import { ExpansionFault } from '../faults.ts'
import { GoInt64, GoMap, GoStruct, isList, isTrue, typeName, type GoValue } from '../values.ts'
import { onValue, type FunctionTable, type TemplateFunction } from './definition.ts'

/** Converts an integer of any Go type to a bigint. Returns other values unchanged. */
function plain(value: GoValue): GoValue {
  return value instanceof GoInt64 ? value.value : value
}

/**
 * Returns the kind of a value. Go compares only values of the same kind. `other` means maps, lists, structs and nil.
 */
function kindOf(value: GoValue): 'bool' | 'int' | 'float' | 'string' | 'other' {
  switch (typeof value) {
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int'
    case 'number':
      return 'float'
    case 'string':
      return 'string'
    default:
      return 'other'
  }
}

function incompatible(a: GoValue, b: GoValue): ExpansionFault {
  const [first, second] = [typeName(a), typeName(b)]
  const isMixed = (first === 'float64' && second === 'int') || (first === 'int' && second === 'float64')
  const advice = isMixed ? '; write the number with a point, such as 1.0' : ''
  const go = 'incompatible types for comparison'
  return new ExpansionFault(`${go}: ${first} and ${second}${advice}`, { go })
}

function isEqual(a: GoValue, b: GoValue): boolean {
  if (kindOf(a) !== kindOf(b)) {
    if (a === null || b === null) return false
    throw incompatible(a, b)
  }
  const uncomparable = [a, b].find(
    (value) => value instanceof GoMap || isList(value) || (value instanceof GoStruct && !value.isPointer),
  )
  if (uncomparable !== undefined && a !== null && b !== null) {
    const type = typeName(uncomparable)
    throw new ExpansionFault(`values of type ${type} cannot be compared`, { go: `non-comparable type ${type}` })
  }
  return a === b
}

function isLess(a: GoValue, b: GoValue): boolean {
  if (kindOf(a) !== kindOf(b)) throw incompatible(a, b)
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b) < 0
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b
  if (typeof a === 'number' && typeof b === 'number') return a < b
  throw new ExpansionFault(`values of type ${typeName(a)} have no order`, { go: 'invalid type for comparison' })
}

function comparison(holds: (a: GoValue, b: GoValue) => boolean): TemplateFunction {
  return { parameters: ['any', 'any'], call: ([a = null, b = null]) => holds(plain(a), plain(b)) }
}

export const compareFunctions: FunctionTable = {
  eq: {
    parameters: ['any'],
    rest: 'any',
    call: ([first = null, ...others]) => {
      if (others.length === 0) throw new ExpansionFault('missing argument for comparison')
      return others.some((other) => isEqual(plain(first), plain(other)))
    },
  },
  ne: comparison((a, b) => !isEqual(a, b)),
  lt: comparison(isLess),
  le: comparison((a, b) => isLess(a, b) || isEqual(a, b)),
  gt: comparison((a, b) => !isLess(a, b) && !isEqual(a, b)),
  ge: comparison((a, b) => !isLess(a, b)),
  not: onValue((value) => !isTrue(value)),
}
