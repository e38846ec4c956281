import { z } from 'zod'
import { SluiceError, atPath, clampNs, nowhere, parseDurationNs } from '../base/index.ts'
import { wireDiagnostic } from './diagnostics.ts'
import { describeValue } from './excerpt.ts'
import { raise, type IssueSink } from './issues.ts'
import { parseTime } from './schema.ts'

/** A time relative to the time of the request. */
export class FromNow {
  readonly ns: bigint

  constructor(ns: bigint) {
    this.ns = ns
  }
}

/** Nanoseconds since 1970, or a time relative to the request. */
export type Moment = bigint | FromNow

const FROM_NOW = /^(?:now|(?:now)?([+-])(\d.*))$/i

/** Parses `now`, `-1h`, `now-15m`, `now+5m`; returns `undefined` for other texts. */
function parseFromNow(source: string): FromNow | undefined {
  const found = FROM_NOW.exec(source.trim())
  if (found === null) return undefined
  const [, sign, length] = found
  const ns = length === undefined ? 0n : parseDurationNs(length)
  return ns === undefined ? undefined : new FromNow(sign === '-' ? -ns : ns)
}

/** Returns a schema of a time in a search, absolute or relative. */
export const moment = () =>
  z
    .string()
    .meta({ description: 'RFC 3339, or relative to the time of the request: `now`, `-1h`, `now-15m`.' })
    .transform((source, context): Moment => {
      const found = parseFromNow(source) ?? parseTime(source)
      if (found !== undefined) return found
      return raise(context, wireDiagnostic('bad-time', { found: describeValue(source), mayBeRelative: true }, nowhere))
    })

/**
 * True if the start is after the end whatever the time of the request is. False if one time is absolute and the other
 * relative.
 */
function isReversed(start: Moment, end: Moment): boolean {
  if (start instanceof FromNow) return end instanceof FromNow && start.ns > end.ns
  return !(end instanceof FromNow) && start > end
}

/** Reports a start after the end. A pair of an absolute and a relative time is checked by `atNow`. */
export const momentsInOrder =
  <A extends string, B extends string>(start: A, end: B) =>
  (value: { readonly [K in A | B]?: Moment | undefined }, context: IssueSink): void => {
    const [from, to] = [value[start], value[end]]
    if (from === undefined || to === undefined || !isReversed(from, to)) return
    raise(context, wireDiagnostic('range-reversed', { start, end, strictly: false }, nowhere), [end])
  }

const PAIRS = [
  ['start', 'end'],
  ['Start', 'End'],
] as const

type Times = { readonly [K in (typeof PAIRS)[number][number]]?: Moment | undefined }

/** A body whose times are all absolute. */
export type AtNow<B> = { readonly [K in keyof B]: K extends keyof Times ? Exclude<B[K], FromNow> : B[K] }

/**
 * Converts relative times of a body to absolute ones, counted from `nowNs`. Throws SluiceError `wire/range-reversed`.
 */
export function atNow<B extends Times>(body: B, nowNs: bigint): AtNow<B> {
  const at = (time: Moment | undefined): bigint | undefined =>
    time instanceof FromNow ? clampNs(nowNs + time.ns) : time
  const times: { [name: string]: bigint } = {}
  for (const [start, end] of PAIRS) {
    const [from, to] = [at(body[start]), at(body[end])]
    if (from !== undefined && to !== undefined && from > to)
      throw new SluiceError([wireDiagnostic('range-reversed', { start, end, strictly: false }, atPath([end]))])
    if (from !== undefined) times[start] = from
    if (to !== undefined) times[end] = to
  }
  return { ...body, ...times } as AtNow<B>
}
