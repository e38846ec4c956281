import { clampNs, HOUR_NS, type Interval, MAX_INT64, parseDurationNs, SECOND_NS } from '../../../base/index.ts'
import { parseTime } from '../../../wire/index.ts'
import type { LogDirection } from '../../../engine/logql/index.ts'
import type { Caller } from '../../auth/caller.ts'
import type { RequestParameters } from '../../metrics/parameters.ts'
import { refuse } from './define-loki-routes.ts'

/** Maximum number of digits of a time in seconds; longer numbers are nanoseconds. */
const SECOND_DIGITS = 10

/**
 * Parses a time: nanoseconds, seconds with or without a fraction, or RFC 3339. A default applies only to a missing
 * parameter.
 */
function timeOf(name: string, text: string): bigint {
  const bad = (reason: string): never =>
    refuse(`could not parse '${name}' parameter: strconv.ParseInt: parsing ${JSON.stringify(text)}: ${reason}`)
  if (/^-?\d{1,15}\.\d+$/.test(text)) return clampNs(BigInt(Math.round(Number(text) * 1000)) * 1_000_000n)
  if (/^-?\d+$/.test(text)) {
    const number = BigInt(text)
    if (number > MAX_INT64 || number < -MAX_INT64) return bad('value out of range')
    return text.length <= SECOND_DIGITS ? clampNs(number * SECOND_NS) : number
  }
  return (/^\d{4}-\d\d-\d\dT/.test(text) ? parseTime(text) : undefined) ?? bad('invalid syntax')
}

export function timeParameter(parameters: RequestParameters, name: string, otherwise: bigint): bigint {
  const text = parameters.get(name)
  return text === undefined ? otherwise : timeOf(name, text)
}

/** Parses a duration to ms: a number of seconds, or a duration with units. */
export function durationMs(parameters: RequestParameters, name: string): number | undefined {
  const text = parameters.get(name)
  if (text === undefined) return undefined
  const bad = (reason = ''): never => refuse(`cannot parse ${JSON.stringify(text)} to a valid duration${reason}`)
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) {
    const seconds = Number(text)
    return Math.abs(seconds) < Number(MAX_INT64 / SECOND_NS) ? seconds * 1000 : bad('. It overflows int64')
  }
  if (!/^\d/.test(text) || /\s/.test(text)) return bad()
  const ns = parseDurationNs(text)
  return ns === undefined ? bad() : Number(ns) / 1e6
}

/** Descriptions of the parameters that select a time range. */
export const RANGE = {
  start: 'Only entries from it on: Unix time in ns or seconds, or RFC 3339. Default: an hour before `end`.',
  end: 'Only entries before it, in the same forms. Default: now.',
  since: 'Length of the range, if `start` is not given.',
} as const

/** Parses the range of a request. Default: the last hour. Lists of names have another error message. */
export function rangeParameters(parameters: RequestParameters, nowNs: bigint, isOfNames = false): Interval {
  const since = parameters.get('since')
  const end = timeParameter(parameters, 'end', nowNs)
  const ageNs = since === undefined ? HOUR_NS : /^\d/.test(since) ? parseDurationNs(since) : undefined
  if (ageNs === undefined)
    return refuse(`could not parse 'since' parameter: not a valid duration string: ${JSON.stringify(since)}`)
  const start = timeParameter(parameters, 'start', (end < nowNs ? end : nowNs) - ageNs)
  if (start > end)
    refuse(
      isOfNames
        ? 'this data is no longer available, it is past now - max_query_lookback (0s)'
        : 'end timestamp must not be before or equal to start time',
    )
  return { startNs: start, endNs: end }
}

const DEFAULT_LIMIT = 100
/** Maximum number of entries in an answer, as in Loki's defaults. */
export const MAX_ENTRIES = 5000

export function limitParameter(parameters: RequestParameters, otherwise = DEFAULT_LIMIT): number {
  const text = parameters.get('limit')
  if (text === undefined) return otherwise
  if (!/^[+-]?\d+$/.test(text)) return refuse(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`)
  const limit = Number(text)
  return limit > 0 ? limit : refuse('limit must be a positive value')
}

export function directionParameter(parameters: RequestParameters): LogDirection {
  const text = parameters.get('direction') ?? 'backward'
  const direction = text.toLowerCase()
  return direction === 'forward' || direction === 'backward' ? direction : refuse(`invalid direction '${text}'`)
}

/** Returns the query text. A missing one counts as empty, which the parser rejects. */
export function queryParameter(parameters: RequestParameters, caller: Caller): string {
  const text = parameters.get('query') ?? ''
  caller.readsText('query', text)
  return text
}

/** Parses the step of a range query, ms. By default the range has some 250 steps of at least a second. */
export function stepParameter(parameters: RequestParameters, { startNs, endNs }: Interval): number {
  const given = durationMs(parameters, 'step')
  if (given === undefined) return Math.max(1, Math.floor(Number((endNs - startNs) / SECOND_NS) / 250)) * 1000
  const step = Math.floor(given)
  return step > 0
    ? step
    : refuse('zero or negative query resolution step widths are not accepted. Try a positive integer')
}

/** Maximum number of steps in a range, as in Loki. */
const MAX_STEPS = 11_000

/** Throws if a range has too many steps. */
export function checkSteps({ startNs, endNs }: Interval, stepMs: number): void {
  if (Number(endNs / 1_000_000n - startNs / 1_000_000n) / stepMs > MAX_STEPS)
    refuse(
      'exceeded maximum resolution of 11,000 points per time series. Try increasing the value of the step parameter',
    )
}
