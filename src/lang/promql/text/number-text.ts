import { MAX_INT64 } from '../../../base/index.ts'

/** The functions of this module parse numbers and durations by the rules of Prometheus. */

const DIGITS = '0123456789'
const HEX_DIGITS = '0123456789abcdefABCDEF'

export interface ScannedNumber {
  readonly end: number
  /** Kind of the scanned text. `bad` is neither a number nor a duration; messages quote the scanned characters. */
  readonly kind: 'number' | 'duration' | 'bad'
}

function isWordChar(char: string | undefined): boolean {
  return char !== undefined && /[A-Za-z0-9_]/.test(char)
}

/** A position in a text. Its methods advance over characters of a set. */
class Cursor {
  readonly text: string
  at: number

  constructor(text: string, at: number) {
    this.text = text
    this.at = at
  }

  get char(): string | undefined {
    return this.at < this.text.length ? this.text[this.at] : undefined
  }

  isIn(set: string): boolean {
    return this.at < this.text.length && set.includes(this.text.charAt(this.at))
  }

  take(set: string): boolean {
    if (!this.isIn(set)) return false
    this.at++
    return true
  }

  takeAll(set: string): void {
    while (this.isIn(set)) this.at++
  }
}

/** Advances over characters that may form a number. Parsing later decides whether they form one. */
function scanPlainNumber(cursor: Cursor): boolean {
  const start = cursor.at
  let digits = DIGITS
  if (cursor.take('0') && cursor.take('xX')) {
    cursor.take('_')
    digits = HEX_DIGITS
  }
  cursor.take('.')
  cursor.take(digits)
  let hasPoint = false
  let hasExponent = false
  while (cursor.isIn(`${digits}._eE`)) {
    if (cursor.isIn('.') && hasPoint) {
      cursor.at++
      return false
    }
    if (cursor.isIn('eE') && hasExponent) {
      cursor.at++
      return false
    }
    if (cursor.take('.')) {
      hasPoint = true
      if (cursor.take('_.') || digits !== DIGITS) return false
    } else if (cursor.take('eE')) {
      hasExponent = true
      cursor.take('+-')
      if (cursor.take('._eE') || cursor.char === undefined) return false
    } else if (cursor.take('_')) {
      if (cursor.take('._eE') || cursor.char === undefined) return false
    } else {
      cursor.takeAll(digits)
    }
  }
  return cursor.at !== start && !isWordChar(cursor.char)
}

function scanDurationRest(cursor: Cursor): boolean {
  if (!cursor.take('smhdwy')) return false
  cursor.take('s')
  while (cursor.take(DIGITS)) {
    cursor.takeAll(DIGITS)
    if (!cursor.take('smhdw')) return false
    cursor.take('s')
  }
  const next = cursor.char
  if (!isWordChar(next)) return true
  cursor.at++
  return false
}

/** Finds the end of the number or duration that starts at `start`. */
export function scanNumber(text: string, start: number): ScannedNumber {
  const cursor = new Cursor(text, start)
  if (scanPlainNumber(cursor)) return { end: cursor.at, kind: 'number' }
  return { kind: scanDurationRest(cursor) ? 'duration' : 'bad', end: cursor.at }
}

export type NumberResult = { readonly value: number } | { readonly error: string }

function invalid(text: string, why: string): NumberResult {
  return { error: `error parsing number: strconv.ParseFloat: parsing "${text}": ${why}` }
}

/** True if underscores stand only between digits, or between a base prefix and a digit. */
function hasGoodUnderscores(text: string): boolean {
  const body = /^0[xX]/.test(text) ? `0${text.slice(2)}` : text
  return !/_(?![0-9a-fA-F])|(?<![0-9a-fA-F])_/.test(body)
}

function readInteger(text: string): number | undefined {
  if (!hasGoodUnderscores(text)) return undefined
  const plain = text.replaceAll('_', '')
  let value: bigint
  if (/^0[xX][0-9a-fA-F]+$/.test(plain)) value = BigInt(plain)
  else if (/^0[0-7]+$/.test(plain)) value = BigInt(`0o${plain.slice(1)}`)
  else if (/^(0|[1-9][0-9]*)$/.test(plain)) value = BigInt(plain)
  else return undefined
  return value <= MAX_INT64 ? Number(value) : undefined
}

/**
 * Returns the value of a number token: parsed as an integer if possible (octal after a leading 0), else as a decimal.
 */
export function readNumber(text: string): NumberResult {
  const word = text.toLowerCase()
  if (word === 'inf') return { value: Infinity }
  if (word === 'nan') return { value: NaN }
  const integer = readInteger(text)
  if (integer !== undefined) return { value: integer }
  const plain = text.replaceAll('_', '')
  const isDecimal = /^([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(plain)
  if (!isDecimal || !hasGoodUnderscores(text)) return invalid(text, 'invalid syntax')
  const value = Number(plain)
  return Number.isFinite(value) ? { value } : invalid(text, 'value out of range')
}

interface DurationUnit {
  readonly name: string
  readonly ms: number
  /** True if canonical text uses this unit only for exact multiples of it. */
  readonly isExactOnly: boolean
}

const UNITS: readonly DurationUnit[] = [
  { name: 'y', ms: 365 * 86_400_000, isExactOnly: true },
  { name: 'w', ms: 7 * 86_400_000, isExactOnly: true },
  { name: 'd', ms: 86_400_000, isExactOnly: false },
  { name: 'h', ms: 3_600_000, isExactOnly: false },
  { name: 'm', ms: 60_000, isExactOnly: false },
  { name: 's', ms: 1000, isExactOnly: false },
  { name: 'ms', ms: 1, isExactOnly: false },
]

const DURATION = /^(?:(\d+)y)?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/

/** Returns why a duration is invalid: names the first unknown unit, else the first unit out of order. */
function durationFault(text: string): string {
  let last = -1
  for (const [, unit = ''] of text.matchAll(/\d*(\D*)/g)) {
    if (unit === '') break
    const at = UNITS.findIndex(({ name }) => name === unit)
    if (at === -1) return `unknown unit "${unit}" in duration "${text}"`
    if (at <= last) break
    last = at
  }
  return `not a valid duration string: "${text}"`
}

/** Parses a duration such as `1h30m` to seconds. */
export function readDuration(text: string): NumberResult {
  if (text === '') return { error: 'empty duration string' }
  if (text === '0') return { value: 0 }
  const match = DURATION.exec(text)
  if (match === null) return { error: durationFault(text) }
  let totalMs = 0n
  UNITS.forEach((unit, i) => {
    const count = match[i + 1]
    if (count !== undefined) totalMs += BigInt(count) * BigInt(unit.ms)
  })
  if (totalMs * 1_000_000n > MAX_INT64) return { error: 'duration out of range' }
  return { value: Number(totalMs) / 1000 }
}

/** Formats a duration, whole ms and not negative, in the largest possible units: `1h30m`, `0s`. */
export function printDurationMs(ms: number): string {
  if (ms === 0) return '0s'
  let rest = ms
  let text = ''
  for (const unit of UNITS) {
    if (unit.isExactOnly && rest % unit.ms !== 0) continue
    const count = Math.floor(rest / unit.ms)
    if (count === 0) continue
    text += `${count}${unit.name}`
    rest -= count * unit.ms
  }
  return text
}
