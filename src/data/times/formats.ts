import { civilFromDays, DAY_NS, DAY_SECONDS } from '../../base/index.ts'
import { epochNs } from './epoch.ts'
import { timeOfGroups, timePattern, nsWithin, type TimeGroups } from './pattern.ts'
import type { TimeContext } from './time-context.ts'

/** A format of times. */
export interface TimeFormat {
  readonly name: string
  /** The programs that write this format. */
  readonly writers: string
  /**
   * Strings and the times that they mean in `exampleContext`. Their first characters must be of one kind: digit, letter
   * or other.
   */
  readonly examples: readonly (readonly [text: string, time: string])[]
  /** A sticky pattern whose named groups are the parts of the time. */
  readonly pattern: RegExp
  /**
   * Contexts in which the format is searched: values of time fields, the start of lines, or brackets near the start of
   * a line.
   */
  readonly contexts: readonly ('value' | 'line' | 'brackets')[]
  /** Converts the matched groups to nanoseconds since 1970; `undefined` if the time is impossible or ambiguous. */
  readonly read: (groups: TimeGroups, context: TimeContext) => bigint | undefined
}

type Spec = Omit<TimeFormat, 'pattern' | 'read' | 'contexts'> &
  Partial<Pick<TimeFormat, 'read' | 'contexts'>> & { readonly pattern: string }

function format({ pattern, contexts = ['value', 'line'], read = timeOfGroups, ...rest }: Spec): TimeFormat {
  return { ...rest, contexts, read, pattern: timePattern(pattern) }
}

/** Reads a date with slashes. Returns `undefined` unless it is certain which number is the month. */
function slashed(groups: TimeGroups, context: TimeContext): bigint | undefined {
  const { first = '', other = '' } = groups
  if (groups['half'] === undefined && Number(first) <= 12 && Number(other) <= 12 && Number(first) !== Number(other)) {
    return undefined
  }
  const isDayFirst = groups['half'] === undefined && Number(first) > 12
  const date = isDayFirst ? { day: first, month: other } : { day: other, month: first }
  return timeOfGroups({ ...groups, ...date }, context)
}

/**
 * Reads a date with two digits each for year, month and day, in this order. Other programs write the day or the month
 * first. The date is accepted only if a level follows, as in the layout of Spark and Hadoop, or if neither of the other
 * two orders gives a date up to now.
 */
function shortDate(groups: TimeGroups, context: TimeContext): bigint | undefined {
  const { yy = '', month = '', day = '', level } = groups
  const before = (first: string, second: string, third: string): bigint | undefined => {
    const ns = timeOfGroups({ ...groups, yy: first, month: second, day: third }, context)
    return ns === undefined || ns > context.nowNs + DAY_NS ? undefined : ns
  }
  const isSure = level !== undefined || (before(day, month, yy) ?? before(day, yy, month)) === undefined
  return isSure ? before(yy, month, day) : undefined
}

/** Nanoseconds by which the clock of a sender may be ahead: an hour, for daylight saving. */
const CLOCK_AHEAD_NS = 3_600_000_000_000n

/**
 * Returns the latest instant with this time of day that is not after now, or at most `CLOCK_AHEAD_NS` after it. A time
 * in hour 0 or 12 must not be after now: just before noon or midnight it would be placed in the coming half of the day.
 */
function timeOfDay(groups: TimeGroups, context: TimeContext): bigint | undefined {
  const { nowNs } = context
  const lastNs = Number(groups['hour']) % 12 === 0 ? nowNs : nowNs + CLOCK_AHEAD_NS
  const today = Math.floor(Number(nowNs / 1_000_000_000n) / DAY_SECONDS)
  // The day in the zone may be one before or after the UTC day.
  for (const days of [1, 0, -1, -2]) {
    const { year, month, day } = civilFromDays(today + days)
    const ns = timeOfGroups({ ...groups, year: String(year), month: String(month), day: String(day) }, context)
    if (ns !== undefined && ns <= lastNs) return ns
  }
  return undefined
}

/**
 * Reads TAI64: seconds of TAI since 1970, plus 2^62. TAI counts as ten seconds ahead of UTC, as the programs that write
 * TAI64 assume.
 */
function tai64({ seconds = '', nanos = '' }: TimeGroups): bigint | undefined {
  return nsWithin(Number(BigInt(`0x${seconds}`) - 2n ** 62n) - 10, Number.parseInt(nanos, 16))
}

/** The context of the examples; times without a zone are in UTC. */
export const exampleContext: TimeContext = { nowNs: 1_767_225_600_000_000_000n }

/**
 * All formats of times that are recognised in records. The first one that matches is used. To add a format, add an
 * entry with examples, using the parts of `pattern.ts`; tests and the reference read this list.
 */
export const timeFormats: readonly TimeFormat[] = [
  format({
    name: 'ISO 8601',
    writers: 'RFC 3339, RFC 5424, W3C, OTLP, Kubernetes, PostgreSQL, Python, log4j, Go, nginx errors',
    examples: [
      ['2006-01-02T15:04:05Z', '2006-01-02T15:04:05Z'],
      ['2006-01-02T15:04:05.123456789+02:00', '2006-01-02T13:04:05.123456789Z'],
      ['2006-01-02 15:04:05', '2006-01-02T15:04:05Z'],
      ['2006-01-02 15:04:05,123', '2006-01-02T15:04:05.123Z'],
      ['2006-01-02T15:04:05.123+0200', '2006-01-02T13:04:05.123Z'],
      ['2006-01-02 15:04:05.123+02', '2006-01-02T13:04:05.123Z'],
      ['2006-01-02 15:04:05 UTC', '2006-01-02T15:04:05Z'],
      ['2006-01-02 15:04:05.123 CET', '2006-01-02T14:04:05.123Z'],
      ['2006-01-02T15:04:05.123+01:00[Europe/Paris]', '2006-01-02T14:04:05.123Z'],
      ['2006-01-02T15:04:05[Europe/Paris]', '2006-01-02T14:04:05Z'],
      ['2006-01-02T15:04', '2006-01-02T15:04:00Z'],
      ['2006/01/02 15:04:05.000001', '2006-01-02T15:04:05.000001Z'],
      ['2006-01-02 15:04:05.999999999 -0700 MST m=+0.000000001', '2006-01-02T22:04:05.999999999Z'],
      ['2006-01-02 15:04:05.5 +0000 UTC', '2006-01-02T15:04:05.5Z'],
      ['2006-01-02_15:04:05.12345', '2006-01-02T15:04:05.12345Z'],
    ],
    pattern:
      '{year}(?<between>[-/.]){month}\\k<between>{day}[Tt _]{hh}:{mm}(?::{ss}{fraction})?{half}?{zone}{goEnding}{zoneName}',
  }),
  format({
    name: 'ISO 8601, basic',
    writers: 'RFC 5545, names of files and backups',
    examples: [
      ['20060102T150405Z', '2006-01-02T15:04:05Z'],
      ['20060102T150405.123+0200', '2006-01-02T13:04:05.123Z'],
      ['20060102T1504Z', '2006-01-02T15:04:00Z'],
    ],
    pattern: '{year}{month}{day}T{hh}{mm}(?:{ss}{fraction})?{zone}',
  }),
  format({
    name: 'a date without marks',
    writers: 'glog with its year, log4net, rsync',
    examples: [['20060102 15:04:05.123', '2006-01-02T15:04:05.123Z']],
    pattern: '{year}{month}{day}[ -]{hh}:{mm}:{ss}{fraction}{zone}',
  }),
  format({
    name: 'a date alone',
    writers: 'CSV of days: its first moment',
    examples: [['2006-01-02', '2006-01-02T00:00:00Z']],
    pattern: '{year}-{month}-{day}',
    contexts: ['value'],
    read: (groups, context) => timeOfGroups({ ...groups, hour: '0' }, context),
  }),
  format({
    name: 'seconds since the epoch, with whatever unit',
    writers: 'zap, pino, journald, Squid, Redis, OTLP as JSON: s, ms, µs or ns by size, as numbers or their digits',
    examples: [
      ['1562529662', '2019-07-07T20:01:02Z'],
      ['1562529662.678123456', '2019-07-07T20:01:02.678123456Z'],
      ['1562529662678', '2019-07-07T20:01:02.678Z'],
      ['1562529662678.5', '2019-07-07T20:01:02.6785Z'],
      ['1562529662678123', '2019-07-07T20:01:02.678123Z'],
      ['1562529662678123456', '2019-07-07T20:01:02.678123456Z'],
      ['1.562529662678e9', '2019-07-07T20:01:02.678Z'],
      ['1.562529662678E+12', '2019-07-07T20:01:02.678Z'],
    ],
    pattern: '(?<number>\\d{1,19}(?:\\.\\d{1,30})?(?:[eE]\\+?\\d{1,2})?)(?![.:/-]\\d)',
    contexts: ['value'],
    read: ({ number = '' }) => epochNs(number),
  }),
  format({
    name: 'seconds or milliseconds at the head of a line',
    writers:
      'Squid, dnsmasq, candump: seconds with ten digits or milliseconds with thirteen, not later than a day ahead',
    examples: [
      ['1562529662.678', '2019-07-07T20:01:02.678Z'],
      ['1562529662678', '2019-07-07T20:01:02.678Z'],
    ],
    pattern: '(?<number>(?:\\d{10}|\\d{13}|\\d{16}|\\d{19})(?:\\.\\d{1,30})?)(?![.:/-]\\d)(?=$|[\\s\\]),:;|"])',
    contexts: ['line'],
    read: ({ number = '' }, { nowNs }) => {
      const ns = epochNs(number)
      return ns === undefined || ns > nowNs + DAY_NS ? undefined : ns
    },
  }),
  format({
    name: 'day, name of the month, year',
    writers: 'access logs, HAProxy, RFC 1123, RFC 850, RFC 822, log4j, Tomcat, PHP errors, BIND, Redis, cookies',
    examples: [
      ['10/Oct/2000:13:55:36 -0700', '2000-10-10T20:55:36Z'],
      ['06/Feb/2009:12:14:14.655', '2009-02-06T12:14:14.655Z'],
      ['02 Jan 2006 15:04:05,123', '2006-01-02T15:04:05.123Z'],
      ['02-Jan-2006 15:04:05.123', '2006-01-02T15:04:05.123Z'],
      ['02-Jan-2006 15:04:05 Europe/Berlin', '2006-01-02T14:04:05Z'],
      ['02 Jan 06 15:04 GMT', '2006-01-02T15:04:00Z'],
      ['2 January 2006 3:04:05 PM', '2006-01-02T15:04:05Z'],
    ],
    pattern:
      '{d}(?<between>[ /-]){monthName}\\k<between>(?:{year}|{yy})(?:[: ]|, ){h}:{mm}(?::{ss}{fraction})?{half}?{zone}',
    contexts: ['value', 'line', 'brackets'],
  }),
  format({
    name: 'weekday, day, name of the month, year',
    writers: 'RFC 1123, RFC 850, RFC 822, HTTP, mail, Date.toUTCString, `date` in some languages',
    examples: [
      ['Mon, 02 Jan 2006 15:04:05 GMT', '2006-01-02T15:04:05Z'],
      ['Mon, 02 Jan 2006 15:04:05 -0700', '2006-01-02T22:04:05Z'],
      ['Monday, 02-Jan-06 15:04:05 UTC', '2006-01-02T15:04:05Z'],
      ['Mon, 02-Jan-2006 15:04:05 GMT', '2006-01-02T15:04:05Z'],
      ['Mon 02 Jan 2006 03:04:05 PM CET', '2006-01-02T14:04:05Z'],
    ],
    pattern:
      '{weekday},? {d}(?<between>[ -]){monthName}\\k<between>(?:{year}|{yy}),? {h}:{mm}(?::{ss}{fraction})?{half}?{zone}',
  }),
  format({
    name: 'weekday, name of the month, day, time, year',
    writers: 'asctime, ctime, Apache errors, UnixDate, RubyDate, `date`, Java Date.toString',
    examples: [
      ['Mon Jan  2 15:04:05 2006', '2006-01-02T15:04:05Z'],
      ['Wed Oct 11 14:32:52.123456 2000', '2000-10-11T14:32:52.123456Z'],
      ['Mon Jan  2 15:04:05 EDT 2006', '2006-01-02T19:04:05Z'],
      ['Mon Jan 02 15:04:05 -0700 2006', '2006-01-02T22:04:05Z'],
    ],
    pattern: '{weekday} {monthName} {1,2}{d} {h}:{mm}:{ss}{fraction}{half}?{zone} {year}',
  }),
  format({
    name: 'weekday, date with hyphens',
    writers: 'systemctl, journalctl -o short-full and with-unit',
    examples: [
      ['Mon 2006-01-02 15:04:05 UTC', '2006-01-02T15:04:05Z'],
      ['Mon 2006-01-02 15:04:05.123456 CET', '2006-01-02T14:04:05.123456Z'],
    ],
    pattern: '{weekday} {year}-{month}-{day} {hh}:{mm}:{ss}{fraction}{zone}',
  }),
  format({
    name: 'weekday, name of the month, day, year, time',
    writers: 'Date.toString of JavaScript',
    examples: [['Mon Jan 02 2006 15:04:05 GMT-0700 (Mountain Standard Time)', '2006-01-02T22:04:05Z']],
    pattern:
      '{weekday},? {monthName} {1,2}{d},? {year},? {h}:{mm}:{ss}{fraction}{half}?{zone}(?: \\([A-Za-z -]{1,60}\\))?',
  }),
  format({
    name: 'name of the month, day, year',
    writers: 'java.util.logging, Cisco with a year',
    examples: [
      ['Jan 02, 2006 3:04:05 PM', '2006-01-02T15:04:05Z'],
      ['Jan 2, 2006, 3:04:05\u202fPM', '2006-01-02T15:04:05Z'],
      ['Jan  2 2006 15:04:05.123', '2006-01-02T15:04:05.123Z'],
    ],
    pattern: '{monthName} {1,2}{d},? {year},? {h}:{mm}:{ss}{fraction}{half}?{zone}',
  }),
  format({
    name: 'year, name of the month, day',
    writers: 'Cisco NX-OS, named',
    examples: [['2006 Jan  2 15:04:05.123 UTC', '2006-01-02T15:04:05.123Z']],
    pattern: '{year} {monthName} {1,2}{d} {h}:{mm}:{ss}{fraction}{zone}',
  }),
  format({
    name: 'name of the month, day',
    writers: 'syslog (RFC 3164), systemd, sshd, Cisco: the latest such date that is not more than a day ahead',
    examples: [
      ['Oct 11 22:14:15', '2025-10-11T22:14:15Z'],
      ['Jan  1 23:04:05.123456', '2026-01-01T23:04:05.123456Z'],
      ['Jan  2 15:04:05', '2025-01-02T15:04:05Z'],
      ['Feb 29 12:00:00', '2024-02-29T12:00:00Z'],
    ],
    pattern: '(?:{weekday} )?{monthName} {1,2}{d} {h}:{mm}:{ss}{fraction}{zone}(?! \\d{4}(?!\\w))',
  }),
  format({
    name: 'klog',
    writers: 'Kubernetes, glog: the letter of the level before the month, no year',
    examples: [['I0101 15:04:05.678901', '2026-01-01T15:04:05.678901Z']],
    pattern: '[IWEF]{month}{day} {hh}:{mm}:{ss}{fraction}',
  }),
  format({
    name: 'glog with its year',
    writers: 'glog since 0.5',
    examples: [['I20060102 15:04:05.678901', '2006-01-02T15:04:05.678901Z']],
    pattern: '[IWEF]{year}{month}{day} {hh}:{mm}:{ss}{fraction}',
  }),
  format({
    name: 'numbers with slashes',
    writers:
      '.NET, Windows: the month is first where AM or PM is written; without, only days that cannot be months are read',
    examples: [
      ['1/2/2006 3:04:05 PM', '2006-01-02T15:04:05Z'],
      ['1/25/2006 15:04:05', '2006-01-25T15:04:05Z'],
      ['25/01/2006 15:04:05', '2006-01-25T15:04:05Z'],
    ],
    pattern: '(?<first>\\d{1,2})/(?<other>\\d{1,2})/{year},? {h}:{mm}(?::{ss}{fraction})?{half}?{zone}',
    read: slashed,
  }),
  format({
    name: 'two digits of the year with slashes',
    writers: 'Spark, Hadoop: before a level, or where the numbers can be no other date up to now',
    examples: [['25/12/28 07:00:01', '2025-12-28T07:00:01Z']],
    pattern:
      '{yy}/{month}/{day} {hh}:{mm}:{ss}{fraction}(?:(?<level>(?= {1,2}(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL) ))|)',
    read: shortDate,
  }),
  format({
    name: 'numbers with points',
    writers: 'programs in German, Russian, Polish, Turkish and more: the day is first',
    examples: [['02.01.2006 15:04:05,123', '2006-01-02T15:04:05.123Z']],
    pattern: '{d}\\.(?<month>\\d{1,2})\\.{year},? {h}:{mm}(?::{ss}{fraction})?{zone}',
  }),
  format({
    name: 'MySQL',
    writers: 'MySQL until 5.6, MariaDB: two digits of the year, a blank before hours of one digit',
    examples: [
      ['060102 15:04:05', '2006-01-02T15:04:05Z'],
      ['060102  5:04:05', '2006-01-02T05:04:05Z'],
    ],
    pattern: '{yy}{month}{day} {1,2}{h}:{mm}:{ss}',
  }),
  format({
    name: 'a time of day',
    writers:
      'programs whose files are of one day: the latest such moment that is at most an hour after the last change of the file, or arrival',
    examples: [
      ['16:07:11.428', '2025-12-31T16:07:11.428Z'],
      ['00:30:00', '2025-12-31T00:30:00Z'],
      ['4:07:11 PM', '2025-12-31T16:07:11Z'],
    ],
    pattern: '{h}:{mm}:{ss}{fraction}{half}?{zone}',
    contexts: ['line'],
    read: timeOfDay,
  }),
  format({
    name: '.NET as JSON',
    writers:
      'DataContractJsonSerializer, older Json.NET: milliseconds since the epoch; the offset says nothing of the moment',
    examples: [
      ['/Date(1562529662678+0200)/', '2019-07-07T20:01:02.678Z'],
      ['/Date(-1000)/', '1969-12-31T23:59:59Z'],
    ],
    pattern: '/Date\\((?<milliseconds>-?\\d{1,15})(?:[+-]\\d{4})?\\)/',
    read: ({ milliseconds = '' }) => {
      const ms = Number(milliseconds)
      const seconds = Math.floor(ms / 1000)
      return nsWithin(seconds, (ms - seconds * 1000) * 1_000_000)
    },
  }),
  format({
    name: 'TAI64N',
    writers: 'multilog, s6-log: seconds of TAI',
    examples: [['@4000000043b940ee075bcd15', '2006-01-02T15:04:04.123456789Z']],
    pattern: '@(?<seconds>[0-9a-f]{16})(?<nanos>[0-9a-f]{8})',
    read: tai64,
  }),
]
