import { clampNs, DAY_NS, type Interval, MS_NS, parseDurationNs } from '../../../base/index.ts'
import { parseTime } from '../../../wire/index.ts'
import type { RequestParameters } from '../../metrics/parameters.ts'
import { refuse } from './define-jaeger-routes.ts'
import type { TraceSearch } from './search.ts'

const US_NS = 1000n

/** Default range of a search, ns; as in Jaeger. */
const USUAL_LOOKBACK_NS = 2n * DAY_NS
const USUAL_LIMIT = 20
/** Maximum number of traces. The memory limit of a query bounds their spans. */
const MAX_LIMIT = 10_000

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 120))
}

/** Parses a time as a whole number of units; `undefined` if missing. */
export function timeParameter(parameters: RequestParameters, name: string, unitNs: bigint): bigint | undefined {
  const text = parameters.get(name)
  if (text === undefined) return undefined
  const unit = unitNs === US_NS ? 'microseconds' : 'milliseconds'
  if (!/^-?\d{1,20}$/.test(text))
    refuse(`unable to parse param '${name}': ${quoted(text)} is not a whole number of ${unit} since 1970`)
  return clampNs(BigInt(text) * unitNs)
}

export const microseconds = (parameters: RequestParameters, name: string): bigint | undefined =>
  timeParameter(parameters, name, US_NS)

export const milliseconds = (parameters: RequestParameters, name: string): bigint | undefined =>
  timeParameter(parameters, name, MS_NS)

/** Parses a duration such as `1.2s`, `100ms` or `500us`. */
function durationParameter(parameters: RequestParameters, name: string): bigint | undefined {
  const text = parameters.get(name)
  if (text === undefined) return undefined
  const ns = parseDurationNs(text.replaceAll(/us\b/g, 'µs'))
  return ns !== undefined && ns >= 0n
    ? ns
    : refuse(`unable to parse param '${name}': ${quoted(text)} is no duration, such as 1.2s, 100ms or 500us`)
}

function limitParameter(parameters: RequestParameters, name: string): number {
  const text = parameters.get(name)
  if (text === undefined) return USUAL_LIMIT
  const limit = Number(text)
  return /^\d{1,9}$/.test(text) && limit > 0 && limit <= MAX_LIMIT
    ? limit
    : refuse(`unable to parse param '${name}': ${quoted(text)} is not a whole number from 1 to ${MAX_LIMIT}`)
}

type TagText = readonly [key: string, value: string]

/** Parses tags from a JSON object of strings. Numbers and booleans count as their texts. */
function tagsIn(name: string, json: string): readonly TagText[] {
  let given: unknown
  try {
    given = JSON.parse(json)
  } catch {
    return refuse(`malformed '${name}' parameter, cannot unmarshal JSON: ${quoted(json)}`)
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refuse(`malformed '${name}' parameter, expecting a JSON object of texts: ${quoted(json)}`)
  return Object.entries(given).map(([key, value]): TagText => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      refuse(`malformed '${name}' parameter, the value of ${quoted(key)} is not a text`)
    return [key, String(value)]
  })
}

/** Parses tags written as `key:value`. */
function plainTags(texts: readonly string[]): readonly TagText[] {
  return texts.map((text): TagText => {
    const at = text.indexOf(':')
    if (at < 1) refuse(`malformed 'tag' parameter, expecting key:value, received: ${quoted(text)}`)
    return [text.slice(0, at), text.slice(at + 1)]
  })
}

function checkDurations(min: bigint | undefined, max: bigint | undefined, names: readonly [string, string]): void {
  if (min !== undefined && max !== undefined && max < min) refuse(`'${names[1]}' should be greater than '${names[0]}'`)
}

function rangeOf(startNs: bigint | undefined, endNs: bigint | undefined, lookbackNs: bigint, nowNs: bigint): Interval {
  const end = endNs ?? nowNs
  // The end of the range is included.
  return { startNs: startNs ?? clampNs(end - lookbackNs), endNs: clampNs(end + 1n) }
}

/** Parses the parameters of a trace search. */
export function searchParameters(parameters: RequestParameters, nowNs: bigint): TraceSearch {
  const minDurationNs = durationParameter(parameters, 'minDuration')
  const maxDurationNs = durationParameter(parameters, 'maxDuration')
  checkDurations(minDurationNs, maxDurationNs, ['minDuration', 'maxDuration'])
  // The user interface sends the word `custom` for a range with a start.
  const lookback = parseDurationNs(parameters.get('lookback') ?? '') ?? USUAL_LOOKBACK_NS
  return {
    service: parameters.get('service') ?? refuse("parameter 'service' is required"),
    operation: parameters.get('operation'),
    tags: [
      ...parameters.all('tags').flatMap((json) => (json === '' ? [] : tagsIn('tags', json))),
      ...plainTags(parameters.all('tag')),
    ],
    minDurationNs,
    maxDurationNs,
    range: rangeOf(microseconds(parameters, 'start'), microseconds(parameters, 'end'), lookback, nowNs),
    limit: limitParameter(parameters, 'limit'),
  }
}

function timeOf(parameters: RequestParameters, name: string): bigint | undefined {
  const text = parameters.get(name)
  if (text === undefined) return undefined
  return parseTime(text) ?? refuse(`malformed parameter ${name}: ${quoted(text)} is no RFC 3339 time`)
}

/** Parses the parameters of a trace search in version 3. */
export function searchV3Parameters(parameters: RequestParameters, nowNs: bigint): TraceSearch {
  const [min, max] = ['query.duration_min', 'query.duration_max'] as const
  const minDurationNs = durationParameter(parameters, min)
  const maxDurationNs = durationParameter(parameters, max)
  checkDurations(minDurationNs, maxDurationNs, [min, max])
  const attributes = parameters.get('query.attributes')
  const depth = parameters.get('query.search_depth') === undefined ? 'query.num_traces' : 'query.search_depth'
  const start = timeOf(parameters, 'query.start_time_min')
  const end = timeOf(parameters, 'query.start_time_max')
  return {
    service: parameters.get('query.service_name'),
    operation: parameters.get('query.operation_name'),
    tags: attributes === undefined ? [] : tagsIn('query.attributes', attributes),
    minDurationNs,
    maxDurationNs,
    range: rangeOf(start, end, USUAL_LOOKBACK_NS, nowNs),
    limit: limitParameter(parameters, depth),
  }
}

/** Maximum number of digits of a trace id. */
const MAX_ID_DIGITS = 32

/** Returns the id of a trace unchanged. Throws if it is invalid. */
export function traceId(text: string): string {
  return /^[0-9a-f]+$/i.test(text) && text.length <= MAX_ID_DIGITS
    ? text
    : refuse(`${quoted(text)} is no trace id: it has 1 to ${MAX_ID_DIGITS} hexadecimal digits`)
}
