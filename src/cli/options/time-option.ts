import type { Command } from 'commander'
import {
  DAY_NS,
  SECOND_NS,
  always,
  budgetDiagnostic,
  clampNs,
  CommandError,
  formatRfc3339,
  interval,
  type Interval,
  MAX_INT32,
  MS_NS,
  nowhere,
  parseDurationNs,
  parseRfc3339,
  SluiceError,
} from '../../base/index.ts'
import { epochNs, readTime, zoneOffsetAt } from '../../data/index.ts'

/** Clock and zone for times on the command line. */
export interface TimeOptions {
  readonly nowNs: bigint
  /** Zone of times without one. Default: UTC. */
  readonly zone?: string | undefined
}

const CLOCK = String.raw`(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d{1,9})?))?`
const TIME_OF_DAY = new RegExp(`^${CLOCK}$`)
const DAY = new RegExp(String.raw`^(today|yesterday|\d{4}-\d\d-\d\d)(?:[ T]${CLOCK} ?(Z|[+-]\d\d:?\d\d)?)?$`, 'i')
const AGO = /^(\d+(?:\.\d+)?) *(seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|[smhdw])(?: +ago)?$/i

/** Returns the date in the zone at an instant. */
function dateAt(ns: bigint, zone = 'UTC'): string {
  return formatRfc3339(ns + BigInt(zoneOffsetAt(zone, Number(ns / SECOND_NS))) * SECOND_NS).slice(0, 10)
}

/** Returns the instant of a time of day on a date; `written` is the zone in the text, if any. */
function onDate(
  date: string,
  [hour = '0', minute = '00', second = '00', written = '']: (string | undefined)[],
  context: TimeOptions,
): bigint | undefined {
  return readTime(`${date}T${hour.padStart(2, '0')}:${minute}:${second}${written}`, context)
}

/** Resolves a time of day: the first one after `afterNs` if given, else the most recent one. */
function readTimeOfDay(
  parts: (string | undefined)[],
  context: TimeOptions,
  afterNs: bigint | undefined,
): bigint | undefined {
  const earliestNs = afterNs ?? context.nowNs - DAY_NS
  return [earliestNs, earliestNs + DAY_NS]
    .map((ns) => onDate(dateAt(ns, context.zone), parts, context))
    .find((ns) => ns !== undefined && ns > earliestNs)
}

function readInstant(text: string, context: TimeOptions, afterNs: bigint | undefined): bigint | undefined {
  const { nowNs, zone } = context
  if (/^now$/i.test(text)) return nowNs
  const [, ...clock] = TIME_OF_DAY.exec(text) ?? []
  if (clock.length > 0) return readTimeOfDay(clock, context, afterNs)
  const [, day, ...parts] = DAY.exec(text) ?? []
  if (day !== undefined) {
    const daysAgo = /^today$/i.test(day) ? 0n : /^yesterday$/i.test(day) ? 1n : undefined
    return onDate(daysAgo === undefined ? day : dateAt(nowNs - daysAgo * DAY_NS, zone), parts, context)
  }
  const [, count, unit] = AGO.exec(text) ?? []
  const length = unit === undefined ? text.replace(/^(?:now)?-/, '') : `${count}${unit.charAt(0).toLowerCase()}`
  const agoNs = parseDurationNs(length)
  return agoNs === undefined ? (parseRfc3339(text) ?? epochNs(text)) : nowNs - agoNs
}

/**
 * Parses an instant: RFC 3339, a date with or without a time, `today`, `yesterday 14:00`, `22:50`, `now`, an age (`1h`,
 * `2 hours ago`), or Unix seconds. A time of day is the first one after `afterNs`, else the most recent. Throws
 * CommandError.
 */
export function parseInstant(text: string, context: TimeOptions, option: string, afterNs?: bigint): bigint {
  const ns = readInstant(text.trim(), context, afterNs)
  if (ns !== undefined) return clampNs(ns)
  throw new CommandError(
    `${option} needs a time such as 2026-01-02T03:04:05Z, 2026-01-02, 'yesterday 14:00', 22:50, or how long ago such as 1h, not \`${text}\`.`,
  )
}

/** Parses a duration such as `30s` to ms. Throws CommandError. */
export function parseLengthMs(text: string, option: string, min: string, max: string): number {
  const ns = parseDurationNs(text.trim())
  if (ns === undefined || ns < (parseDurationNs(min) ?? 0n) || ns > (parseDurationNs(max) ?? 0n))
    throw new CommandError(`${option} needs a time from ${min} to ${max}, such as 10s, not \`${text}\`.`)
  return Number(ns / MS_NS)
}

/** Parses `--timeout` to ms. */
export function parseTimeout(text: string): number {
  return parseLengthMs(text, '--timeout', '1ms', '24h')
}

/**
 * Returns a signal that also aborts with `budget/deadline` after `timeoutMs`. A query that waits for input does not
 * check its deadline itself.
 */
export function untilDeadline(signal: AbortSignal, timeoutMs: number): AbortSignal {
  if (timeoutMs > MAX_INT32) return signal
  const deadline = new AbortController()
  const error = new SluiceError([budgetDiagnostic('deadline', { timeoutMs }, nowhere)])
  setTimeout(() => deadline.abort(error), timeoutMs).unref()
  return AbortSignal.any([signal, deadline.signal])
}

/** Returns a signal that also aborts at `endNs`, the end of the time range: rows that arrive later are outside it. */
export function untilInstant(signal: AbortSignal, endNs: bigint, nowNs: bigint): AbortSignal {
  const leftMs = (endNs - nowNs) / MS_NS
  if (leftMs > BigInt(MAX_INT32)) return signal
  const end = new AbortController()
  setTimeout(() => end.abort(), Number(leftMs)).unref()
  return AbortSignal.any([signal, end.signal])
}

export const timeoutHelp = 'time limit of a query, until the end of its answer, such as 30s'

export interface RangeArguments {
  readonly from?: string
  readonly to?: string
}

/** Adds `--from` and `--to`, also named `--since` and `--until`. */
export function rangeOptions(command: Command): Command {
  return command
    .option(
      '--since, --from <time>',
      "start of the range: RFC 3339, a date, 'yesterday 14:00', 22:50, or an age such as 1h",
    )
    .option('--until, --to <time>', 'end of the range, excluded')
}

export function parseRange(
  from: string | undefined,
  to: string | undefined,
  context: TimeOptions,
  fromOption = '--from',
  toOption = '--to',
): Interval {
  if (from === undefined && to === undefined) return always
  const startNs = from === undefined ? undefined : parseInstant(from, context, fromOption)
  const endNs = to === undefined ? always.endNs : parseInstant(to, context, toOption, startNs)
  return interval(startNs ?? always.startNs, endNs)
}

/** Parses `from..to`; either side may be empty. */
export function parseRangeText(text: string, context: TimeOptions): Interval {
  const [from, to, ...more] = text.split('..').map((each) => each.trim())
  if (from === undefined || to === undefined || more.length > 0)
    throw new CommandError(`--range needs two times such as 2026-01-01..2026-02-01, not \`${text}\`.`)
  return parseRange(from === '' ? undefined : from, to === '' ? undefined : to, context, '--range', '--range')
}
