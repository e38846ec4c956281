import { Instant, leadingTime, type TimeContext } from '../../data/index.ts'
import { levelOfName } from '../../store/index.ts'
import { Cursor, numberOf, wholeOf } from './cursor.ts'
import { instantOf, patternForm, rowOf, type LineFields, type TextForm } from './form.ts'
import { addressOf, requestFields } from './requests.ts'
import { SERVER_HEAD_CHARS } from '../tuning.ts'

/** Fields that nginx writes after its messages: `, client: 1.2.3.4, request: "GET / HTTP/1.1"`. */
const NGINX_FIELDS = ['client', 'server', 'host', 'upstream', 'referrer'] as const

export const nginxErrorForm = patternForm({
  name: 'nginx error log',
  starts: '0',
  pattern:
    /^(?<time>\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d) \[(?<level>\w{1,8})\] (?<pid>\d{1,10})#(?<tid>\d{1,10}): (?:\*(?<connection>\d{1,20}) )?/,
  more: ({ time }, line, context) => ({
    _time: instantOf(time?.replaceAll('/', '-'), context),
    ...Object.fromEntries(NGINX_FIELDS.map((name) => [name, nginxField(line, name)])),
    ...requestFields(nginxField(line, 'request')),
  }),
})

/** Returns the value after `, name: `, in quotes or up to the next name. */
function nginxField(line: string, name: string): string | undefined {
  const at = line.lastIndexOf(`, ${name}: `)
  if (at === -1) return undefined
  const cursor = new Cursor(line)
  cursor.at = at + name.length + 4
  return cursor.quoted() ?? (name === 'request' ? undefined : (cursor.until(', ') ?? cursor.rest))
}

export const apacheErrorForm = patternForm({
  name: 'Apache error log',
  starts: '[',
  pattern:
    /^\[(?<time>[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})? \d{4})\] \[(?:(?<module>\w{1,32}):)?(?<level>\w{1,8})\] (?:\[pid (?<pid>\d{1,10})(?::tid (?<tid>\d{1,20}))?\] )?/,
  more: ({ level = '' }, line) => {
    const known = levelOfName(/^trace\d$/.test(level) ? 'trace' : level)
    const client = /\[client ([^\]]{1,64})\]/.exec(line.slice(0, SERVER_HEAD_CHARS))
    return known === undefined ? undefined : { level: known, client: addressOf(client?.[1]) }
  },
})

const PHP_LEVELS: Readonly<Record<string, string>> = {
  'Fatal error': 'fatal',
  'Parse error': 'error',
  'Recoverable fatal error': 'error',
  Warning: 'warn',
  Notice: 'notice',
  Deprecated: 'notice',
}

export const phpErrorForm = patternForm({
  name: 'PHP error log',
  starts: '[a',
  pattern:
    /^(?:\[(?<time>\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d)(?: (?<zone>[\w/+:-]{1,32}))?\] )?(?:PHP )?(?<level>Fatal error|Parse error|Recoverable fatal error|Warning|Notice|Deprecated): {1,2}/,
  more: ({ time, zone, level = '' }, line, context) => {
    if (time === undefined && !line.startsWith('PHP ')) return undefined
    const [day, month = '', year, clock] = time?.split(/[- ]/) ?? []
    const location = / in (\S{1,4096}) on line (\d{1,9})$/.exec(line.slice(-4200))
    return {
      _time: instantOf(
        time && `${year}-${monthOf(month)}-${day}T${clock}`,
        zone === undefined ? context : { ...context, zone },
      ),
      zone: undefined,
      level: PHP_LEVELS[level],
      file: location?.[1],
      line: wholeOf(location?.[2]),
    }
  },
})

/** Returns the number of a month by the first three letters of its name. */
function monthOf(name: string): string {
  return String('JanFebMarAprMayJunJulAugSepOctNovDec'.indexOf(name) / 3 + 1).padStart(2, '0')
}

const REDIS_LEVELS: Readonly<Record<string, string>> = { '.': 'debug', '-': 'verbose', '*': 'notice', '#': 'warn' }

export const redisForm = patternForm({
  name: 'Redis',
  starts: '0',
  pattern:
    /^(?<pid>\d{1,10}):(?<role>[XCSM]) (?<time>\d{1,2} [A-Z][a-z]{2} (?:\d{4} )?\d\d:\d\d:\d\d\.\d{3}) (?<level>[.*#-]) /,
  more: ({ time = '', level = '' }, _, context) => {
    const [day = '', month = '', ...rest] = time.split(' ')
    const date = `${monthOf(month)}-${day.padStart(2, '0')}T${rest.at(-1)}`
    return {
      _time: rest.length === 1 ? timeOfThisYear(date, context) : instantOf(`${rest[0]}-${date}`, context),
      level: REDIS_LEVELS[level],
    }
  },
})

/** Reads `MM-DDThh:mm:ss`, which has no year, as the latest such time that is at most one day after now. */
function timeOfThisYear(date: string, context: TimeContext): Instant | undefined {
  const year = new Date(Number(context.nowNs / 1_000_000n)).getUTCFullYear()
  const time = instantOf(`${year}-${date}`, context)
  return time !== undefined && time.ns <= context.nowNs + 86_400_000_000_000n
    ? time
    : instantOf(`${year - 1}-${date}`, context)
}

const LOGCAT_TIME = /^(?:\[ )?(\d{4}-)?(\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3,9})( [+-]\d{4})? +/
/**
 * The parts of logcat lines after the time in three formats: threadtime (sometimes with a user name), time, and long,
 * whose message is in the following lines.
 */
const LOGCAT_HEADS = [
  /^(?:[\w.-]{1,32} +)?(?<pid>\d{1,7}) +(?<tid>\d{1,7}) (?<letter>[VDIWEFA]) (?<tag>[^:]{0,128}?) *: /,
  /^(?<letter>[VDIWEFA])\/(?<tag>[^(]{0,128}?) *\( *(?<pid>\d{1,7})\): /,
  /^(?<pid>\d{1,7}): *(?<tid>\d{1,7}) (?<letter>[VDIWEFA])\/(?<tag>[^\]]{0,128}?) *\]$/,
]

export const logcatForm: TextForm = {
  name: 'Android logcat',
  starts: '0a[',
  read: (line, context) => {
    const head = line.slice(0, SERVER_HEAD_CHARS)
    const time = LOGCAT_TIME.exec(head)
    if (time !== null) {
      const found = LOGCAT_HEADS.map((pattern) => pattern.exec(head.slice(time[0].length))).find(
        (each) => each !== null,
      )
      if (found?.groups === undefined) return undefined
      const [, year, date, clock, zone = ''] = time
      const { letter = '', pid, tid, tag } = found.groups
      const at = `${date}T${clock}${zone.trim()}`
      return rowOf({
        _time: year === undefined ? timeOfThisYear(at, context) : instantOf(`${year}${at}`, context),
        level: letter === 'A' ? 'fatal' : levelOfName(letter),
        pid,
        tid,
        tag: tag?.trim(),
      })
    }
    const brief = /^([VDIWEF])\/([^(]{1,128}?) *\( *(\d{1,7})\): /.exec(head)
    return brief === null ? undefined : rowOf({ level: levelOfName(brief[1] ?? ''), tag: brief[2], pid: brief[3] })
  },
}

export const klogForm = patternForm({
  name: 'klog, glog',
  starts: 'a',
  pattern:
    /^(?<level>[IWEF])(?<year>\d{4}(?=\d{4} ))?(?<date>\d{4}) (?<clock>\d\d:\d\d:\d\d\.\d{6}) +(?<thread>\d{1,10}) (?<source>[\w./-]{1,128}:\d{1,7})\] /,
  more: ({ year, date = '', clock }, line, context) => ({
    // glog can be configured to write the year as well.
    _time:
      year === undefined
        ? leadingInstant(line, context)
        : instantOf(`${year}-${date.slice(0, 2)}-${date.slice(2)}T${clock}`, context),
    year: undefined,
    date: undefined,
    clock: undefined,
  }),
})

const POSTGRES_LEVELS =
  /(?:^|\s)(DEBUG[1-5]?|LOG|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC|STATEMENT|DETAIL|HINT|CONTEXT|QUERY): {2}/

export const postgresForm: TextForm = {
  name: 'PostgreSQL',
  starts: '0',
  read: (line, context) => {
    if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(line)) return undefined
    const head = line.slice(0, SERVER_HEAD_CHARS)
    const level = POSTGRES_LEVELS.exec(head)
    const zone = /^[\d.: -]{19,26} ([A-Z][A-Za-z]{1,4}|[+-]\d\d(?::?\d\d)?) /.exec(head)
    // A level in place of the zone shows that the line comes from another program.
    if (level === null || zone === null || levelOfName(zone[1] ?? '') !== undefined) return undefined
    const time = instantOf(head.slice(0, zone[0].length - 1), context) ?? leadingInstant(line, context)
    if (time === undefined) return undefined
    const between = head.slice(zone[0].length, level.index)
    const user = /([\w.-]{1,64})@([\w.-]{1,64})/.exec(between)
    return rowOf({
      _time: time,
      level: levelOfName(level[1] ?? ''),
      pid: /\[(\d{1,10})(?:-\d{1,10})?\]/.exec(between)?.[1],
      user: user?.[1],
      database: user?.[2],
      ...durationOf(line, level.index + level[0].length),
    })
  },
}

function durationOf(line: string, from: number): Record<string, number | undefined> {
  const found = /^duration: (\d{1,12}(?:\.\d{1,9})?) ms/.exec(line.slice(from, from + 64))
  return { duration_ms: numberOf(found?.[1]) }
}

function leadingInstant(line: string, context: TimeContext): Instant | undefined {
  const time = leadingTime(line, context)
  return time === undefined ? undefined : new Instant(time.ns)
}

/** The columns of PostgreSQL's csvlog that become fields; the first one is the time. */
const CSV_COLUMNS: readonly (string | undefined)[] = [
  undefined,
  'user',
  'database',
  'pid',
  'client',
  'session',
  undefined,
  'command',
  undefined,
  undefined,
  'transaction',
  undefined,
  'sql_state',
  undefined,
  'detail',
  'hint',
  undefined,
  undefined,
  'context',
  'query',
  undefined,
  undefined,
  'application_name',
  'backend_type',
]

export const postgresCsvForm: TextForm = {
  name: 'PostgreSQL csvlog',
  starts: '0',
  read: (line, context) => {
    const comma = line.slice(0, 40).indexOf(',')
    if (comma < 19 || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})? [\w+:-]{1,16},/.test(line)) return undefined
    const values = csvValues(line)
    if (values.length < 23 || values.length > 30) return undefined
    const time = instantOf(values[0], context) ?? leadingInstant(line, context)
    const level = levelOfName(values[11] ?? '')
    if (time === undefined || level === undefined) return undefined
    const row = rowOf({ _time: time, level, content: values[13], ...durationOf(values[13] ?? '', 0) })
    CSV_COLUMNS.forEach((name, i) => {
      const value = values[i]
      if (name !== undefined && value !== undefined && value !== '')
        row.set(name, name === 'client' ? (addressOf(value) ?? value) : value)
    })
    return row
  },
}

function csvValues(line: string): readonly string[] {
  const values: string[] = []
  for (let at = 0; at <= line.length && values.length <= 64;) {
    let end = at
    if (line[at] === '"') {
      end++
      while (end < line.length && (line[end] !== '"' || line[end + 1] === '"')) end += line[end] === '"' ? 2 : 1
      values.push(line.slice(at + 1, end).replaceAll('""', '"'))
      end++
    } else {
      const found = line.indexOf(',', at)
      end = found === -1 ? line.length : found
      values.push(line.slice(at, end))
    }
    at = end + 1
  }
  return values
}

export const mysqlErrorForm = patternForm({
  name: 'MySQL error log',
  starts: '0',
  pattern:
    /^(?<time>\d{4}-\d\d-\d\d[T ] ?\d{1,2}:\d\d:\d\d(?:\.\d{6})?(?:Z|[+-]\d\d:\d\d)?) +(?<thread>\d{1,20}) \[(?<level>System|Note|Warning|ERROR|Error)\] (?:\[(?<error_code>MY-\d{6})\] )?(?:\[(?<subsystem>\w{1,32})\] )?/,
  more: ({ level = '' }) => ({ level: levelOfName(level) ?? 'info' }),
})

/** The first line of an entry of MySQL's slow log; `slowQueryFields` reads the whole entry. */
export const slowQueryForm: TextForm = {
  name: 'MySQL slow log',
  starts: '#',
  read: (line, context) => {
    if (line.startsWith('# Time: ')) return rowOf({ _time: instantOf(line.slice(8).trim(), context) })
    return line.startsWith('# User@Host: ') ? new Map() : undefined
  },
}

/** Returns further fields of an entry of several lines. */
export function slowQueryFields(text: string): LineFields {
  const head = text.slice(0, 4096)
  const user = /^# User@Host: (\w{1,64})\[[^\]\n]{0,64}\] @ ([^\s[]{0,255}) ?\[([^\]\n]{0,64})\]/m.exec(head)
  const numbers =
    /^# Query_time: ([\d.]{1,20}) +Lock_time: ([\d.]{1,20}) +Rows_sent: (\d{1,15}) +Rows_examined: (\d{1,15})/m.exec(
      head,
    )
  const seconds = numberOf(numbers?.[1])
  const set = /^SET timestamp=(\d{10}(?:\.\d{1,9})?);/m.exec(head)
  return {
    user: user?.[1],
    client: user?.[3] === '' ? user[2] : user?.[3],
    duration_ms: seconds === undefined ? undefined : Math.round(seconds * 1e9) / 1e6,
    rows_sent: wholeOf(numbers?.[3]),
    rows_examined: wholeOf(numbers?.[4]),
    timestamp: set?.[1],
  }
}

export const monologForm = patternForm({
  name: 'monolog line',
  starts: '[',
  pattern: /^\[(?<time>[^\]]{19,40})\] (?<channel>[\w-]{1,64})\.(?<level>[A-Z]{4,9}): /,
  more: ({ time, channel }, _, context) => (instantOf(time, context) === undefined ? undefined : { workload: channel }),
})

export const rubyForm = patternForm({
  name: 'Ruby Logger',
  starts: 'a',
  pattern:
    /^[DIWEFA], \[(?<time>[\d:T.-]{19,26}) #(?<pid>\d{1,10})\] +(?<level>[A-Z]{3,5}) -- (?<app>[^:]{0,64}):(?: |$)/,
})

export const railsForm = patternForm({
  name: 'Rails',
  starts: 'a',
  pattern:
    /^Started (?<method>[A-Z]{3,10}) "(?<path>[^"]{1,8192})" for (?<client>[\da-fA-F.:]{2,45}) at (?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4})/,
  headChars: Infinity,
})

/** A run of apt. The lines after its first line belong to the run until a line begins with a time. */
export const aptForm = patternForm({
  name: 'apt history',
  starts: 'a',
  pattern: /^Start-Date: (?<time>\d{4}-\d\d-\d\d {1,2}\d\d:\d\d:\d\d)$/,
  more: ({ time }, _, context) => {
    const at = instantOf(time?.replace('  ', ' '), context)
    return at && { _time: at, app: 'apt', workload: 'apt' }
  },
})

/** The history of bash: a line `#seconds`, to which the command in the next line is joined. */
export const bashForm = patternForm({
  name: 'bash history',
  starts: '#',
  pattern: /^#(?<time>\d{10})$/,
})

/** The extended history of zsh: `: seconds:duration;command`. */
export const zshForm = patternForm({
  name: 'zsh history',
  starts: ':',
  pattern: /^: (?<time>\d{10}):(?<seconds>\d{1,10});/,
  more: ({ seconds }, line) => ({
    seconds: undefined,
    duration_ms: (wholeOf(seconds) ?? 0) * 1000,
    content: line.slice(line.indexOf(';') + 1),
  }),
})
