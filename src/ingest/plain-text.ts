import { daysFromCivil, daysInMonth, parseRfc3339, parseUnixTime } from '../base/index.ts'
import { Instant, type MutableRow } from '../data/index.ts'
import type { LineFormat } from './line-format.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const ISO =
  /^\[?(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[.,](\d{1,9}))?\s?(Z|[+-]\d{2}:?\d{2})?\]?(?=$|[\s:,|\]-])/
const SYSLOG = /^(?:<\d{1,3}>)?([A-Z][a-z]{2})\s{1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2})(?=\s)/
const KLOG = /^([IWEF])(\d{2})(\d{2}) (\d{2}):(\d{2}):(\d{2})\.(\d{6})\s/
const ACCESS = /\[(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})\]/
const EPOCH = /^\[?((?:\d{10}|\d{13}|\d{16}|\d{19})(?:\.\d{1,9})?)\]?(?=\s)/

const LEVEL =
  /(?:^|[\s[(<|"=:])(TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|CRIT|FATAL|PANIC|ALERT|EMERG)(?=$|[\s\])>|":,])/i
const LEVEL_NAMES: ReadonlyMap<string, string> = new Map([
  ['information', 'info'],
  ['warning', 'warn'],
  ['err', 'error'],
  ['crit', 'critical'],
  ['emerg', 'emergency'],
])
const KLOG_LEVELS: ReadonlyMap<string, string> = new Map([
  ['I', 'info'],
  ['W', 'warn'],
  ['E', 'error'],
  ['F', 'fatal'],
])

function nsOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): bigint | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month) || hour > 23 || minute > 59 || second > 60) {
    return undefined
  }
  const seconds = daysFromCivil(year, month, day) * 86400 + hour * 3600 + minute * 60 + second
  return BigInt(seconds) * 1_000_000_000n
}

/** A date without a year is the latest one that is not more than a day ahead of now. */
function withYear(
  nowNs: bigint,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): bigint | undefined {
  const thisYear = new Date(Number(nowNs / 1_000_000n)).getUTCFullYear()
  const ns = nsOf(thisYear, month, day, hour, minute, second)
  if (ns !== undefined && ns <= nowNs + 86_400_000_000_000n) return ns
  return nsOf(thisYear - 1, month, day, hour, minute, second)
}

function leadingTime(line: string, nowNs: bigint): bigint | undefined {
  const iso = ISO.exec(line)
  if (iso !== null) {
    const zone = iso[4] === undefined ? 'Z' : iso[4].length === 5 ? `${iso[4].slice(0, 3)}:${iso[4].slice(3)}` : iso[4]
    return parseRfc3339(`${iso[1]}T${iso[2]}${iso[3] === undefined ? '' : `.${iso[3]}`}${zone}`)
  }
  const syslog = SYSLOG.exec(line)
  if (syslog !== null) {
    const month = MONTHS.indexOf((syslog[1] ?? '').toLowerCase()) + 1
    return withYear(nowNs, month, Number(syslog[2]), Number(syslog[3]), Number(syslog[4]), Number(syslog[5]))
  }
  const klog = KLOG.exec(line)
  if (klog !== null) {
    const [month = 0, day = 0, hour = 0, minute = 0, second = 0, micros = 0] = klog.slice(2).map(Number)
    const ns = withYear(nowNs, month, day, hour, minute, second)
    return ns === undefined ? undefined : ns + BigInt(micros) * 1000n
  }
  const epoch = EPOCH.exec(line)?.[1]
  if (epoch !== undefined) return parseUnixTime(epoch)?.ns
  const access = ACCESS.exec(line.slice(0, 200))
  if (access !== null) {
    const month = String(MONTHS.indexOf((access[2] ?? '').toLowerCase()) + 1).padStart(2, '0')
    return parseRfc3339(`${access[3]}-${month}-${access[1]}T${access[4]}${access[5]}:${access[6]}`)
  }
  return undefined
}

function leadingLevel(line: string): string | undefined {
  const klog = KLOG.exec(line)
  if (klog !== null) return KLOG_LEVELS.get(klog[1] ?? '')
  const found = LEVEL.exec(line.slice(0, 120))?.[1]?.toLowerCase()
  return found === undefined ? undefined : (LEVEL_NAMES.get(found) ?? found)
}

/**
 * Lines of text: the whole line is `content`; a time at the start (ISO, syslog, klog, unix, or an access log's
 * brackets; no zone means UTC) becomes `_time`, a level word near the start `level`.
 */
export function plainText(nowNs: bigint): LineFormat {
  return {
    name: 'text',
    decode: (line) => {
      const row: MutableRow = new Map()
      const ns = leadingTime(line, nowNs)
      if (ns !== undefined) row.set('_time', new Instant(ns))
      const level = leadingLevel(line)
      if (level !== undefined) row.set('level', level)
      row.set('content', line)
      return row
    },
    resembles: () => 0.1,
  }
}
