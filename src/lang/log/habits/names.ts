import { isPlainWord, quoteText } from '../print/quote.ts'
import type { HabitToken } from './tokens.ts'

const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/
const NAME = /^[\p{L}_][\p{L}\p{Nd}_]*([.-][\p{L}\p{Nd}_]+)*$/u

/**
 * Converts a field name of another language to a field name of the log language: removes a leading special character.
 * `undefined` if impossible.
 */
export function fieldName(written: string): string | undefined {
  const name = written.replace(/^[@.]/, '').replace(/:$/, '')
  if (name === 'timestamp' || name === '__time__') return '_time'
  if (name === '') return undefined
  return NAME.test(name) ? name : quoteText(name)
}

export function fieldOf(token: HabitToken | undefined): string | undefined {
  if (token === undefined || token.kind === 'mark') return undefined
  return fieldName(token.value)
}

/** Returns a value as written after `field:`, quoted where necessary. */
export function valueText(value: string): string {
  return isPlainWord(value) || PLAIN_NUMBER.test(value) || NAME.test(value) ? value : quoteText(value)
}

/** Returns a pattern with `*` as written after `field:`, quoted where necessary. */
export function patternText(value: string): string {
  return value
    .split('*')
    .map((part) => (part === '' ? '' : isPlainWord(part) ? part : quoteText(part)))
    .join('*')
}

const UNITS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['s', 'sec', 'secs', 'second', 'seconds'].map((unit) => [unit, 's'])),
  ...Object.fromEntries(['m', 'min', 'mins', 'minute', 'minutes'].map((unit) => [unit, 'm'])),
  ...Object.fromEntries(['h', 'hr', 'hrs', 'hour', 'hours'].map((unit) => [unit, 'h'])),
  ...Object.fromEntries(['d', 'day', 'days'].map((unit) => [unit, 'd'])),
  ...Object.fromEntries(['w', 'week', 'weeks'].map((unit) => [unit, 'w'])),
}

/** Normalizes `5m`, `5min`, `5 minutes`, `-5m`, `-5m@m` to `5m`; `undefined` for other texts. */
export function durationText(written: string): string | undefined {
  const match = /^[-+]?(\d+)\s*([a-z]+)(?:@[a-z]+)?$/i.exec(written.trim())
  const unit = UNITS[match?.[2]?.toLowerCase() ?? '']
  return match === null || unit === undefined ? undefined : `${match[1] ?? ''}${unit}`
}
