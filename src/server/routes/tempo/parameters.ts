import { clampNs, HOUR_NS, type Interval, MAX_NS, MAX_UINT32, parseDurationNs, SECOND_NS } from '../../../base/index.ts'
import { parseTime } from '../../../wire/index.ts'
import type { RequestParameters } from '../../metrics/parameters.ts'
import { refuse } from './define-tempo-routes.ts'

/** Parses a whole number. The error message is Tempo's, which names a Go function. */
export function wholeParameter(parameters: RequestParameters, name: string): number | undefined {
  const text = parameters.get(name)
  if (text === undefined) return undefined
  const refused = (reason: string): never =>
    refuse(`invalid ${name}: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${reason}`)
  if (!/^\d+$/.test(text)) return refused('invalid syntax')
  const value = Number(text)
  return value <= MAX_UINT32 ? value : refused('value out of range')
}

/** Returns the range of a search: whole seconds, end inclusive. Default: the last hour. */
export function secondsRange(parameters: RequestParameters, nowNs: bigint): Interval {
  const start = wholeParameter(parameters, 'start') ?? 0
  const end = wholeParameter(parameters, 'end') ?? 0
  if (start === 0 && end === 0) return { startNs: nowNs - HOUR_NS, endNs: nowNs + SECOND_NS }
  if (end <= start) refuse(`http parameter start must be before end. received start=${start} end=${end}`)
  return { startNs: BigInt(start) * SECOND_NS, endNs: BigInt(end) * SECOND_NS + 1n }
}

/**
 * Returns the range of a list of names or values, as for a search. If the parameters are invalid, returns the last
 * hour.
 */
export function lenientRange(parameters: RequestParameters, nowNs: bigint): Interval {
  const [start, end] = ['start', 'end'].map((name) => Number(parameters.get(name) ?? 0))
  if (start === undefined || end === undefined || !(end > start && end <= MAX_UINT32 && start >= 0))
    return { startNs: nowNs - HOUR_NS, endNs: nowNs + SECOND_NS }
  return { startNs: BigInt(Math.floor(start)) * SECOND_NS, endNs: (BigInt(Math.floor(end)) + 1n) * SECOND_NS }
}

/** Maximum number of digits of a time in seconds; longer numbers are nanoseconds. */
const SECOND_DIGITS = 10

/** Rounds to a whole number and clamps to the range of ns times, since a text may have any number of digits. */
function wholeOf(value: number): bigint {
  const max = Number(MAX_NS)
  return BigInt(Math.round(Math.max(-max, Math.min(value, max))))
}

function timeOf(name: string, text: string): bigint {
  if (/^\d+\.\d+$/.test(text)) return clampNs(wholeOf(Number(text) * 1000) * 1_000_000n)
  if (/^-?\d+$/.test(text))
    return text.length <= SECOND_DIGITS ? clampNs(BigInt(text) * SECOND_NS) : clampNs(BigInt(text))
  return (
    parseTime(text) ??
    refuse(
      `rpc error: code = Code(400) desc = could not parse '${name}' parameter: strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`,
    )
  )
}

/** Returns the range of a metrics query: seconds, nanoseconds or RFC 3339. Default: the last hour. */
export function metricsRange(parameters: RequestParameters, nowNs: bigint): Interval {
  const since = parameters.get('since')
  const age = since === undefined ? HOUR_NS : parseDurationNs(since)
  if (age === undefined) return refuse(`could not parse 'since' parameter: ${JSON.stringify(since)} is no duration`)
  const [start, end] = ['start', 'end'].map((name) => parameters.get(name))
  const endNs = end === undefined ? nowNs : timeOf('end', end)
  const startNs = start === undefined ? endNs - age : timeOf('start', start)
  if (endNs <= startNs) refuse('end must be greater than start')
  return { startNs, endNs }
}

/** Maximum number of samples in a range, which bounds the step from below. */
const MAX_SAMPLES = 10_000n
/** Number of samples in a range if no step is given. */
const USUAL_SAMPLES = 240n

/** Parses the step of a metrics query to ns: a duration, or seconds. */
export function stepParameter(parameters: RequestParameters, { startNs, endNs }: Interval): bigint {
  const text = parameters.get('step')
  const rangeNs = endNs - startNs
  if (text === undefined) {
    const seconds = rangeNs / USUAL_SAMPLES / SECOND_NS
    return (seconds > 0n ? seconds : 1n) * SECOND_NS
  }
  const refused = (reason: string): never =>
    refuse(`rpc error: code = Code(400) desc = cannot parse ${JSON.stringify(text)}: ${reason}`)
  const ns = /^[+-]?\d+(\.\d+)?$/.test(text) ? wholeOf(Number(text) * 1e9) : parseDurationNs(text)
  if (ns === undefined) return refused('no duration')
  if (ns <= 0n) return refused('step must be positive')
  if (rangeNs > ns * MAX_SAMPLES)
    refuse(`step of ${text} is too small, minimum step for given range is ${Number(rangeNs / MAX_SAMPLES) / 1e9}s`)
  return ns
}
