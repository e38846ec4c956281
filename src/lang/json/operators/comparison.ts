import { always, parseRfc3339 } from '../../../base/index.ts'
import { toRangeNumber, type ValueTest } from '../../../data/index.ts'
import { scalarText, type OperatorDefinition } from './definition.ts'

type Side = 'gt' | 'ge' | 'lt' | 'le'

function numberTest(side: Side, bound: number | bigint): ValueTest {
  const isIncluded = side === 'ge' || side === 'le'
  return side === 'gt' || side === 'ge'
    ? { kind: 'range', min: bound, max: Infinity, isMinIncluded: isIncluded, isMaxIncluded: true }
    : { kind: 'range', min: -Infinity, max: bound, isMinIncluded: true, isMaxIncluded: isIncluded }
}

/**
 * Returns a comparison of the time field with an instant. It matches both names of the field and compares times, not
 * strings.
 */
function timeTest(side: Side, ns: bigint): ValueTest {
  const cut = side === 'gt' || side === 'le' ? ns + 1n : ns
  const range = side === 'gt' || side === 'ge' ? { ...always, startNs: cut } : { ...always, endNs: cut }
  return { kind: 'time-range', range }
}

/**
 * Defines a comparison operator. As in query texts, the comparison is by value for numbers, sizes, durations, times and
 * addresses, and by string otherwise.
 */
function comparison(side: Side, name: string, aliases: readonly string[], words: string): OperatorDefinition {
  return {
    name,
    aliases,
    joins: 'comparison',
    isNegated: false,
    request: (value, key) => {
      const text = scalarText(value)
      if (text === undefined || text === '') return { expected: 'a number, a time or a text' }
      const ns = key === '_time' || key === 'timestamp' ? parseRfc3339(text) : undefined
      if (ns !== undefined) return { request: { kind: 'test', test: timeTest(side, ns), isAlternative: false } }
      const number = toRangeNumber(text)
      const test: ValueTest =
        number !== undefined && !Number.isNaN(number)
          ? numberTest(side, number)
          : { kind: 'compare-text', op: side, text }
      return { request: { kind: 'test', test, isAlternative: false } }
    },
    summary: `${words} by number or time, else by text.`,
  }
}

export const gt = comparison('gt', 'gt', ['>'], 'Greater')
export const gte = comparison('ge', 'gte', ['>=', 'ge'], 'Greater or equal')
export const lt = comparison('lt', 'lt', ['<'], 'Less')
export const lte = comparison('le', 'lte', ['<=', 'le'], 'Less or equal')
