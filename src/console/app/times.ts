import { DAY_MS } from '../../base/index.ts'
import { zone } from './settings.ts'

/** Returns the date and time of day in the time zone of the page. */
function dateAndTime(ms: number): readonly [date: string, time: string] {
  const isUtc = zone.value === 'utc'
  const shifted = new Date(ms - (isUtc ? 0 : new Date(ms).getTimezoneOffset() * 60_000))
  const iso = shifted.toISOString()
  return [iso.slice(0, 10), iso.slice(11, 23)]
}

/** Formats the time of a row for the row list, to the millisecond. */
export function rowTime(text: string): string {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) return text
  const [date, time] = dateAndTime(ms)
  return `${date.slice(5)} ${time}`
}

function withoutZeros(time: string): string {
  return time.replace(/\.000$/, '').replace(/:00$/, '')
}

/** Formats a time for labels, without trailing parts that are zero. */
export function shortTime(ms: number): string {
  const [date, time] = dateAndTime(ms)
  return `${date} ${withoutZeros(time)}`
}

/** Formats a range for labels. The date of the end is left out if it equals that of the start. */
export function shortRange(startMs: number, endMs: number): string {
  const [date, time] = dateAndTime(endMs)
  const start = shortTime(startMs)
  return `${start} → ${start.startsWith(date) ? withoutZeros(time) : shortTime(endMs)}`
}

/**
 * Returns labels for axis ticks that are `stepMs` apart: the time of day, or the date for steps of a day or more. The
 * first tick of a day has the date on a second line.
 */
export function axisTimes(ticksMs: readonly number[], stepMs: number): readonly string[] {
  let dateBefore = ''
  return ticksMs.map((ms) => {
    const [date, time] = dateAndTime(ms)
    if (stepMs >= DAY_MS) return date
    const label = stepMs >= 60_000 ? time.slice(0, 5) : stepMs >= 1000 ? time.slice(0, 8) : time
    const isNewDate = date !== dateBefore
    dateBefore = date
    return isNewDate ? `${label}\n${date.slice(5)}` : label
  })
}

/** Formats a time as the inputs of the time picker require. */
export function inputTime(ms: number): string {
  const [date, time] = dateAndTime(ms)
  return `${date}T${time.replace(/\.000$/, '')}`
}
