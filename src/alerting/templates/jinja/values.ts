import { ExpansionFault } from '../../../functions/go-template/index.ts'
import { parseFloat64 } from '../../../functions/go-template/index.ts'
import { outputText } from '../../../functions/go-template/index.ts'
import { GoMap, GoStruct, isList, isTrue, typeName, type GoValue } from '../../../functions/go-template/index.ts'

/** Returns the number of a query, reducer or threshold; other values unchanged. */
export function scalar(value: GoValue): GoValue {
  return value instanceof GoStruct ? (value.fields.get('value') ?? null) : value
}

/** Formats a value as `{{ … }}` does; a missing value is empty. */
export function textOf(value: GoValue): string {
  const plain = scalar(value)
  return plain === null ? '' : outputText(plain)
}

/** Converts a number or the text of one; `undefined` for other values. */
export function numberOf(value: GoValue): number | undefined {
  const plain = scalar(value)
  if (typeof plain === 'string') return parseFloat64(plain.trim())
  return typeof plain === 'number' || typeof plain === 'bigint' ? Number(plain) : undefined
}

/** True if a condition treats the value as true. */
export function holds(value: GoValue): boolean {
  return isTrue(scalar(value))
}

/** Returns the member of a map, value or list; nil if there is none. */
export function memberOf(value: GoValue, key: GoValue): GoValue {
  if (value instanceof GoMap) return value.entries.get(textOf(key)) ?? null
  if (value instanceof GoStruct) return value.fields.get(textOf(key)) ?? null
  return isList(value) && typeof key === 'bigint' ? (value[Number(key)] ?? null) : null
}

/** Returns the values that a `for` iterates over: the keys of a map, or the members of a list. */
export function membersOf(value: GoValue): readonly GoValue[] {
  if (value instanceof GoMap) return [...value.entries.keys()]
  return isList(value) ? value : []
}

/** Calls a method without arguments. Throws ExpansionFault if the value has no such method. */
export function callMethod(value: GoValue, name: string, offset: number): GoValue {
  if (value instanceof GoMap) {
    if (name === 'items') return [...value.entries]
    if (name === 'keys') return [...value.entries.keys()]
    if (name === 'values') return [...value.entries.values()]
  }
  throw new ExpansionFault(`a value of type ${typeName(value)} has no method ${name}`, { location: { offset } })
}

function isSame(a: GoValue, b: GoValue): boolean {
  const [left, right] = [scalar(a), scalar(b)]
  const areNumbers = typeof left !== 'string' && typeof right !== 'string'
  return left === right || (areNumbers && numberOf(left) !== undefined && numberOf(left) === numberOf(right))
}

/** True if a string contains a substring, a map a key, or a list a value. */
export function isIn(member: GoValue, container: GoValue): boolean {
  if (typeof container === 'string') return container.includes(textOf(member))
  return membersOf(container).some((each) => isSame(each, member))
}

/**
 * Compares two numbers or two strings with an operator. Throws ExpansionFault for an order comparison of other values.
 */
export function compare(op: string, a: GoValue, b: GoValue, offset: number): boolean {
  if (op === '==' || op === '!=') return isSame(a, b) === (op === '==')
  const [left, right] = [scalar(a), scalar(b)]
  const areTexts = typeof left === 'string' && typeof right === 'string'
  const areNumbers = typeof left !== 'string' && typeof right !== 'string'
  const x = areTexts ? left : areNumbers ? numberOf(left) : undefined
  const y = areTexts ? right : areNumbers ? numberOf(right) : undefined
  if (x === undefined || y === undefined) {
    throw new ExpansionFault(`\`${op}\` cannot compare ${typeName(left)} and ${typeName(right)}`, {
      location: { offset },
    })
  }
  if (op === '<') return x < y
  if (op === '<=') return x <= y
  return op === '>' ? x > y : x >= y
}
