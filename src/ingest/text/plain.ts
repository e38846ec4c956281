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

export const NAMES = 'TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|CRIT|FATAL|PANIC|ALERT|EMERG'
export const SHORT_NAMES = 'SEVERE|FINE|FINER|FINEST|VERBOSE|INF|WRN|DBG|TRC|VRB|FTL'
/** Level names as the console of .NET writes them, followed by a colon. */
export const DOTNET_NAMES = 'TRCE|DBUG|FAIL'
/** A level in capitals, which counts anywhere in the head of a line. */
const IN_CAPITALS = new RegExp(
  `(?:^|[\\s[(<|"=:])(?:(${NAMES}|${SHORT_NAMES})(?=$|[\\s\\])>|":,])|(DEBUG|INFO|WARNING|ERROR|CRITICAL)(?=/))`,
)
/** A level in any spelling at the beginning of the message. Names of threads and loggers in brackets may precede it. */
const FIRST = new RegExp(
  `^[\\s\\])>|:,;-]*(?:\\[(?!(?:${NAMES}|${SHORT_NAMES})\\s*\\])[^\\][]{0,64}\\][\\s:|-]*){0,3}[[<(|]?(?:(${NAMES})(?=$|[\\s\\])>|":,])|(${DOTNET_NAMES})(?=: ))`,
  'i',
)
/**
 * A level in any spelling elsewhere. Such a word may be part of a sentence, so it needs marks on both sides, or a name
 * such as `level=` before it.
 */
const SET_OFF = new RegExp(
  `(?:[[(<|\\t:]|[:\\])|-] {1,8})(${NAMES})(?= {0,8}[\\])>|:]|\\t| {1,8}- )|\\b(?:level|lvl|severity|loglevel|log_level|priority|at)"? ?[=:] ?"?(${NAMES})\\b`,
  'i',
)
/** The letter of a level between the time and a bar, as in capnslog of etcd and CoreOS. */
const LETTER = /^ ([CEWNIDT]) \| /
/** Messages of programs that end because of a failure. */
const FAILURE =
  /^(?:Exception in thread |Traceback \(most recent call last\)|Unhandled [Ee]xception|Uncaught |fatal error: |[\w.$]{1,128}(?:Error|Exception): |thread '[^']{1,64}' panicked at )/
/** The beginning of a line with a level before the time, as in Cassandra. */
const LEVEL_FIRST = /^(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL) +(?:\[[^\]]{1,80}\] +)?(?=\d)/
/** The name of a program, or of an unusual level, followed by a complete time, as in update-alternatives. */
const NAME_FIRST = /^[A-Za-z][\w.+-]{0,63}(?:\[\d{1,10}\])?:? {1,4}(?=\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)/
/** A time of day without a date. */
const CLOCK = /^\[?\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:AM|PM)?[\s\]]/

export interface PlainLine {
  readonly row: MutableRow
  /** True if the line begins with a time and therefore begins a record. */
  readonly hasTime: boolean
}

/** Returns the level named in the head of a line. The message begins at `from`, after the time. */
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

/** Reads any line: the time at its beginning, and the level near its beginning. */
export function readPlain(line: string, context: TimeContext): PlainLine {
  const row: MutableRow = new Map()
  const found = leadingTimeText(line, context)
  let time = found?.ns === undefined ? timeBehind(LEVEL_FIRST, line, context) : { ns: found.ns, end: found.end }
  const text = time !== undefined || found === undefined ? '' : line.slice(found.start, found.end)
  // The abbreviation of the zone may stand for several zones.
  const unsure = unsureZone(text) === undefined ? undefined : text
  if (unsure !== undefined) {
    // Stores the original text, so that the record counts as one with an unreadable time.
    row.set('_time', unsure)
    const level = levelIn(line, line.indexOf(unsure) + unsure.length)
    if (level !== undefined) row.set('level', level)
    return { row, hasTime: true }
  }
  const hasTime = time !== undefined || CLOCK.test(line.slice(0, 32))
  // A line after a line with a time may have a time in its second word and still belong to the earlier line's record.
  time ??= timeBehind(NAME_FIRST, line, context)
  if (time !== undefined) row.set('_time', new Instant(time.ns))
  const level = levelIn(line, time?.end)
  if (level !== undefined) row.set('level', level)
  return { row, hasTime }
}
