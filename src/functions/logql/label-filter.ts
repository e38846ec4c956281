import { assertNever, compileRegexp, present } from '../../base/index.ts'
import { lineHoldsAddress, readAddressSet } from './addresses.ts'
import type { LogEntry } from './entry.ts'
import type { CompareOp, LabelCondition, LabelMatch } from './stage.ts'
import { badGoFloat, readGoDuration, readGoFloat, readSize } from './units.ts'

export type EntryTest = (entry: LogEntry) => boolean

/** Returns a test of a label's value. The value of a missing label is the empty string. */
export function compileLabelMatch({ op, value }: LabelMatch): (text: string) => boolean {
  if (op === '=') return (text) => text === value
  if (op === '!=') return (text) => text !== value
  const regexp = compileRegexp(`^(?:${value})$`, false)
  return op === '=~' ? (text) => regexp.test(text) : (text) => !regexp.test(text)
}

function compare(op: CompareOp, value: number, wanted: number): boolean {
  switch (op) {
    case '==':
      return value === wanted
    case '!=':
      return value !== wanted
    case '>':
      return value > wanted
    case '>=':
      return value >= wanted
    case '<':
      return value < wanted
    case '<=':
      return value <= wanted
    default:
      return assertNever(op)
  }
}

type Reader = (text: string) => number | { readonly reason: string }

const readers: Readonly<Record<'number' | 'duration' | 'bytes', Reader>> = {
  number: (text) => readGoFloat(text) ?? { reason: badGoFloat(text) },
  duration: readGoDuration,
  bytes: readSize,
}

/** Name of the error of an entry whose label cannot be compared. */
export const LABEL_FILTER_ERROR = 'LabelFilterErr'

/**
 * Compiles a condition. An entry whose label is not a number, duration or size gets an error and passes. An entry that
 * already has an error passes all comparisons except those of strings. An entry without the label does not pass.
 */
export function compileCondition(condition: LabelCondition): EntryTest {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const [left, right] = [compileCondition(condition.lhs), compileCondition(condition.rhs)]
      const isAnd = condition.kind === 'and'
      return (entry) => {
        // Both sides are evaluated, because each may report an error.
        const [l, r] = [left(entry), right(entry)]
        return isAnd ? l && r : l || r
      }
    }
    case 'text': {
      const { label } = condition
      const matches = compileLabelMatch(condition)
      return (entry) => matches(entry.get(label) ?? '')
    }
    case 'ip': {
      const { label, op } = condition
      const set = present(readAddressSet(condition.value))
      return (entry) => {
        const text = entry.get(label)
        if (text === undefined) return false
        if (entry.error !== undefined) return true
        return lineHoldsAddress(set, text) === (op === '=')
      }
    }
    case 'number':
    case 'duration':
    case 'bytes': {
      const { label, op, value: wanted } = condition
      const read = readers[condition.kind]
      return (entry) => {
        const text = entry.get(label)
        if (text === undefined) return false
        if (entry.error !== undefined) return true
        const value = read(text)
        if (typeof value === 'number') return compare(op, value, wanted)
        entry.fail(LABEL_FILTER_ERROR, value.reason)
        return true
      }
    }
    default:
      return assertNever(condition)
  }
}
