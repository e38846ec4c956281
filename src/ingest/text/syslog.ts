import { leadingTime, readTime, Instant, type MutableRow, type TimeContext } from '../../data/index.ts'
import { messageFields } from '../../functions/index.ts'
import { levelOfName, logsTable } from '../../store/index.ts'
import { jsonLines } from '../json-lines.ts'
import { isBadLine } from '../line-format.ts'
import { Cursor } from './cursor.ts'
import type { TextForm } from './form.ts'
import { haproxyFields } from './haproxy.ts'
import { levelIn } from './plain.ts'
import { readPriority, setPriority } from './priority.ts'

function setIfGiven(row: MutableRow, name: string, value: string): void {
  if (value !== '-' && value !== '') row.set(name, value)
}

/** Reads `[id name="value" …][…]` as members named `<id>.<name>`; returns false if the closing bracket is missing. */
function readStructuredData(cursor: Cursor, row: MutableRow): boolean {
  if (cursor.skip('-')) return true
  const { line } = cursor
  while (cursor.skip('[')) {
    const start = cursor.at
    while (cursor.at < line.length && line[cursor.at] !== ' ' && line[cursor.at] !== ']') cursor.at++
    const id = line.slice(start, cursor.at)
    while (cursor.skip(' ')) {
      const name = cursor.until('="', 256)
      if (name === undefined) return false
      let value = ''
      let from = cursor.at
      for (; cursor.at < line.length && line[cursor.at] !== '"'; cursor.at++) {
        if (line[cursor.at] !== '\\' || !/^["\\\]]$/.test(line[cursor.at + 1] ?? '')) continue
        value += line.slice(from, cursor.at)
        from = ++cursor.at
      }
      value += line.slice(from, cursor.at)
      if (!cursor.skip('"')) return false
      row.set(`${id}.${name}`, value)
    }
    if (!cursor.skip(']')) return false
  }
  return true
}

/**
 * If a message is one object, adds its members to the record, as for a line of a container. The message's level and
 * readable time override those of the header, and its text becomes the record's text. Returns false for other messages.
 */
function setMembers(row: MutableRow, message: string, context: TimeContext): boolean {
  if (!message.startsWith('{') || !message.trimEnd().endsWith('}')) return false
  const members = jsonLines.decode(message.trimEnd())
  if (isBadLine(members)) return false
  row.set('content', message)
  const taken = new Set<string>()
  for (const [name, value] of members) {
    const field = logsTable.aliases.get(name) ?? name
    // Further names of a field that already has a value stay as separate fields.
    const isFirst = !taken.has(field) && (field === name || !members.has(field))
    const ns = isFirst && field === logsTable.timeField ? readTime(value, context) : undefined
    const isTaken =
      isFirst && (field === 'level' || ns !== undefined || (field === logsTable.textField && typeof value === 'string'))
    if (isTaken) taken.add(field)
    row.set(isTaken ? field : name, ns === undefined ? value : new Instant(ns))
  }
  return true
}

/** Sets the message as the text of the record. Data of CEF or `@cee:` JSON in it becomes additional fields. */
function setMessage(row: MutableRow, message: string, context: TimeContext): void {
  if (setMembers(row, message, context)) return
  row.set('content', message)
  for (const [name, value] of messageFields(message) ?? []) row.set(name, value)
}

/** Reads RFC 5424 after its priority and version. */
function readNew(cursor: Cursor, row: MutableRow, context: TimeContext): boolean {
  const time = cursor.word()
  const ns = time === '-' || time.length > 40 ? undefined : readTime(time, context)
  if (ns !== undefined) row.set('_time', new Instant(ns))
  else if (time !== '-') return false
  setIfGiven(row, 'host', cursor.word())
  const app = cursor.word()
  setIfGiven(row, 'app', app)
  setIfGiven(row, 'workload', app)
  setIfGiven(row, 'pid', cursor.word())
  setIfGiven(row, 'msgid', cursor.word())
  if (!readStructuredData(cursor, row)) return false
  cursor.skip(' ')
  cursor.skip('\uFEFF')
  setMessage(row, cursor.rest, context)
  return true
}

const TAG = /^([^\s[\]:]{1,64})(?:\[([^\]\s]{1,16})\])?:(?: |$)/
const HOST = /^[\w.:-]{1,255}$/

function isDigit(line: string): boolean {
  const code = line.charCodeAt(0)
  return code >= 48 && code <= 57
}

/** Reads RFC 3164 and the short forms of journalctl after the time: `host app[pid]: message`. */
function readOld(cursor: Cursor, row: MutableRow, isFramed: boolean, context: TimeContext): boolean {
  let tag = isFramed ? TAG.exec(cursor.line.slice(cursor.at, cursor.at + 128)) : null
  // A host can only follow a time.
  if (tag === null && row.has('_time')) {
    const host = cursor.word()
    // A level after the time shows that the line is a program's own log, not syslog.
    if (!HOST.test(host) || (!isFramed && levelOfName(host) !== undefined)) return false
    cursor.skipBlanks()
    tag = TAG.exec(cursor.line.slice(cursor.at, cursor.at + 128))
    // Of the syslog programs, only journalctl and rsyslog write ISO times before a host, and both add the process
    // number.
    const isSure = isFramed || !isDigit(cursor.line) || tag?.[2] !== undefined || tag?.[1] === 'kernel'
    if (!isSure || (tag === null && !isFramed)) return false
    row.set('host', host)
  }
  if (tag !== null) {
    const [whole, app = '', pid] = tag
    row.set('app', app)
    row.set('workload', app)
    if (pid !== undefined) row.set('pid', pid)
    cursor.at += whole.length
  }
  const message = cursor.rest
  const requested = haproxyFields(message, context)
  if (requested !== undefined) for (const [name, value] of requested) row.set(name, value)
  if (isFramed) setMessage(row, message, context)
  else setMembers(row, message, context)
  const level = row.has('level') ? undefined : levelIn(message)
  if (level !== undefined) row.set('level', level)
  return true
}

/**
 * Syslog lines. After a `<priority>` comes RFC 5424 or RFC 3164, and only the message is the record's text. Lines of
 * files and of journalctl have no priority, and the whole line is the text.
 */
export const syslogForm: TextForm = {
  name: 'syslog',
  starts: '<0a',
  read: (line, context) => {
    const row: MutableRow = new Map()
    const cursor = new Cursor(line)
    const priority = readPriority(line)
    if (priority === undefined && line.startsWith('<')) return undefined
    if (priority !== undefined) {
      cursor.at = priority.length
      setPriority(row, priority.number)
      if (/^1 \S/.test(line.slice(cursor.at, cursor.at + 3))) {
        cursor.at += 2
        return readNew(cursor, row, context) ? row : undefined
      }
    }
    const time = leadingTime(cursor.rest.slice(0, 64), context)
    if (time === undefined) {
      if (priority === undefined) return undefined
    } else {
      row.set('_time', new Instant(time.ns))
      cursor.at += time.end
    }
    if (priority === undefined && !cursor.skip(' ')) return undefined
    cursor.skipBlanks()
    return readOld(cursor, row, priority !== undefined, context) ? row : undefined
  },
}
