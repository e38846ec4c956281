import type { MutableRow } from '../../data/index.ts'
import { levelOfNumber } from '../../store/index.ts'

const FACILITIES = [
  'kern',
  'user',
  'mail',
  'daemon',
  'auth',
  'syslog',
  'lpr',
  'news',
  'uucp',
  'cron',
  'authpriv',
  'ftp',
  'ntp',
  'audit',
  'alert',
  'clock',
  'local0',
  'local1',
  'local2',
  'local3',
  'local4',
  'local5',
  'local6',
  'local7',
] as const

/** The largest priority of syslog: facility 23, severity 7. */
const MAX_PRIORITY = 191

/** Reads the priority at the beginning of a syslog line. Returns its number and its length in UTF-16 units. */
export function readPriority(line: string): { readonly number: number; readonly length: number } | undefined {
  const found = /^<(\d{1,3})>/.exec(line)
  const number = Number(found?.[1])
  return found === null || number > MAX_PRIORITY ? undefined : { number, length: found[0].length }
}

export function levelOfPriority(priority: number): string | undefined {
  return levelOfNumber(priority & 7, 'syslog')
}

export function facilityOf(priority: number | undefined): string | undefined {
  return priority === undefined ? undefined : FACILITIES[priority >> 3]
}

/** Sets the level and the facility. */
export function setPriority(row: MutableRow, priority: number): void {
  const level = levelOfPriority(priority)
  if (level !== undefined) row.set('level', level)
  const facility = facilityOf(priority)
  if (facility !== undefined) row.set('facility', facility)
}
