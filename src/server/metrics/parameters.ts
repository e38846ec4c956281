import { parseDurationNs } from '../../base/index.ts'
import { matchersOfSelector } from '../../lang/promql/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import { describeValue, parseTime } from '../../wire/index.ts'
import { fault } from '../errors/http-fault.ts'
import type { SeriesSearch } from './metric-interfaces.ts'
import type { Caller } from '../auth/caller.ts'

/** Range of valid times, ms: the range of JavaScript dates, in which every ms is exact. */
export const timeLimits = { minMs: -8_640_000_000_000_000, maxMs: 8_640_000_000_000_000 } as const

/** Parameters of a request, from its form body and its URL; the body takes precedence. */
export class RequestParameters {
  readonly #form: URLSearchParams
  readonly #query: URLSearchParams

  constructor(form: URLSearchParams, query: URLSearchParams) {
    this.#form = form
    this.#query = query
  }

  /** Returns the first value of a parameter; `undefined` if missing or empty. */
  get(name: string): string | undefined {
    const value = this.#form.get(name) ?? this.#query.get(name) ?? ''
    return value === '' ? undefined : value
  }

  /** Returns all parameters in one list, the form's parameters first. */
  entries(): URLSearchParams {
    return new URLSearchParams([...this.#form, ...this.#query])
  }

  all(name: string): readonly string[] {
    return [...this.#form.getAll(name), ...this.#query.getAll(name)]
  }
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** Parses Unix seconds with a fraction, or RFC 3339, to ms. */
function timeOf(name: string, text: string): number {
  if (NUMBER.test(text)) {
    const ms = Math.round(Number(text) * 1000)
    if (ms >= timeLimits.minMs && ms <= timeLimits.maxMs) return ms
  } else {
    const ns = parseTime(text)
    if (ns !== undefined) return Number(ns / 1_000_000n)
  }
  throw fault('bad-parameter', { name, expected: 'Unix seconds or an RFC 3339 time', found: describeValue(text) })
}

export function timeParameter(parameters: RequestParameters, name: string, otherwise: number): number {
  const text = parameters.get(name)?.trim()
  return text === undefined ? otherwise : timeOf(name, text)
}

/** Parses a required time to ms. Throws if it is missing. */
export function requiredTime(parameters: RequestParameters, name: string): number {
  const text = parameters.get(name)?.trim()
  if (text === undefined) throw fault('missing-parameter', { name, hint: 'A range goes from `start` to `end`.' })
  return timeOf(name, text)
}

/** Parses seconds, or a duration such as `1m30s`, to ms. `undefined` if missing. */
export function durationParameter(parameters: RequestParameters, name: string): number | undefined {
  const text = parameters.get(name)?.trim()
  if (text === undefined) return undefined
  const ms = NUMBER.test(text) ? Number(text) * 1000 : Number(parseDurationNs(text) ?? 0n) / 1e6
  // Less than a millisecond rounds down to 0 and is not accepted.
  if (Math.floor(ms) > 0 && ms <= timeLimits.maxMs) return Math.floor(ms)
  const expected = 'a length of time above zero, such as `30s` or seconds'
  throw fault('bad-parameter', { name, expected, found: describeValue(text) })
}

/** Parses `lookback_delta` to ms; `undefined` if missing or 0, which both mean the default. */
export function lookbackParameter(parameters: RequestParameters): number | undefined {
  const text = parameters.get('lookback_delta')?.trim() ?? ''
  const isZero = NUMBER.test(text) ? Number(text) === 0 : parseDurationNs(text) === 0n
  return isZero ? undefined : durationParameter(parameters, 'lookback_delta')
}

/** Parses a count; `undefined` if missing or 0, which mean unlimited. */
export function countParameter(parameters: RequestParameters, name: string): number | undefined {
  const text = parameters.get(name)?.trim()
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) {
    throw fault('bad-parameter', { name, expected: 'a whole number', found: describeValue(text) })
  }
  return Number(text) === 0 ? undefined : Number(text)
}

/** Parses `stats`: any value requests statistics, `all` also requests statistics for each step. */
export function statsParameter(parameters: RequestParameters): 'none' | 'totals' | 'steps' {
  const text = parameters.get('stats')
  return text === undefined ? 'none' : text === 'all' ? 'steps' : 'totals'
}

export function queryParameter(parameters: RequestParameters, caller: Caller): string {
  const text = parameters.get('query')
  if (text === undefined) throw fault('missing-parameter', { name: 'query', hint: 'It holds the expression.' })
  caller.readsText('query', text)
  return text
}

/**
 * Parses `match[]`, `start` and `end` of a series search. A search with a reversed range finds nothing and is not an
 * error. Throws `promql/…` for an invalid selector.
 */
export function searchParameters(parameters: RequestParameters, caller: Caller): SeriesSearch {
  const startMs = timeParameter(parameters, 'start', timeLimits.minMs)
  const endMs = timeParameter(parameters, 'end', timeLimits.maxMs)
  const filters = parameters.all('match[]').map((text): readonly LabelMatcher[] => {
    caller.readsText('match[]', text)
    return matchersOfSelector(text)
  })
  return { filters, startMs, endMs }
}

/** Decodes a label name in a path, in which `U__` begins an encoded name and `_1F600_` is a code point. */
export function unescapeLabel(name: string): string {
  if (!name.startsWith('U__')) return name
  let text = ''
  for (const [whole, hex] of name.slice(3).matchAll(/__|_([0-9a-fA-F]{1,6})_|[^]/g)) {
    if (whole === '__') text += '_'
    else if (hex === undefined) text += whole
    else {
      const code = Number.parseInt(hex, 16)
      if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return name
      text += String.fromCodePoint(code)
    }
  }
  return text
}
