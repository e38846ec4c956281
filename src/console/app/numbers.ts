const whole = new Intl.NumberFormat('en-US')

export function count(number: number): string {
  return whole.format(number)
}

/** Formats milliseconds with a readable unit: `8 ms`, `1.24 s`. */
export function milliseconds(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 60_000
    ? `${(ms / 1000).toFixed(2)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** Returns a part as a CSS percentage of a whole, for the width of a bar. */
export function percent(value: number, all: number): string {
  return `${all === 0 ? 0 : Math.max(0.5, (100 * value) / all)}%`
}
