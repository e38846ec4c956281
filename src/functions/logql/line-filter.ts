import { compileRegexp, present } from '../../base/index.ts'
import { lineHoldsAddress, readAddressSet } from './addresses.ts'
import { matchesPattern, readCapturePattern } from './capture-pattern.ts'
import type { LineFilterStage } from './stage.ts'

/** Returns a pattern that means the same as in Go's `regexp`, where `.` does not match line breaks. */
export function lineRegexp(pattern: string): string {
  return `(?-s:${pattern})`
}

function testOf({ op, alternatives }: LineFilterStage): readonly ((line: string) => boolean)[] {
  return alternatives.map(({ kind, value }) => {
    if (kind === 'ip') {
      const set = present(readAddressSet(value))
      return (line) => lineHoldsAddress(set, line)
    }
    if (op === '|=' || op === '!=') return (line) => line.includes(value)
    if (op === '|>' || op === '!>') {
      const segments = readCapturePattern(value)
      return (line) => matchesPattern(segments, line)
    }
    const regexp = compileRegexp(lineRegexp(value), false)
    return (line) => regexp.test(line)
  })
}

/** Compiles a line filter. The caller must have checked its patterns and addresses. */
export function compileLineFilter(stage: LineFilterStage): (line: string) => boolean {
  const tests = testOf(stage)
  const isNegative = stage.op.startsWith('!')
  return (line) => tests.some((test) => test(line)) !== isNegative
}
