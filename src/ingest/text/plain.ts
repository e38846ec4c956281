import { Instant, leadingTime, type LeadingTime, type MutableRow, type TimeContext } from '../../data/index.ts'
import { levelOfName } from '../../store/index.ts'
import { LEVEL_SEARCH_CHARS } from '../tuning.ts'

/** Words that are levels wherever they stand at the head of a line, and those that are so in capitals only. */
const LEVEL =
  /(?:^|[\s[(<|"=:])(?:(TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|CRIT|FATAL|PANIC|ALERT|EMERG)(?=$|[\s\])>|":,])|(SEVERE|FINE|FINER|FINEST|VERBOSE|INF|WRN|DBG|TRC|VRB|FTL)(?=$|[\s\])>|":,])|(DEBUG|INFO|WARNING|ERROR|CRITICAL)(?=\/))/gi
/** What programs write that end without having been asked to. */
const FAILURE =
  /^(?:Exception in thread |Traceback \(most recent call last\)|Unhandled [Ee]xception|Uncaught |fatal error: |[\w.$]{1,128}(?:Error|Exception): |thread '[^']{1,64}' panicked at )/
/** Lines that begin with a level, and with the time behind it, as those of Cassandra. */
const LEVEL_FIRST = /^(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL) +(?:\[[^\]]{1,80}\] +)?(?=\d)/
/** The name of a program, or of a level of its own, with a whole time behind it, as those of update-alternatives. */
const NAME_FIRST = /^[A-Za-z][\w.+-]{0,63}(?:\[\d{1,10}\])?:? {1,4}(?=\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)/
/** Times of day without a date. */
const CLOCK = /^\[?\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:AM|PM)?[\s\]]/

export interface PlainLine {
  readonly row: MutableRow
  /** Whether a time says that a record begins here. */
  readonly hasTime: boolean
}

/** The level that the head of a line names. */
export function levelIn(line: string): string | undefined {
  LEVEL.lastIndex = 0
  const head = line.slice(0, LEVEL_SEARCH_CHARS)
  for (let found = LEVEL.exec(head); found !== null; found = LEVEL.exec(head)) {
    const short = found[2] ?? found[3]
    if (short === undefined) return levelOfName(found[1] ?? '')
    if (short === short.toUpperCase()) return levelOfName(short)
  }
  return FAILURE.test(head) ? 'error' : undefined
}

function timeBehind(first: RegExp, line: string, context: TimeContext): LeadingTime | undefined {
  const found = first.exec(line.slice(0, 128))
  return found === null ? undefined : leadingTime(line.slice(found[0].length, found[0].length + 64), context)
}

/** Any line: the time that it begins with, and the level near its beginning. */
export function readPlain(line: string, context: TimeContext): PlainLine {
  const row: MutableRow = new Map()
  let time = leadingTime(line, context) ?? timeBehind(LEVEL_FIRST, line, context)
  const hasTime = time !== undefined || CLOCK.test(line.slice(0, 32))
  // A line behind one with a time may tell another in its second word, and still belong to that record.
  time ??= timeBehind(NAME_FIRST, line, context)
  if (time !== undefined) row.set('_time', new Instant(time.ns))
  const level = levelIn(line)
  if (level !== undefined) row.set('level', level)
  return { row, hasTime }
}
