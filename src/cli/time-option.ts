import { CommandError, always, clampNs, interval, parseDurationNs, parseRfc3339, type Interval } from '../base/index.ts'

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

export function parseRange(from: string | undefined, to: string | undefined, nowNs: bigint): Interval {
  if (from === undefined && to === undefined) return always
  return interval(
    from === undefined ? always.startNs : parseInstant(from, nowNs, '--from'),
    to === undefined ? always.endNs : parseInstant(to, nowNs, '--to'),
  )
}
