/** A part of a trace, ms since its start. */
export interface Window {
  readonly start: number
  readonly end: number
}

/** Formats a duration in the unit that gives one to four digits before the decimal point. */
export function spanDuration(ms: number): string {
  if (ms === 0) return '0'
  if (ms < 0.001) return `${Math.round(ms * 1e6)} ns`
  const rounded = (value: number): string => String(Number(value.toPrecision(value < 1 ? 2 : 3)))
  if (ms < 1) return `${rounded(ms * 1000)} µs`
  if (ms < 1000) return `${rounded(ms)} ms`
  if (ms < 60_000) return `${rounded(ms / 1000)} s`
  const seconds = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`
}

/** Returns round times within a window for axis ticks, at most `most`. */
export function ticksOf({ start, end }: Window, most: number): readonly number[] {
  const least = (end - start) / most
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= least) ?? 10 * power
  const first = Math.ceil(start / step - 1e-9)
  const ticks: number[] = []
  for (let i = first; i * step <= end && ticks.length <= most; i++) ticks.push(i * step)
  return ticks
}

/** Minimum length of the shown part of a trace, ms: the precision of times, a nanosecond. */
const LEAST_MS = 1e-6

/** Parses the part of a trace in the URL, such as `12.5-80`; for any other text, the whole trace. */
export function windowOf(text: string | undefined, durationMs: number): Window {
  const [, start = '', end = ''] = /^([\d.]+)-([\d.]+)$/.exec(text ?? '') ?? []
  const whole = { start: 0, end: Math.max(durationMs, LEAST_MS) }
  const part = { start: Number(start), end: Math.min(Number(end), whole.end) }
  return start !== '' && part.end - part.start >= LEAST_MS ? part : whole
}

export function windowText({ start, end }: Window): string {
  const text = (ms: number): string => ms.toFixed(6).replace(/\.?0+$/, '')
  return `${text(Math.max(0, start))}-${text(end)}`
}

/** Returns the position of a time in a window, in percent; below 0 or above 100 if outside. */
export function percentAt(ms: number, { start, end }: Window): number {
  return (100 * (ms - start)) / (end - start)
}

/** A segment of a bar, in percent of the window's width. */
export interface DrawnSegment {
  readonly left: number
  readonly width: number
}

/** Gaps and segments below this percentage of the width are invisible: about one pixel. */
const VISIBLE_PERCENT = 0.1

/**
 * Returns the visible segments among those from `from` to `to`. Close segments are merged, so their number is bounded
 * by the width, not by the size of the trace.
 */
export function drawnSegments(
  starts: Float64Array,
  ends: Float64Array,
  from: number,
  to: number,
  window: Window,
): readonly DrawnSegment[] {
  const segments: DrawnSegment[] = []
  /** Returns the first segment, from `low` on, that ends after a time. */
  const firstAfter = (low: number, ms: number): number => {
    let high = to
    let at = low
    while (at < high) {
      const middle = (at + high) >>> 1
      if ((ends[middle] ?? 0) > ms) high = middle
      else at = middle + 1
    }
    return at
  }
  const gapMs = ((window.end - window.start) * VISIBLE_PERCENT) / 100
  let end = window.start
  for (let i = firstAfter(from, end); i < to && (starts[i] ?? 0) < window.end; i = firstAfter(i + 1, end)) {
    const start = Math.max(starts[i] ?? 0, window.start)
    // Merges all segments that end within the next pixel.
    end = Math.max(Math.min(ends[i] ?? 0, window.end), start + gapMs)
    const left = percentAt(start, window)
    const last = segments.at(-1)
    const right = percentAt(end, window)
    if (last !== undefined && left - (last.left + last.width) < VISIBLE_PERCENT)
      segments[segments.length - 1] = { left: last.left, width: right - last.left }
    else segments.push({ left, width: right - left })
  }
  return segments
}
