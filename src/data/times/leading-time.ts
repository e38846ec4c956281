import { formatsAt, timeAt, type FoundTime } from './find-format.ts'
import type { TimeContext } from './time-context.ts'

/** A time with which a line of text begins. */
export interface LeadingTime {
  /** Nanoseconds since 1970. */
  readonly ns: bigint
  /** The position in the line at which the time ends. */
  readonly end: number
}

/** The length of the beginning of a line that is searched for a time, in UTF-16 units. */
const LOOKED_AT_CHARS = 512
const MAX_BRACKETS = 4

/** Matches text that may precede a time: a syslog priority and version, a level, an opening bracket. */
const BEFORE =
  /^\s{0,16}(?:<\d{1,3}>(?:1 (?=\d{4}-|- ))?)?(?:[[(]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)[\])]?[:,]?\s{1,8}(?:- )?)?[[("']?/

const inLines = formatsAt('line')
const inBrackets = formatsAt('brackets')

function foundIn(line: string, context: TimeContext): FoundTime | undefined {
  const found = timeAt(inLines, line, BEFORE.exec(line)?.[0].length ?? 0, context)
  if (found !== undefined) return found
  let at = line.indexOf('[')
  for (let i = 0; i < MAX_BRACKETS && at !== -1; i++) {
    const time = timeAt(inBrackets, line, at + 1, context)
    if (time !== undefined) return time
    at = line.indexOf('[', at + 1)
  }
  return undefined
}

/**
 * Returns the text that looks like a time at the start of a line. `ns` is missing if the text is not a valid time, or
 * ambiguous.
 */
export function leadingTimeText(line: string, context: TimeContext): FoundTime | undefined {
  return foundIn(line.length > LOOKED_AT_CHARS ? line.slice(0, LOOKED_AT_CHARS) : line, context)
}

/** Returns the time at the start of a line of text, or in the brackets of an access log line. */
export function leadingTime(line: string, context: TimeContext): LeadingTime | undefined {
  const found = leadingTimeText(line, context)
  return found?.ns === undefined ? undefined : { ns: found.ns, end: found.end }
}
