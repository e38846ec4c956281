import type { Command } from 'commander'
import {
  always,
  budgetDiagnostic,
  clampNs,
  CommandError,
  interval,
  type Interval,
  MAX_INT32,
  MS_NS,
  nowhere,
  parseDurationNs,
  parseRfc3339,
  SluiceError,
} from '../../base/index.ts'

/** An instant of the command line: RFC 3339, a date, `now`, or a duration before now such as `1h`. */
export function parseInstant(text: string, nowNs: bigint, option: string): bigint {
  const trimmed = text.trim()
  if (trimmed === 'now') return nowNs
  const withTime = /^\d{4}-\d{2}-\d{2}$/.test(trimmed) ? `${trimmed}T00:00:00Z` : trimmed
  const zoned = /(Z|[+-]\d{2}:\d{2})$/i.test(withTime) ? withTime : `${withTime}Z`
  const ns = parseRfc3339(zoned)
  if (ns !== undefined) return ns
  const ago = parseDurationNs(trimmed.replace(/^(now)?-/, ''))
  if (ago !== undefined) return clampNs(nowNs - ago)
  throw new CommandError(
    `${option} needs a time such as 2026-01-02T03:04:05Z, a date, or a duration before now such as 1h, not \`${text}\`.`,
  )
}

/** A length of time of the command line, such as `30s`, as milliseconds. */
export function parseLengthMs(text: string, option: string, min: string, max: string): number {
  const ns = parseDurationNs(text.trim())
  if (ns === undefined || ns < (parseDurationNs(min) ?? 0n) || ns > (parseDurationNs(max) ?? 0n))
    throw new CommandError(`${option} needs a time from ${min} to ${max}, such as 10s, not \`${text}\`.`)
  return Number(ns / MS_NS)
}

/** What a query may take: `--timeout`. */
export function parseTimeout(text: string): number {
  return parseLengthMs(text, '--timeout', '1ms', '24h')
}

/** Aborts with a signal, and with `budget/deadline` when a time is over: of what waits for input nothing else looks at the clock. */
export function untilDeadline(signal: AbortSignal, timeoutMs: number): AbortSignal {
  if (timeoutMs > MAX_INT32) return signal
  const deadline = new AbortController()
  const error = new SluiceError([budgetDiagnostic('deadline', { timeoutMs }, nowhere)])
  setTimeout(() => deadline.abort(error), timeoutMs).unref()
  return AbortSignal.any([signal, deadline.signal])
}

export const timeoutHelp = 'what a query may take until its answer has ended, such as 30s'

export interface RangeArguments {
  readonly from?: string
  readonly to?: string
}

/** `--from` and `--to`, which are `--since` and `--until` too. */
export function rangeOptions(command: Command): Command {
  return command
    .option('--since, --from <time>', 'start of the range: RFC 3339, a date, or a duration before now such as 1h')
    .option('--until, --to <time>', 'end of the range, not included')
}

export function parseRange(
  from: string | undefined,
  to: string | undefined,
  nowNs: bigint,
  fromOption = '--from',
  toOption = '--to',
): Interval {
  if (from === undefined && to === undefined) return always
  return interval(
    from === undefined ? always.startNs : parseInstant(from, nowNs, fromOption),
    to === undefined ? always.endNs : parseInstant(to, nowNs, toOption),
  )
}

/** `from..to` of the command line, where either may be left out. */
export function parseRangeText(text: string, nowNs: bigint): Interval {
  const [from, to, ...more] = text.split('..').map((each) => each.trim())
  if (from === undefined || to === undefined || more.length > 0)
    throw new CommandError(`--range needs two times such as 2026-01-01..2026-02-01, not \`${text}\`.`)
  return parseRange(from === '' ? undefined : from, to === '' ? undefined : to, nowNs, '--range', '--range')
}
