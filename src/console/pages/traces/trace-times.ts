/** A part of a trace in milliseconds since its start. */
export interface Window {
  readonly start: number
  readonly end: number
}

/** Returns a length of time in the unit in which it has one to four digits in front of the point. */
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

/** Returns round moments of a window, at most `most` of them. */
export function ticksOf({ start, end }: Window, most: number): readonly number[] {
  const least = (end - start) / most
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= least) ?? 10 * power
  const first = Math.ceil(start / step - 1e-9)
  const ticks: number[] = []
  for (let i = first; i * step <= end && ticks.length <= most; i++) ticks.push(i * step)
  return ticks
}

/** Least part of a trace that can be shown, in milliseconds: one nanosecond is the precision of times. */
const LEAST_MS = 1e-6

/** Reads the part of a trace that a link names, such as `12.5-80`; the whole trace for any other text. */
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

/** Returns where a moment lies in a window, in percent; outside of 0 to 100 for one outside of it. */
export function percentAt(ms: number, { start, end }: Window): number {
  return (100 * (ms - start)) / (end - start)
}

/** A piece of a bar in percent of the width of the window. */
export interface Piece {
  readonly left: number
  readonly width: number
}

/** Gaps and pieces below this share of the width, in percent, cannot be seen: about one pixel. */
const VISIBLE_PERCENT = 0.1

/**
 * Returns the pieces from `from` to `to` as they are drawn: those inside the window, with close ones joined, so that
 * their number is bound by the width and not by the trace.
 */
export function drawnPieces(
  starts: Float64Array,
  ends: Float64Array,
  from: number,
  to: number,
  window: Window,
): readonly Piece[] {
  const pieces: Piece[] = []
  /** Returns the first piece from `low` on that ends after a moment. */
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
    // Everything that would end within the next pixel joins this piece.
    end = Math.max(Math.min(ends[i] ?? 0, window.end), start + gapMs)
    const left = percentAt(start, window)
    const last = pieces.at(-1)
    const right = percentAt(end, window)
    if (last !== undefined && left - (last.left + last.width) < VISIBLE_PERCENT)
      pieces[pieces.length - 1] = { left: last.left, width: right - last.left }
    else pieces.push({ left, width: right - left })
  }
  return pieces
}
