import { parseIsoTime } from '../../base/index.ts'
import { compareNumbers, compareText, parseNumber } from '../../data/index.ts'

const RUN = /\d+|\D+/g

/** Compares runs of digits as numbers, then by their length; other characters by code point. */
function compareRuns(a: string, b: string): number {
  const left = a.match(RUN) ?? []
  const right = b.match(RUN) ?? []
  for (const [i, own] of left.entries()) {
    const other = right[i]
    if (other === undefined) break
    const areDigits = /^\d/.test(own) && /^\d/.test(other)
    const order = areDigits
      ? compareNumbers(BigInt(own), BigInt(other)) || own.length - other.length
      : compareText(own, other)
    if (order !== 0) return order
  }
  return left.length - right.length
}

/**
 * Returns whether one string precedes another in "natural" order: as numbers, times or durations if both are such, else
 * with digit runs compared as numbers. The order is not transitive, so sorting uses the class rank instead.
 */
export function isNaturallyLess(a: string, b: string): boolean {
  const [leftNumber, rightNumber] = [parseNumber(a), parseNumber(b)]
  if (leftNumber !== undefined && rightNumber !== undefined) return compareNumbers(leftNumber, rightNumber) < 0
  const [leftNs, rightNs] = [parseIsoTime(a), parseIsoTime(b)]
  if (leftNs !== undefined && rightNs !== undefined) return leftNs < rightNs
  return compareRuns(a, b) < 0
}
