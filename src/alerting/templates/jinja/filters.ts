import { ExpansionFault } from '../faults.ts'
import { formatFloat, parseFloat64 } from '../format/float.ts'
import { outputText } from '../format/format-value.ts'
import { GoMap, GoStruct, isList, isTrue, typeName, type GoValue } from '../values.ts'

/** Digits after the point that a number of 64 bits can have. */
const MAX_ROUND_DIGITS = 1074

/** Returns the number of a query, reducer or threshold, and any other value as it is. */
export function scalar(value: GoValue): GoValue {
  return value instanceof GoStruct ? (value.fields.get('value') ?? null) : value
}

/** Formats a value as an output does; a missing value is empty. */
export function textOf(value: GoValue): string {
  const plain = scalar(value)
  return plain === null ? '' : outputText(plain)
}

/** Converts numbers, booleans and texts of numbers. */
export function numberOf(value: GoValue): number | undefined {
  const plain = scalar(value)
  if (typeof plain === 'string') return parseFloat64(plain.trim())
  return typeof plain === 'number' || typeof plain === 'bigint' || typeof plain === 'boolean'
    ? Number(plain)
    : undefined
}

function lengthOf(value: GoValue): number {
  if (typeof value === 'string') return [...value].length
  if (value instanceof GoMap) return value.entries.size
  if (isList(value)) return value.length
  throw new ExpansionFault(`a value of type ${typeName(value)} has no length`)
}

function round(value: GoValue, digits: GoValue, method: GoValue): GoValue {
  const number = numberOf(value)
  const places = numberOf(digits)
  if (number === undefined) throw new ExpansionFault(`cannot round a value of type ${typeName(value)}`)
  if (places === undefined || !Number.isInteger(places) || places < 0 || places > MAX_ROUND_DIGITS) {
    throw new ExpansionFault('the number of digits of round must be a whole number from 0')
  }
  if (!Number.isFinite(number)) return number
  if (method === 'ceil') return Math.ceil(number * 10 ** places) / 10 ** places
  if (method === 'floor') return Math.floor(number * 10 ** places) / 10 ** places
  if (method !== 'common') throw new ExpansionFault('the method of round must be common, ceil or floor')
  return Number(formatFloat(number, 'f', places))
}

function toInt(value: GoValue, otherwise: GoValue): GoValue {
  const number = numberOf(value)
  return number === undefined || !Number.isFinite(number) ? otherwise : BigInt(Math.trunc(number))
}

function replace(text: string, [from = null, to = null, count = null]: readonly GoValue[]): string {
  const most = count === null ? Infinity : (numberOf(count) ?? Infinity)
  const parts = text.split(textOf(from))
  if (parts.length - 1 <= most) return parts.join(textOf(to))
  const head = parts.slice(0, most + 1).join(textOf(to))
  return [head, ...parts.slice(most + 1)].join(textOf(from))
}

function trim(text: string, chars: GoValue): string {
  if (chars === null) return text.trim()
  const removed = new Set(textOf(chars))
  const kept = [...text]
  let [start, end] = [0, kept.length]
  while (start < end && removed.has(kept[start]!)) start++
  while (end > start && removed.has(kept[end - 1]!)) end--
  return kept.slice(start, end).join('')
}

function title(text: string): string {
  return text.toLowerCase().replaceAll(/(?<=^|[-\s({[<])\p{L}/gu, (letter) => letter.toUpperCase())
}

type Filter = (value: GoValue, args: readonly GoValue[]) => GoValue

/** All filters by name. They may throw ExpansionFault without an offset. */
export const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  [
    'default',
    (value, [other = '', isFalseToo = false]) =>
      value === null || (isTrue(isFalseToo) && !isTrue(value)) ? other : value,
  ],
  ['upper', (value) => textOf(value).toUpperCase()],
  ['lower', (value) => textOf(value).toLowerCase()],
  ['title', (value) => title(textOf(value))],
  ['round', (value, [digits = 0n, method = 'common']) => round(value, digits, method)],
  ['int', (value, [otherwise = 0n]) => toInt(value, otherwise)],
  ['float', (value, [otherwise = 0]) => numberOf(value) ?? otherwise],
  ['length', (value) => BigInt(lengthOf(value))],
  ['replace', (value, args) => replace(textOf(value), args)],
  ['trim', (value, [chars = null]) => trim(textOf(value), chars)],
])
