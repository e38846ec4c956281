import { Instant, leadingTime, readTime, type MutableRow, type TimeContext } from '../../data/index.ts'
import { jsonLines } from '../json-lines.ts'
import { isBadLine } from '../line-format.ts'
import { readStreamLabels } from '../loki/labels.ts'
import type { Envelope } from './envelopes.ts'

/** The maximum length of a prefix in UTF-16 units: three names of Kubernetes and a time. */
const MAX_PREFIX_CHARS = 640

/** The maximum length of a stream's labels and the time before them, in UTF-16 units. */
const MAX_LABELS_CHARS = 8192

const POD = '[a-z0-9](?:[a-z0-9.-]{0,251}-)(?:[a-z0-9]{5}|\\d{1,5})'
const NAME = '[a-z0-9](?:[a-z0-9-]{0,62})'

/** Prefixes that may precede any text. */
const SURE: readonly RegExp[] = [
  // kubectl logs --prefix
  new RegExp(`^\\[pod/(?<pod>[\\w.-]{1,253})/(?<container>${NAME})\\] `),
  // docker compose logs, whose names end with the number of the container, and docker service logs
  /^(?<container>[\w.-]{1,128}[-_]\d{1,4}|[\w.-]{1,128}@[\w.-]{1,128}) {1,64}\| ?/,
]
/** Prefixes that are recognised only before an object. Prefixes that may precede any text come first. */
const BEFORE_OBJECTS: readonly RegExp[] = [
  ...SURE,
  // docker compose logs with names chosen by the user
  /^(?<container>[\w.-]{1,128}) {1,64}\| /,
  // stern; the namespace is present if pods of several namespaces are shown
  new RegExp(`^(?:(?<namespace>${NAME}) )?(?<pod>${POD}) (?<container>${NAME}) `),
]
/** Prefixes after a time: the standard output and the files of Fluentd. */
const BEHIND_TIMES: readonly RegExp[] = [/^(?<tag>[A-Za-z][\w.*-]{0,127})(?:: |\t)/]

/** Reads a time at the beginning of a line, followed by a blank or a tab. */
function timePrefix(line: string, context: TimeContext): { readonly time: Instant; readonly end: number } | undefined {
  const code = line.charCodeAt(0)
  if (code < 48 || code > 57) return undefined
  const found = leadingTime(line.slice(0, 64), context)
  return found === undefined || !/^[ \t]/.test(line.slice(found.end, found.end + 1))
    ? undefined
    : { time: new Instant(found.ns), end: found.end + 1 }
}

const FLUENT_BIT = /^(?:\[\d{1,10}\] )?([\w.*/-]{1,256}): \[\[?(\d{10}(?:\.\d{1,9})?)(?:, \{[^{}]*\}\])?, (?=\{)/
/** Matches strings, and the arrows that Fluent Bit writes between a name and its value. */
const ARROWS = /"(?:[^"\\]|\\[^])*"|=>/g

/** Reads the standard output of Fluent Bit: `[0] tag: [seconds, {"name"=>value}]`. */
export function readFluentBit(line: string, context: TimeContext): Envelope | undefined {
  const found = line.endsWith('}]') ? FLUENT_BIT.exec(line.slice(0, MAX_PREFIX_CHARS)) : null
  if (found === null) return undefined
  const [head, tag = '', seconds = ''] = found
  const object = line.slice(head.length, -1).replaceAll(ARROWS, (token) => (token === '=>' ? ':' : token))
  const row = jsonLines.decode(object)
  const ns = readTime(seconds, context)
  if (isBadLine(row) || ns === undefined) return undefined
  return { ...envelope(new Instant(ns), new Map([['tag', tag]]), object), row }
}

const LOGCLI = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S{1,16}) (\{(?:\w{1,128}="(?:[^"\\]|\\.){0,1024}"(?:, )?)*\}) +(?=\S)/

/** Reads the output of `logcli` without options: a time, the labels of the stream, and the line. */
export function readLogcli(line: string, context: TimeContext): Envelope | undefined {
  if (!line.startsWith(' {', line.indexOf(' '))) return undefined
  const found = LOGCLI.exec(line.slice(0, MAX_LABELS_CHARS))
  const time = found === null ? undefined : leadingTime(found[1] ?? '', context)
  if (found === null || time === undefined) return undefined
  const [head, , labels = ''] = found
  const pairs = readStreamLabels(labels)
  if (typeof pairs === 'string') return undefined
  return { ...envelope(new Instant(time.ns), new Map(pairs), line.slice(head.length)), origin: labels }
}

/**
 * Reads the prefix that tools print before the log lines of containers: names, a time, or both. A time alone counts as
 * a prefix only before an object, since every program writes times.
 */
export function readPrefix(line: string, context: TimeContext): Envelope | undefined {
  const brace = line.slice(0, MAX_PREFIX_CHARS).indexOf('{')
  const isObject = brace > 0 && line.trimEnd().endsWith('}')
  const fields: MutableRow = new Map()
  let time: Instant | undefined
  let at = 0
  let isSure = false
  // The time may be before or after the names.
  for (let part = 0; part < 3 && at !== brace; part++) {
    const rest = line.slice(at, at + MAX_PREFIX_CHARS)
    const stamp = time === undefined && (isObject || isSure) ? timePrefix(rest, context) : undefined
    if (stamp !== undefined) {
      time = stamp.time
      at += stamp.end
      continue
    }
    if (fields.size > 0) break
    const known = time === undefined ? (isObject ? BEFORE_OBJECTS : SURE) : isObject ? BEHIND_TIMES : []
    const pattern = known.find((each) => each.test(rest))
    const parts = pattern?.exec(rest)
    if (pattern === undefined || parts?.groups === undefined) break
    for (const [name, value] of Object.entries(parts.groups)) if (value !== undefined) fields.set(name, value)
    at += parts[0].length
    isSure = SURE.includes(pattern)
  }
  if (at === 0) return undefined
  const rest = line.slice(at)
  const row = isObject && at === brace ? jsonLines.decode(rest) : undefined
  if (row === undefined || isBadLine(row)) return isSure ? envelope(time, fields, rest) : undefined
  return { ...envelope(time, fields, rest), row }
}

function envelope(time: Instant | undefined, fields: MutableRow, line: string): Envelope {
  const container = fields.get('container')
  return { time, origin: typeof container === 'string' ? container : '', fields, isPartial: false, line }
}
