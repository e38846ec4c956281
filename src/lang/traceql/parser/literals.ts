import { readNumber } from '../../go-scanner/index.ts'
import { scanString } from '../../promql/text/string-text.ts'
import type { KindWord, Literal, LiteralValue, StatusWord } from '../ast.ts'
import { durationNs } from '../text/duration.ts'

/** The functions of this module convert tokens to constants. `scan` has already checked the tokens. */

export function stringOf(image: string): LiteralValue {
  return { type: 'string', value: scanString(image, 0).value }
}

export function intOf(image: string): LiteralValue {
  return { type: 'int', value: BigInt(image) }
}

export function floatOf(image: string): LiteralValue {
  return { type: 'float', value: readNumber(image).value }
}

export function durationOf(image: string): LiteralValue {
  return { type: 'duration', value: durationNs(image) }
}

const STATUS: ReadonlySet<string> = new Set<StatusWord>(['error', 'ok', 'unset'])

export function constantOf(word: string): LiteralValue {
  if (word === 'true' || word === 'false') return { type: 'bool', value: word === 'true' }
  if (word === 'maxInt') return { type: 'int', value: 2n ** 63n - 1n }
  if (word === 'minInt') return { type: 'int', value: -(2n ** 63n) }
  if (STATUS.has(word)) return { type: 'status', value: word as StatusWord }
  return { type: 'kind', value: word as KindWord }
}

const NS_PER_SECOND = 1e9

/** Returns a constant as a number for metrics; durations are converted to seconds. */
export function numberOf({ literal }: Pick<Literal, 'literal'>): number {
  switch (literal.type) {
    case 'int':
    case 'float':
      return Number(literal.value)
    case 'duration':
      return Number(literal.value) / NS_PER_SECOND
    default:
      return 0
  }
}
