import { daysFromCivil, daysInMonth, parseRfc3339, parseUnixTime } from '../../base/index.ts'
import type { TimeContext } from './time-context.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const ISO =
  /^\[?(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[.,](\d{1,9}))?\s?(Z|[+-]\d{2}:?\d{2})?\]?(?=$|[\s:,|\]-])/
const SYSLOG = /^(?:<\d{1,3}>)?([A-Z][a-z]{2})\s{1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2})(?=\s)/
const KLOG = /^([IWEF])(\d{2})(\d{2}) (\d{2}):(\d{2}):(\d{2})\.(\d{6})\s/
const ACCESS = /\[(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})\]/
const EPOCH = /^\[?((?:\d{10}|\d{13}|\d{16}|\d{19})(?:\.\d{1,9})?)\]?(?=\s)/

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

function found(match: RegExpExecArray, ns: bigint | undefined): LeadingTime | undefined {
  return ns === undefined ? undefined : { ns, end: match.index + match[0].length }
}

/** A time in a line of text. */
export interface LeadingTime {
  /** Nanoseconds since the epoch. */
  readonly ns: bigint
  /** Where in the line it ends. */
  readonly end: number
}

/** The time that a line of text begins with, or that stands in the brackets of an access log. */
export function leadingTime(line: string, { nowNs }: TimeContext): LeadingTime | undefined {
  const iso = ISO.exec(line)
  if (iso !== null) {
    const zone = iso[4] === undefined ? 'Z' : iso[4].length === 5 ? `${iso[4].slice(0, 3)}:${iso[4].slice(3)}` : iso[4]
    return found(iso, parseRfc3339(`${iso[1]}T${iso[2]}${iso[3] === undefined ? '' : `.${iso[3]}`}${zone}`))
  }
  const syslog = SYSLOG.exec(line)
  if (syslog !== null) {
    const month = MONTHS.indexOf((syslog[1] ?? '').toLowerCase()) + 1
    const [day = 0, hour = 0, minute = 0, second = 0] = syslog.slice(2).map(Number)
    return found(syslog, withYear(nowNs, month, day, hour, minute, second))
  }
  const klog = KLOG.exec(line)
  if (klog !== null) {
    const [month = 0, day = 0, hour = 0, minute = 0, second = 0, micros = 0] = klog.slice(2).map(Number)
    const ns = withYear(nowNs, month, day, hour, minute, second)
    return found(klog, ns === undefined ? undefined : ns + BigInt(micros) * 1000n)
  }
  const epoch = EPOCH.exec(line)
  if (epoch !== null) return found(epoch, parseUnixTime(epoch[1] ?? '')?.ns)
  const access = ACCESS.exec(line.slice(0, 200))
  if (access !== null) {
    const month = String(MONTHS.indexOf((access[2] ?? '').toLowerCase()) + 1).padStart(2, '0')
    return found(access, parseRfc3339(`${access[3]}-${month}-${access[1]}T${access[4]}${access[5]}:${access[6]}`))
  }
  return undefined
}
