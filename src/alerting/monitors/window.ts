import { MS_NS } from '../../base/index.ts'
import { monitorDurationNs } from '../../resources/index.ts'

/** A range `[from, to)` relative to the evaluation time, ms; negative values are before it. */
export interface RelativeRange {
  readonly fromMs: number
  readonly toMs: number
}

/** Returns the milliseconds of a duration such as `5m`; `undefined` for another text. */
export function durationMs(text: string | undefined): number | undefined {
  const ns = text === undefined ? undefined : monitorDurationNs(text)
  return ns === undefined ? undefined : Number(ns / MS_NS)
}

/**
 * Parses `now`, `-5m`, `now-5m` or `0m` to an offset in ms. `5m` without a sign means five minutes before. Returns
 * `undefined` for any other text.
 */
export function relativeMs(text: string): number | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'now') return 0
  const [, sign, duration] = /^(?:now)?\s*([+-])?\s*(.+)$/.exec(word) ?? []
  const ms = durationMs(duration)
  if (ms === undefined) return undefined
  return sign === '+' ? ms : -ms
}

/**
 * Parses a range. A missing or invalid start is `defaultMs` before the evaluation; a missing or invalid end is the
 * evaluation.
 */
export function relativeRange(
  range: { readonly from?: string | undefined; readonly to?: string | undefined } | undefined,
  defaultMs: number,
): RelativeRange {
  return {
    fromMs: (range?.from === undefined ? undefined : relativeMs(range.from)) ?? -defaultMs,
    toMs: (range?.to === undefined ? undefined : relativeMs(range.to)) ?? 0,
  }
}
