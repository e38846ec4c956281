import { parseRfc3339 } from '../../base/index.ts'
import { compareNumbers, compareText, parseNumber } from '../../data/index.ts'

const RUN = /\d+|\D+/g

/** Runs of digits as numbers, then fewer digits first, the rest by code point. */
function compareRuns(a: string, b: string): number {
  const left = a.match(RUN) ?? []
  const right = b.match(RUN) ?? []
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const areDigits = /^\d/.test(left[i]) && /^\d/.test(right[i])
    const order = areDigits
      ? compareNumbers(BigInt(left[i]), BigInt(right[i])) || left[i].length - right[i].length
      : compareText(left[i], right[i])
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** RFC 3339, also without a zone. */
function parseTime(text: string): bigint | undefined {
  return parseRfc3339(text) ?? parseRfc3339(`${text}Z`)
}

/**
 * Whether one text comes before another in the pairwise "natural" order: as numbers, times or durations when both are,
 * else digit runs as numbers. Not transitive, so nothing sorts by it; sorting goes by class rank.
 */
export function isNaturallyLess(a: string, b: string): boolean {
  const [leftNumber, rightNumber] = [parseNumber(a), parseNumber(b)]
  if (leftNumber !== undefined && rightNumber !== undefined) return compareNumbers(leftNumber, rightNumber) < 0
  const [leftNs, rightNs] = [parseTime(a), parseTime(b)]
  if (leftNs !== undefined && rightNs !== undefined) return leftNs < rightNs
  return compareRuns(a, b) < 0
}
