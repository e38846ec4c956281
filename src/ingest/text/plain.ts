import {
  Instant,
  leadingTime,
  leadingTimeText,
  unsureZone,
  type LeadingTime,
  type MutableRow,
  type TimeContext,
} from '../../data/index.ts'
import { levelOfName } from '../../store/index.ts'
import { LEVEL_SEARCH_CHARS } from '../tuning.ts'

const NAMES = 'TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|CRIT|FATAL|PANIC|ALERT|EMERG'
const SHORT_NAMES = 'SEVERE|FINE|FINER|FINEST|VERBOSE|INF|WRN|DBG|TRC|VRB|FTL'
/** As the console of .NET writes them, with a colon. */
const DOTNET_NAMES = 'TRCE|DBUG|FAIL'
/** Capitals are a level anywhere in the head of a line. */
const IN_CAPITALS = new RegExp(
  `(?:^|[\\s[(<|"=:])(?:(${NAMES}|${SHORT_NAMES})(?=$|[\\s\\])>|":,])|(DEBUG|INFO|WARNING|ERROR|CRITICAL)(?=/))`,
)
/** Any spelling is one at the beginning of the message, names of threads and loggers in brackets aside. */
const FIRST = new RegExp(
  `^[\\s\\])>|:,;-]*(?:\\[(?!(?:${NAMES}|${SHORT_NAMES})\\s*\\])[^\\][]{0,64}\\][\\s:|-]*){0,3}[[<(|]?(?:(${NAMES})(?=$|[\\s\\])>|":,])|(${DOTNET_NAMES})(?=: ))`,
  'i',
)
/** Elsewhere other words of a sentence stand around it, so marks on both sides have to set it off, or its name to introduce it. */
const SET_OFF = new RegExp(
  `(?:[[(<|\\t:]|[:\\])|-] {1,8})(${NAMES})(?= {0,8}[\\])>|:]|\\t| {1,8}- )|\\b(?:level|lvl|severity|loglevel|log_level|priority|at)"? ?[=:] ?"?(${NAMES})\\b`,
  'i',
)
/** The letter of a level between the time and a bar, as capnslog of etcd and CoreOS writes it. */
const LETTER = /^ ([CEWNIDT]) \| /
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

/** The level that the head of a line names, whose message begins at `from`, behind its time. */
export function levelIn(line: string, from = 0): string | undefined {
  const head = line.slice(0, LEVEL_SEARCH_CHARS)
  const letter = LETTER.exec(head.slice(from))?.[1]
  if (letter !== undefined) return levelOfName(letter)
  const first = FIRST.exec(head.slice(from))
  if (first !== null) return levelOfName(first[1] ?? first[2] ?? '')
  const capitals = IN_CAPITALS.exec(head)
  const setOff = SET_OFF.exec(head)
  const found = setOff === null || (capitals !== null && capitals.index <= setOff.index) ? capitals : setOff
  return found === null ? (FAILURE.test(head) ? 'error' : undefined) : levelOfName(found[1] ?? found[2] ?? '')
}

function timeBehind(first: RegExp, line: string, context: TimeContext): LeadingTime | undefined {
  const found = first.exec(line.slice(0, 128))
  const time = found === null ? undefined : leadingTime(line.slice(found[0].length, found[0].length + 64), context)
  return found === null || time === undefined ? undefined : { ns: time.ns, end: found[0].length + time.end }
}

/** Any line: the time that it begins with, and the level near its beginning. */
export function readPlain(line: string, context: TimeContext): PlainLine {
  const row: MutableRow = new Map()
  const found = leadingTimeText(line, context)
  let time = found?.ns === undefined ? timeBehind(LEVEL_FIRST, line, context) : { ns: found.ns, end: found.end }
  const text = time !== undefined || found === undefined ? '' : line.slice(found.start, found.end)
  // Its zone may stand for several.
  const unsure = unsureZone(text) === undefined ? undefined : text
  if (unsure !== undefined) {
    // Kept as it is written, so that it is counted as a time that cannot be read.
    row.set('_time', unsure)
    const level = levelIn(line, line.indexOf(unsure) + unsure.length)
    if (level !== undefined) row.set('level', level)
    return { row, hasTime: true }
  }
  const hasTime = time !== undefined || CLOCK.test(line.slice(0, 32))
  // A line behind one with a time may tell another in its second word, and still belong to that record.
  time ??= timeBehind(NAME_FIRST, line, context)
  if (time !== undefined) row.set('_time', new Instant(time.ns))
  const level = levelIn(line, time?.end)
  if (level !== undefined) row.set('level', level)
  return { row, hasTime }
}
