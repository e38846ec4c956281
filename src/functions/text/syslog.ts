import { daysFromCivil, formatRfc3339, readIsoTime, type InstantParts } from '../../base/index.ts'
import { toText } from '../../data/index.ts'
import { parseCef } from './cef.ts'
import { flattenJson } from './json-fields.ts'

/** Data for parsing that a syslog line does not contain. */
export interface SyslogContext {
  /** Current time, ns since 1970. It determines the year of RFC 3164 dates, which contain none. */
  readonly nowNs: bigint
  /** UTC offset of the times in RFC 3164 dates, ns. */
  readonly offsetNs: bigint
}

type Fields = [string, string][]

const FACILITIES =
  'kern user mail daemon auth syslog lpr news uucp cron authpriv ftp ntp security console solaris-cron local0 local1 local2 local3 local4 local5 local6 local7'.split(
    ' ',
  )
const LEVELS = ['emerg', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * Parses a syslog line in RFC 3164 or RFC 5424, with CEF or `@cee:` JSON in the message. Never fails: parts that cannot
 * be parsed become the message. Blanks before the line, after the priority and before the message are dropped.
 */
export function parseSyslog(line: string, context: SyslogContext): Fields {
  const fields: Fields = []
  let rest = line.trimStart()
  if (rest === '') return []
  const priority = /^<(\d{1,3})>/.exec(rest)
  if (priority !== null && Number(priority[1]) < 192) {
    const [, level = ''] = priority
    const value = Number(level)
    const facility = Math.floor(value / 8)
    fields.push(['priority', level], ['facility_keyword', FACILITIES[facility] ?? ''])
    fields.push(['level', LEVELS[value % 8] ?? ''], ['facility', String(facility)], ['severity', String(value % 8)])
    rest = rest.slice(priority[0].length).trimStart()
  }
  if (/^\d{1,2} /.test(rest)) readRfc5424(rest.slice(rest.indexOf(' ') + 1), fields)
  else readRfc3164(rest, context, fields)
  return fields
}

/** Splits a string at its first blank. */
function splitWord(text: string): readonly [string, string | undefined] {
  const blank = text.indexOf(' ')
  return blank === -1 ? [text, undefined] : [text.slice(0, blank), text.slice(blank + 1)]
}

function readRfc5424(text: string, fields: Fields): void {
  fields.push(['format', 'rfc5424'])
  let rest: string | undefined = text
  for (const name of ['timestamp', 'hostname', 'app_name', 'proc_id', 'msg_id']) {
    if (rest === undefined || rest === '') return
    const [word, behind] = splitWord(rest)
    fields.push([name, word])
    rest = behind
  }
  if (rest === undefined) return
  const data = readStructuredData(rest, fields)
  readMessage(data, fields)
}

/** Matches a parameter name and its value, with or without quotes. */
const SD_PARAM = / *([^ =\]"]+)=(?:"((?:[^"\\]|\\.)*)"|([^ \]"]*))/y
const SD_ID = /\[([^ \]"]+)/y

/** Parses structured data, `[id name="value" …]…` or `-`, into `fields`. Returns the rest of the line. */
function readStructuredData(text: string, fields: Fields): string {
  if (text === '-' || text.startsWith('- ')) return text.slice(2)
  let at = 0
  const read: Fields = []
  while (text[at] === '[') {
    SD_ID.lastIndex = at
    const id = SD_ID.exec(text)
    if (id === null) return text
    at = SD_ID.lastIndex
    const before = read.length
    const equals = id[1]?.indexOf('=') ?? -1
    // If the id is missing, a parameter stands in its place.
    const prefix = equals === -1 ? `${id[1]}.` : ''
    if (equals !== -1) read.push([id[1]?.slice(0, equals) ?? '', id[1]?.slice(equals + 1) ?? ''])
    for (;;) {
      SD_PARAM.lastIndex = at
      const param = SD_PARAM.exec(text)
      if (param === null) break
      const value = (param[2] ?? param[3] ?? '').replaceAll(/\\(["\\\]])/g, '$1')
      read.push([`${prefix}${param[1]}`, value])
      at = SD_PARAM.lastIndex
    }
    while (text[at] === ' ') at++
    if (text[at] !== ']') return text
    at++
    if (read.length === before) read.push([id[1] ?? '', ''])
  }
  fields.push(...read)
  return text[at] === ' ' ? text.slice(at + 1) : text.slice(at)
}

const scratch: InstantParts = { seconds: 0, nanos: 0 }

function readTime(
  text: string,
  context: SyslogContext,
): { readonly timestamp: string; readonly rest: string } | undefined {
  const blank = text.indexOf(' ')
  const first = text.slice(0, Math.max(blank, 0))
  // A time without a blank after it is the message, not a timestamp.
  const form = blank === -1 ? undefined : readIsoTime(first, scratch)
  if (form !== undefined) {
    const ns = BigInt(scratch.seconds) * 1_000_000_000n + BigInt(scratch.nanos)
    const utcNs = form === 'local' ? ns - context.offsetNs : ns
    return { timestamp: formatRfc3339(utcNs, true), rest: text.slice(blank + 1) }
  }
  const date = /^([A-Z][a-z]{2}) ([ 0-3]\d) (\d{2}):(\d{2}):(\d{2})(?: |$)/.exec(text)
  const month = date === null ? -1 : MONTHS.indexOf(date[1] ?? '')
  if (date === null || month === -1) return undefined
  const [day = 0, hour = 0, minute = 0, second = 0] = date.slice(2).map(Number)
  const inYear = (year: number): bigint =>
    BigInt(daysFromCivil(year, month + 1, day) * 86400 + hour * 3600 + minute * 60 + second) * 1_000_000_000n -
    context.offsetNs
  const year = Number(formatRfc3339(context.nowNs).slice(0, 4))
  // A date more than a day in the future belongs to the previous year.
  const ns = inYear(year) > context.nowNs + 86_400_000_000_000n ? inYear(year - 1) : inYear(year)
  return { timestamp: formatRfc3339(ns, true), rest: text.slice(date[0].length) }
}

function readRfc3164(text: string, context: SyslogContext, fields: Fields): void {
  fields.push(['format', 'rfc3164'])
  const time = readTime(text, context)
  if (time === undefined) {
    readMessage(text, fields)
    return
  }
  fields.push(['timestamp', time.timestamp])
  let { rest } = time
  if (rest === '') return
  const [first, behind] = splitWord(rest)
  if (!first.endsWith(':')) {
    fields.push(['hostname', first])
    if (behind === undefined) return
    rest = behind
  }
  const tag = /^([^\s:[]+)(?:\[([^\]\s]*)\])?(:?)/.exec(rest)
  if (tag === null) {
    readMessage(rest, fields)
    return
  }
  fields.push(['app_name', tag[1] ?? ''])
  if (tag[2] !== undefined) fields.push(['proc_id', tag[2]])
  const message = rest.slice(tag[0].length).trimStart()
  if (tag[1] === 'CEF' && tag[3] === ':') {
    const cef = parseCef(message)
    if (cef !== undefined) {
      fields.push(...cef)
      return
    }
  }
  readMessage(message, fields)
}

/** Returns the fields of a message in CEF or `@cee:` JSON; `undefined` for other messages. */
export function messageFields(message: string): Fields | undefined {
  if (message.startsWith('@cee:'))
    return flattenJson(message.slice(5), '', [])?.map(([name, value]): [string, string] => [name, toText(value)])
  return message.startsWith('CEF:') ? parseCef(message.slice(4)) : undefined
}

function readMessage(text: string, fields: Fields): void {
  const message = text.trimStart()
  if (message !== '') fields.push(...(messageFields(message) ?? [['message', message] satisfies [string, string]]))
}
