import { isInInterval } from '../../../base/index.ts'
import type { ValueTestOf } from '../../value-test.ts'
import { toRangeNumber, toTimeNs } from '../coerce.ts'
import { compareText } from '../compare.ts'
import type { TestOps, ValuePredicate } from './ops.ts'

/** Matches every string that starts with a number, duration, size, time or IPv4 address, and some other strings. */
export const mayBeNumber: ValueTestOf<'regexp'> = { kind: 'regexp', pattern: '^[-+.0-9IiNn]', isFolded: false }
const MAY_BE_NUMBER = /^[-+.0-9IiNn]/

function rangePredicate(test: ValueTestOf<'range'>): ValuePredicate {
  const { min, max, isMinIncluded, isMaxIncluded, isLoose } = test
  return (value) => {
    if (isLoose === true && typeof value === 'string') return MAY_BE_NUMBER.test(value)
    const number = toRangeNumber(value)
    if (number === undefined) return false
    return (isMinIncluded ? number >= min : number > min) && (isMaxIncluded ? number <= max : number < max)
  }
}

export const rangeOps: TestOps<ValueTestOf<'range'>> = { text: rangePredicate, value: rangePredicate }

export const compareTextOps: TestOps<ValueTestOf<'compare-text'>> = {
  text: ({ op, text: bound }) => {
    switch (op) {
      case 'lt':
        return (text) => compareText(text, bound) < 0
      case 'le':
        return (text) => compareText(text, bound) <= 0
      case 'gt':
        return (text) => compareText(text, bound) > 0
      case 'ge':
        return (text) => compareText(text, bound) >= 0
    }
  },
}

export const stringRangeOps: TestOps<ValueTestOf<'string-range'>> = {
  text:
    ({ min, max }) =>
    (text) =>
      compareText(text, min) >= 0 && compareText(text, max) < 0,
}

function timeRangePredicate({ range }: ValueTestOf<'time-range'>): ValuePredicate {
  return (value) => {
    const ns = toTimeNs(value)
    return ns !== undefined && isInInterval(ns, range)
  }
}

export const timeRangeOps: TestOps<ValueTestOf<'time-range'>> = { text: timeRangePredicate, value: timeRangePredicate }
