import { monitorDurationNs } from '../../resources/index.ts'

const MS_NS = 1_000_000n

/** `[from, to)` relative to an evaluation, in milliseconds; negative before it. */
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
 * Returns the offset of `now`, `-5m`, `now-5m` or `0m` in milliseconds. A bare `5m` means five minutes before.
 * `undefined` for another text.
 */
export function relativeMs(text: string): number | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'now') return 0
  const [, sign, duration] = /^(?:now)?\s*([+-])?\s*(.+)$/.exec(word) ?? []
  const ms = durationMs(duration)
  if (ms === undefined) return undefined
  return sign === '+' ? ms : -ms
}

/** Returns a range; missing ends are `defaultMs` before the evaluation, and the evaluation. Ends must be readable. */
export function relativeRange(
  range: { readonly from?: string | undefined; readonly to?: string | undefined } | undefined,
  defaultMs: number,
): RelativeRange {
  return {
    fromMs: (range?.from === undefined ? undefined : relativeMs(range.from)) ?? -defaultMs,
    toMs: (range?.to === undefined ? undefined : relativeMs(range.to)) ?? 0,
  }
}
