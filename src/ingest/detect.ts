import type { LineFormat } from './line-format.ts'

/** The format that fits the sample lines best; the last of the list is what remains when none does. */
export function detectFormat(lines: readonly string[], formats: readonly [LineFormat, ...LineFormat[]]): LineFormat {
  let best = formats.at(-1) ?? formats[0]
  let bestScore = 0
  for (const format of formats) {
    const score = lines.reduce((sum, line) => sum + format.resembles(line), 0) / Math.max(1, lines.length)
    if (score > bestScore) {
      best = format
      bestScore = score
    }
  }
  return best
}
