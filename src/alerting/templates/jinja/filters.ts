import { ExpansionFault } from '../../../functions/go-template/index.ts'
import { formatFloat } from '../../../functions/go-template/index.ts'
import type { ExpansionBudget } from '../../../functions/go-template/index.ts'
import { GoMap, isList, isTrue, typeName, type GoValue } from '../../../functions/go-template/index.ts'
import { numberOf, textOf } from './values.ts'

/** Maximum number of decimal places of a double. */
const MAX_ROUND_DIGITS = 1074

function lengthOf(value: GoValue): number {
  if (typeof value === 'string') return Array.from(value).length
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
  if (method === 'common') return Number(formatFloat(number, 'f', places))
  throw new ExpansionFault('the method of round must be common, ceil or floor')
}

function toInt(value: GoValue, otherwise: GoValue): GoValue {
  const number = numberOf(value)
  return number === undefined || !Number.isFinite(number) ? otherwise : BigInt(Math.trunc(number))
}

function replace(text: string, from: string, to: string, most: number, budget: ExpansionBudget): string {
  const parts = text.split(from)
  budget.checkLength(text.length + Math.min(most, parts.length - 1) * (to.length - from.length))
  if (parts.length - 1 <= most) return parts.join(to)
  return [parts.slice(0, most + 1).join(to), ...parts.slice(most + 1)].join(from)
}

function trim(text: string, removed: ReadonlySet<string>): string {
  const chars = Array.from(text)
  const start = chars.findIndex((char) => !removed.has(char))
  return start === -1 ? '' : chars.slice(start, chars.findLastIndex((char) => !removed.has(char)) + 1).join('')
}

function title(text: string): string {
  return text.toLowerCase().replaceAll(/(?<=^|[-\s({[<])\p{L}/gu, (letter) => letter.toUpperCase())
}

type Filter = (value: GoValue, args: readonly GoValue[], budget: ExpansionBudget) => GoValue

/** All filters by name. They may throw ExpansionFault without an offset. */
export const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  [
    'default',
    (value, [other = '', also = false]) => (value === null || (isTrue(also) && !isTrue(value)) ? other : value),
  ],
  ['upper', (value) => textOf(value).toUpperCase()],
  ['lower', (value) => textOf(value).toLowerCase()],
  ['title', (value) => title(textOf(value))],
  ['round', (value, [digits = 0n, method = 'common']) => round(value, digits, method)],
  ['int', (value, [otherwise = 0n]) => toInt(value, otherwise)],
  ['float', (value, [otherwise = 0]) => numberOf(value) ?? otherwise],
  ['length', (value) => BigInt(lengthOf(value))],
  [
    'replace',
    (value, [from = null, to = null, count = null], budget) =>
      replace(textOf(value), textOf(from), textOf(to), numberOf(count) ?? Infinity, budget),
  ],
  [
    'trim',
    (value, [chars = null]) => (chars === null ? textOf(value).trim() : trim(textOf(value), new Set(textOf(chars)))),
  ],
])
