import { Instant, leadingTime, readTime, type TimeContext, type Value } from '../../data/index.ts'
import { levelOfName } from '../../store/index.ts'
import { Cursor, numberOf, wholeOf } from './cursor.ts'
import { instantOf, rowOf, type TextForm } from './form.ts'
import { addressOf, requestFields } from './requests.ts'
import { SERVER_HEAD_CHARS } from '../tuning.ts'

/** Members that nginx writes behind its messages: `, client: 1.2.3.4, request: "GET / HTTP/1.1"`. */
const NGINX_FIELDS: Readonly<Record<string, string>> = {
  client: 'client',
  server: 'server',
  host: 'host',
  upstream: 'upstream',
  referrer: 'referrer',
}

export const nginxErrorForm: TextForm = {
  name: 'nginx error log',
  starts: '0',
  read: (line, context) => {
    const found =
      /^(\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d) \[(\w{1,8})\] (\d{1,10})#(\d{1,10}): (?:\*(\d{1,20}) )?/.exec(
        line.slice(0, SERVER_HEAD_CHARS),
      )
    if (found === null) return undefined
    const [, year, month, day, clock, level = '', pid, tid, connection] = found
    const row = rowOf({
      _time: instantOf(`${year}-${month}-${day} ${clock}`, context),
      level: levelOfName(level) ?? level,
      pid,
      tid,
      connection,
    })
    for (const [name, field] of Object.entries(NGINX_FIELDS)) {
      const at = line.lastIndexOf(`, ${name}: `)
      if (at === -1) continue
      const cursor = new Cursor(line)
      cursor.at = at + name.length + 4
      row.set(field, cursor.quoted() ?? cursor.until(', ') ?? cursor.rest)
    }
    const request = line.lastIndexOf(', request: "')
    if (request === -1) return row
    const cursor = new Cursor(line)
    cursor.at = request + 11
    for (const [name, value] of rowOf(requestFields(cursor.quoted()))) row.set(name, value)
    return row
  },
}

export const apacheErrorForm: TextForm = {
  name: 'Apache error log',
  starts: '[',
  read: (line, context) => {
    const head = line.slice(0, SERVER_HEAD_CHARS)
    const found =
      /^\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})? \d{4}\] \[(?:(\w{1,32}):)?(\w{1,8})\] /.exec(
        head,
      )
    if (found === null) return undefined
    const level = levelOfName(/^trace\d$/.test(found[2] ?? '') ? 'trace' : (found[2] ?? ''))
    if (level === undefined) return undefined
    const rest = head.slice(found[0].length)
    const process = /^\[pid (\d{1,10})(?::tid (\d{1,20}))?\] /.exec(rest)
    const client = /\[client ([^\]]{1,64})\]/.exec(rest)
    return rowOf({
      _time: instantOf(line.slice(1, line.indexOf(']')), context),
      level,
      module: found[1],
      pid: process?.[1],
      tid: process?.[2],
      client: addressOf(client?.[1]),
    })
  },
}

const PHP_LEVELS: Readonly<Record<string, string>> = {
  'Fatal error': 'fatal',
  'Parse error': 'error',
  'Recoverable fatal error': 'error',
  Warning: 'warn',
  Notice: 'notice',
  Deprecated: 'notice',
}

export const phpErrorForm: TextForm = {
  name: 'PHP error log',
  starts: '[a',
  read: (line, context) => {
    const found =
      /^(?:\[(\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d)(?: ([\w/+:-]{1,32}))?\] )?(?:PHP )?(Fatal error|Parse error|Recoverable fatal error|Warning|Notice|Deprecated): {1,2}/.exec(
        line.slice(0, SERVER_HEAD_CHARS),
      )
    if (found === null || (found[1] === undefined && !line.startsWith('PHP '))) return undefined
    const [, time, zone, kind = ''] = found
    const place = / in (\S{1,4096}) on line (\d{1,9})$/.exec(line.slice(-4200))
    return rowOf({
      _time: phpTime(time, zone, context),
      level: PHP_LEVELS[kind],
      file: place?.[1],
      line: wholeOf(place?.[2]),
    })
  },
}

function phpTime(time: string | undefined, zone: string | undefined, context: TimeContext): Instant | undefined {
  if (time === undefined) return undefined
  const [day = '', month = '', year = '', clock = ''] = time.split(/[- ]/)
  const number = 'JanFebMarAprMayJunJulAugSepOctNovDec'.indexOf(month) / 3 + 1
  const ns = readTime(
    `${year}-${String(number).padStart(2, '0')}-${day}T${clock}`,
    zone === undefined ? context : { ...context, zone },
  )
  return ns === undefined ? undefined : new Instant(ns)
}

const REDIS_LEVELS: Readonly<Record<string, string>> = { '.': 'debug', '-': 'verbose', '*': 'notice', '#': 'warn' }

export const redisForm: TextForm = {
  name: 'Redis',
  starts: '0',
  read: (line, context) => {
    const found = /^(\d{1,10}):([XCSM]) (\d{1,2}) ([A-Z][a-z]{2}) (?:(\d{4}) )?(\d\d:\d\d:\d\d\.\d{3}) ([.*#-]) /.exec(
      line.slice(0, SERVER_HEAD_CHARS),
    )
    if (found === null) return undefined
    const [, pid, role, day = '', month = '', year, clock, mark = ''] = found
    const number = String('JanFebMarAprMayJunJulAugSepOctNovDec'.indexOf(month) / 3 + 1).padStart(2, '0')
    const date = `${number}-${day.padStart(2, '0')}T${clock}`
    return rowOf({
      _time: year === undefined ? timeOfThisYear(date, context) : instantOf(`${year}-${date}`, context),
      level: REDIS_LEVELS[mark],
      pid,
      role,
    })
  },
}

/** `MM-DDThh:mm:ss` as the latest such time that is not more than a day ahead of now. */
function timeOfThisYear(date: string, context: TimeContext): Instant | undefined {
  const year = new Date(Number(context.nowNs / 1_000_000n)).getUTCFullYear()
  const time = instantOf(`${year}-${date}`, context)
  return time !== undefined && time.ns <= context.nowNs + 86_400_000_000_000n
    ? time
    : instantOf(`${year - 1}-${date}`, context)
}

const LOGCAT_TIME = /^(?:\[ )?(\d{4}-)?(\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3,9})( [+-]\d{4})? +/
/** Behind the time: threadtime (with the name of a user in some), time, and long, whose message is in the lines below. */
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

export const klogForm: TextForm = {
  name: 'klog, glog',
  starts: 'a',
  read: (line, context) => {
    const found = /^([IWEF])(\d{4})(\d{4})? (\d\d:\d\d:\d\d\.\d{6}) +(\d{1,10}) ([\w./-]{1,128}:\d{1,7})\] /.exec(
      line.slice(0, SERVER_HEAD_CHARS),
    )
    if (found === null) return undefined
    const [, letter = '', first = '', second, clock, thread, source] = found
    const date = second ?? first
    const day = `${date.slice(0, 2)}-${date.slice(2)}T${clock}`
    return rowOf({
      // glog can be told to write the year as well.
      _time: second === undefined ? leadingInstant(line, context) : instantOf(`${first}-${day}`, context),
      level: levelOfName(letter),
      thread,
      source,
    })
  },
}

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
    // A level is no zone: such lines are those of other programs.
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

/** The columns of PostgreSQL's csvlog that are worth a field; the first is the time. */
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

export const mysqlErrorForm: TextForm = {
  name: 'MySQL error log',
  starts: '0',
  read: (line, context) => {
    const found =
      /^(\d{4}-\d\d-\d\d[T ] ?\d{1,2}:\d\d:\d\d(?:\.\d{6})?(?:Z|[+-]\d\d:\d\d)?) +(\d{1,20}) \[(System|Note|Warning|ERROR|Error)\] (?:\[(MY-\d{6})\] )?(?:\[(\w{1,32})\] )?/.exec(
        line.slice(0, SERVER_HEAD_CHARS),
      )
    if (found === null) return undefined
    const [, time, thread, kind = '', code, subsystem] = found
    return rowOf({
      _time: instantOf(time, context),
      level: levelOfName(kind) ?? 'info',
      thread,
      error_code: code,
      subsystem,
    })
  },
}

/** The first line of an entry of MySQL's slow log; `slowQueryFields` reads the whole. */
export const slowQueryForm: TextForm = {
  name: 'MySQL slow log',
  starts: '#',
  read: (line, context) => {
    if (line.startsWith('# Time: ')) return rowOf({ _time: instantOf(line.slice(8).trim(), context) })
    return line.startsWith('# User@Host: ') ? new Map() : undefined
  },
}

/** Further fields of an entry that came as several lines. */
export function slowQueryFields(text: string): Record<string, Value | undefined> {
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

export const monologForm: TextForm = {
  name: 'monolog line',
  starts: '[',
  read: (line, context) => {
    const found = /^\[([^\]]{19,40})\] ([\w-]{1,64})\.([A-Z]{4,9}): /.exec(line.slice(0, SERVER_HEAD_CHARS))
    if (found === null) return undefined
    const [, time, channel, level = ''] = found
    const at = instantOf(time, context)
    return at === undefined
      ? undefined
      : rowOf({ _time: at, level: levelOfName(level) ?? level, channel, workload: channel })
  },
}

export const rubyForm: TextForm = {
  name: 'Ruby Logger',
  starts: 'a',
  read: (line, context) => {
    const found = /^([DIWEFA]), \[([\d:T.-]{19,26}) #(\d{1,10})\] +([A-Z]{3,5}) -- ([^:]{0,64}):(?: |$)/.exec(
      line.slice(0, SERVER_HEAD_CHARS),
    )
    if (found === null) return undefined
    const [, , time, pid, level = '', program] = found
    return rowOf({
      _time: instantOf(time, context),
      level: levelOfName(level) ?? level.toLowerCase(),
      pid,
      app: program,
    })
  },
}

export const railsForm: TextForm = {
  name: 'Rails',
  starts: 'a',
  read: (line, context) => {
    const found =
      /^Started ([A-Z]{3,10}) "([^"]{1,8192})" for ([\da-fA-F.:]{2,45}) at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4})/.exec(
        line,
      )
    if (found === null) return undefined
    const [, method, path, client, time] = found
    return rowOf({ _time: instantOf(time, context), method, path, client })
  },
}
