import { ExpansionFault, GoInt64, parseFloat64, type GoValue } from '../../go-template/index.ts'
import { readGoDuration, readSize } from '../units.ts'
import { strings, type EntryFunction, type EntryFunctions } from './context.ts'
import { Decimal } from './decimal.ts'

const NS_PER_SECOND = 1e9
const INT64_BITS = 64

/** Converts any value to an integer by truncation. A value that is not a number becomes 0. */
function toInt64(value: GoValue): bigint {
  if (value instanceof GoInt64) return value.value
  switch (typeof value) {
    case 'bigint':
      return value
    case 'boolean':
      return value ? 1n : 0n
    case 'number':
      return Number.isFinite(value) ? BigInt.asIntN(INT64_BITS, BigInt(Math.trunc(value))) : 0n
    case 'string':
      return readInteger(value)
    default:
      return 0n
  }
}

function readInteger(text: string): bigint {
  const [, sign, digits] = /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|[0-9]+)(?:\.[^]*)?$/.exec(text) ?? []
  if (digits === undefined || /^0[89]/.test(digits)) return 0n
  const value = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.replace(/^0/, '')}` : digits)
  const signed = sign === '-' ? -value : value
  return BigInt.asIntN(INT64_BITS, signed) === signed ? signed : 0n
}

/** Converts any value to a number. A value that is not a number becomes 0. */
function toFloat64(value: GoValue): number {
  if (value instanceof GoInt64) return Number(value.value)
  switch (typeof value) {
    case 'number':
      return value
    case 'bigint':
      return Number(value)
    case 'boolean':
      return value ? 1 : 0
    case 'string':
      return parseFloat64(value) ?? 0
    default:
      return 0
  }
}

/** Returns a template function that combines its integer arguments with `fold`. `least` is their minimum number. */
function integers(least: number, fold: (a: bigint, b: bigint) => bigint): EntryFunction {
  return {
    parameters: Array.from({ length: least }, () => 'any'),
    rest: 'any',
    call: (args) => {
      const [first = 0n, ...others] = args.map(toInt64)
      return new GoInt64(others.reduce((a, b) => BigInt.asIntN(INT64_BITS, fold(a, b)), first))
    },
  }
}

function twoIntegers(call: (a: bigint, b: bigint) => bigint): EntryFunction {
  return {
    parameters: ['any', 'any'],
    call: ([a = null, b = null]) => new GoInt64(BigInt.asIntN(INT64_BITS, call(toInt64(a), toInt64(b)))),
  }
}

function divisor(b: bigint): bigint {
  if (b === 0n) throw new ExpansionFault('runtime error: integer divide by zero')
  return b
}

function decimals(least: number, fold: (a: Decimal, b: Decimal) => Decimal): EntryFunction {
  return {
    parameters: Array.from({ length: least }, () => 'any'),
    rest: 'any',
    call: (args) => {
      const [first = Decimal.of(0), ...others] = args.map((value) => Decimal.of(toFloat64(value)))
      return others.reduce(fold, first).toNumber()
    },
  }
}

function floats(fold: (a: number, b: number) => number): EntryFunction {
  return {
    parameters: ['any'],
    rest: 'any',
    call: (args) => {
      const [first = 0, ...others] = args.map(toFloat64)
      return others.reduce(fold, first)
    },
  }
}

function onFloat(call: (value: number) => GoValue): EntryFunction {
  return { parameters: ['any'], call: ([value = null]) => call(toFloat64(value)) }
}

/**
 * Rounds a number to `digits` decimal places like Loki: a positive fraction of at least `half` is rounded up,
 * everything else down.
 */
function round(value: number, digits: number, half = 0.5): number {
  const scale = 10 ** digits
  const scaled = scale * value
  const fraction = scaled - Math.trunc(scaled)
  return (fraction >= half ? Math.ceil(scaled) : Math.floor(scaled)) / scale
}

function sizeOf(text: string): number {
  const bytes = readSize(text)
  if (typeof bytes === 'number') return bytes
  throw new ExpansionFault(bytes.reason)
}

function secondsOf(text: string): number {
  const ns = readGoDuration(text)
  if (typeof ns === 'number') return ns / NS_PER_SECOND
  throw new ExpansionFault(ns.reason)
}

export const integerFunctions: EntryFunctions = {
  int: { parameters: ['any'], call: ([value = null]) => toInt64(value) },
  add: integers(0, (a, b) => a + b),
  sub: twoIntegers((a, b) => a - b),
  mul: integers(1, (a, b) => a * b),
  div: twoIntegers((a, b) => a / divisor(b)),
  mod: twoIntegers((a, b) => a % divisor(b)),
  max: integers(1, (a, b) => (b > a ? b : a)),
  min: integers(1, (a, b) => (b < a ? b : a)),
}

export const floatFunctions: EntryFunctions = {
  float64: onFloat((value) => value),
  addf: decimals(0, (a, b) => a.plus(b)),
  subf: decimals(1, (a, b) => a.minus(b)),
  mulf: decimals(1, (a, b) => a.times(b)),
  divf: decimals(1, (a, b) => a.dividedBy(b)),
  maxf: floats((a, b) => Math.max(a, b)),
  minf: floats((a, b) => Math.min(a, b)),
  ceil: onFloat(Math.ceil),
  floor: onFloat(Math.floor),
  round: {
    parameters: ['any', 'int'],
    rest: 'float64',
    call: ([value = null, digits, half]) =>
      round(toFloat64(value), Number(digits), half === undefined ? undefined : Number(half)),
  },
}

export const unitFunctions: EntryFunctions = {
  bytes: strings(1, (text = '') => sizeOf(text)),
  duration: strings(1, (text = '') => secondsOf(text)),
  duration_seconds: strings(1, (text = '') => secondsOf(text)),
}
