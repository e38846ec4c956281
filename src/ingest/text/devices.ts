import { leadingTime, Instant, type MutableRow, type TimeContext } from '../../data/index.ts'
import { isBadLine } from '../line-format.ts'
import { logfmt } from '../logfmt.ts'
import { rowOf, type TextForm } from './form.ts'
import { facilityOf, levelOfPriority, readPriority } from './priority.ts'
import { LOGFMT_MIN_SHARE, SERVER_HEAD_CHARS } from '../tuning.ts'

/** The facility, severity and mnemonic of a Cisco message. All other header parts are before them. */
const MESSAGE = /%([A-Z][A-Z0-9_]{1,31}(?:-[A-Z0-9_]{1,31}){0,3}?)-([0-7])-([A-Z0-9_]{2,64}): /
const COUNTER = /^\d{1,10}$/
const HOST = /^[\w.:-]{1,255}$/

interface CiscoHead {
  readonly time?: Instant | undefined
  readonly host?: string | undefined
  readonly sequence?: string | undefined
}

/**
 * Reads the parts between colons before a message: a counter, a host, and a time. `*` or `.` before the time means that
 * the clock is not synchronised.
 */
function readHead(head: string, context: TimeContext): CiscoHead | undefined {
  let found: CiscoHead = {}
  for (const part of head.split(/: |:$/)) {
    let text = part.trim().replace(/^[*.](?=\S)/, '')
    const time = leadingTime(text, context)
    if (time !== undefined) {
      // A later time replaces an earlier one, since the device's own time comes after the time of a relay.
      found = { ...found, time: new Instant(time.ns) }
      text = text.slice(time.end)
    }
    for (const word of text.split(' ')) {
      if (word === '' || word === ':' || /^(?:\d{1,3}[ywdhms]){1,4}$/.test(word)) continue
      if (COUNTER.test(word)) found = { sequence: word, ...found }
      else if (HOST.test(word)) found = { host: word, ...found }
      else return undefined
    }
  }
  return found
}

/** Cisco's IOS, NX-OS and ASA: `<189>29: host: *Apr 19 12:44:10.123: %LINK-3-UPDOWN: …`. Most parts are optional. */
export const ciscoForm: TextForm = {
  name: 'Cisco',
  starts: '<0a*.:%',
  read: (line, context) => {
    const found = MESSAGE.exec(line.slice(0, SERVER_HEAD_CHARS))
    if (found === null) return undefined
    const priority = readPriority(line)
    const [, facility, severity, mnemonic] = found
    const head = readHead(line.slice(priority?.length ?? 0, found.index), context)
    if (head === undefined) return undefined
    return rowOf({
      _time: head.time,
      level: levelOfPriority(priority?.number ?? Number(severity)),
      facility: facilityOf(priority?.number),
      host: head.host,
      sequence: head.sequence,
      mnemonic: `${facility}-${severity}-${mnemonic}`,
      content: priority === undefined ? undefined : line.slice(found.index),
    })
  },
}

/** Fortinet, SonicWall and other firewalls: a priority followed by pairs. */
export const pairsForm: TextForm = {
  name: 'pairs behind a priority',
  starts: '<',
  read: (line) => {
    const priority = readPriority(line)
    if (priority === undefined) return undefined
    const pairs = line.slice(priority.length)
    const row: MutableRow | undefined = logfmt.resembles(pairs) >= LOGFMT_MIN_SHARE ? decoded(pairs) : undefined
    if (row === undefined) return undefined
    if (!row.has('level')) row.set('level', levelOfPriority(priority.number) ?? null)
    if (!row.has('facility')) row.set('facility', facilityOf(priority.number) ?? null)
    const text = row.get('msg') ?? row.get('message')
    row.delete('msg')
    row.delete('message')
    row.set('content', text ?? pairs)
    return row
  },
}

function decoded(pairs: string): MutableRow | undefined {
  const row = logfmt.decode(pairs)
  return isBadLine(row) ? undefined : row
}
