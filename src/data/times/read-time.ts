import { readIsoTime, type InstantParts } from '../../base/index.ts'
import { typedNumber } from '../semantics/numbers.ts'
import { formatNumber, Instant, JsonText, type Value } from '../value.ts'
import { formatsAt, timeAt } from './find-format.ts'
import { nsWithin } from './pattern.ts'
import type { TimeContext } from './time-context.ts'

/** No format is as long. */
export const MAX_TIME_CHARS = 128

const formats = formatsAt('value')
const scratch: InstantParts = { seconds: 0, nanos: 0 }

/** Blanks around it and one pair of brackets are not part of a time. */
function bare(text: string): string {
  const trimmed = text.trim()
  return trimmed.startsWith('[') && trimmed.endsWith(']') ? trimmed.slice(1, -1) : trimmed
}

function readText(text: string, context: TimeContext): bigint | undefined {
  if (text.length > MAX_TIME_CHARS) return undefined
  // The forms that values of any field may have, without a pattern; those without a zone wait for the zone of the records.
  const form = readIsoTime(text, scratch)
  if (form === 'zoned' || (form === 'local' && context.zone === undefined)) {
    return nsWithin(scratch.seconds, scratch.nanos)
  }
  const time = bare(text)
  return timeAt(formats, time, 0, context, true)?.ns
}

/**
 * The time that a value of a time field stands for, in nanoseconds since the epoch, by the list in `formats.ts`; `undefined`
 * when it is not one, or lies outside of 1677 to 2262.
 */
export function readTime(value: Value, context: TimeContext): bigint | undefined {
  if (value instanceof Instant) return value.ns
  if (typeof value === 'string') return readText(value, context)
  const number = typedNumber(value)
  if (number === undefined) return undefined
  // The text has digits that the number has not; times are never written with an exponent.
  const isExact = value instanceof JsonText && !/e/i.test(value.json)
  return readText(isExact ? value.json : typeof number === 'number' ? formatNumber(number) : String(number), context)
}
