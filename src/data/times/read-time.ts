import { readIsoTime, type InstantParts } from '../../base/index.ts'
import { typedNumber } from '../semantics/numbers.ts'
import { formatNumber, Instant, JsonText, type Value } from '../value.ts'
import { formatsAt, timeAt } from './find-format.ts'
import { nsWithin } from './pattern.ts'
import type { TimeContext } from './time-context.ts'

/** Maximum length of a string that may be a time, in UTF-16 units. No time format is as long. */
export const MAX_TIME_CHARS = 128

const formats = formatsAt('value')
const scratch: InstantParts = { seconds: 0, nanos: 0 }

/** Removes blanks around a time, and one pair of brackets. */
function bare(text: string): string {
  const trimmed = text.trim()
  return trimmed.startsWith('[') && trimmed.endsWith(']') ? trimmed.slice(1, -1) : trimmed
}

function readText(text: string, context: TimeContext): bigint | undefined {
  if (text.length > MAX_TIME_CHARS) return undefined
  // These forms need no pattern. A time that states no zone is in the zone of the records.
  const form = readIsoTime(text, scratch)
  if (form === 'zoned' || (form === 'local' && context.zone === undefined)) {
    return nsWithin(scratch.seconds, scratch.nanos)
  }
  const time = bare(text)
  return timeAt(formats, time, 0, context, true)?.ns
}

/**
 * Returns the time in the value of a time field, in nanoseconds since 1970, by the formats in `formats.ts`; `undefined`
 * if the value is not a time, or the time is outside 1677 to 2262.
 */
export function readTime(value: Value, context: TimeContext): bigint | undefined {
  if (value instanceof Instant) return value.ns
  if (typeof value === 'string') return readText(value, context)
  const number = typedNumber(value)
  if (number === undefined) return undefined
  // The source may have more digits than the number. Times are never written with an exponent.
  const isExact = value instanceof JsonText && !/e/i.test(value.json)
  return readText(isExact ? value.json : typeof number === 'number' ? formatNumber(number) : String(number), context)
}
