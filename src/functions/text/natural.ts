import { parseIsoTime } from '../../base/index.ts'
import { compareNumbers, compareText, parseNumber } from '../../data/index.ts'

const RUN = /\d+|\D+/g

/** Compares strings: runs of digits as numbers and then by length, other characters by code point. */
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
 * True if `a` precedes `b` in "natural" order: two numbers, times or durations by value, other strings with digit runs
 * compared as numbers. The order is not transitive, so sorting uses another one.
 */
export function isNaturallyLess(a: string, b: string): boolean {
  const [leftNumber, rightNumber] = [parseNumber(a), parseNumber(b)]
  if (leftNumber !== undefined && rightNumber !== undefined) return compareNumbers(leftNumber, rightNumber) < 0
  const [leftNs, rightNs] = [parseIsoTime(a), parseIsoTime(b)]
  if (leftNs !== undefined && rightNs !== undefined) return leftNs < rightNs
  return compareRuns(a, b) < 0
}
