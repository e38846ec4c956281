import { MAX_NS, MIN_NS, parseRfc3339 } from '../../../base/index.ts'
import { parseNumber, type ValueTest } from '../../../data/index.ts'
import { scalarText, type OperatorDefinition } from './definition.ts'

type Side = 'gt' | 'ge' | 'lt' | 'le'

function timeTest(side: Side, ns: bigint): ValueTest {
  switch (side) {
    case 'gt':
      return { kind: 'time-range', range: { startNs: ns + 1n, endNs: MAX_NS } }
    case 'ge':
      return { kind: 'time-range', range: { startNs: ns, endNs: MAX_NS } }
    case 'lt':
      return { kind: 'time-range', range: { startNs: MIN_NS, endNs: ns } }
    case 'le':
      return { kind: 'time-range', range: { startNs: MIN_NS, endNs: ns + 1n } }
  }
}

function numberTest(side: Side, bound: number | bigint): ValueTest {
  const isIncluded = side === 'ge' || side === 'le'
  return side === 'gt' || side === 'ge'
    ? { kind: 'range', min: bound, max: Infinity, isMinIncluded: isIncluded, isMaxIncluded: true }
    : { kind: 'range', min: -Infinity, max: bound, isMinIncluded: true, isMaxIncluded: isIncluded }
}

/** A number compares numbers, a time compares times, any other text compares texts. */
function comparison(side: Side, name: string, aliases: readonly string[], words: string): OperatorDefinition {
  return {
    name,
    aliases,
    joins: 'comparison',
    isNegated: false,
    request: (value) => {
      const text = scalarText(value)
      if (text === undefined || text === '') return { expected: 'a number, a time or a text' }
      const ns = parseRfc3339(text)
      const number = ns === undefined ? parseNumber(text) : undefined
      const test: ValueTest =
        ns !== undefined
          ? timeTest(side, ns)
          : number !== undefined
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
