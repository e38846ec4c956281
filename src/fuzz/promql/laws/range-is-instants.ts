import { runQuery, firstDifference, isClose, type FuzzValue } from '../run-query.ts'
import type { PromqlLaw } from './law.ts'

/** Matches functions that return the start, end, range or step of the query, which differ in an instant query. */
const OWN_TIMES = /\b(start|end|range|step)\s*\(/

/** A range query gives the values of one instant query for each step. */
export const rangeIsInstants: PromqlLaw = {
  name: 'range-is-instants',
  check: async ({ text, startMs, endMs, stepMs, memory, answer }) => {
    if (OWN_TIMES.test(text)) return undefined
    const values = new Map<string, FuzzValue>()
    const refusals = new Set<string>()
    for (let timeMs = startMs; timeMs <= endMs; timeMs += stepMs) {
      const instant = await runQuery(text, { startMs: timeMs, endMs: timeMs, stepMs: 0 }, memory)
      if ('error' in instant) refusals.add(instant.error)
      else for (const [key, value] of instant.values) values.set(key, value)
    }
    if ('error' in answer) {
      // If instant queries give different errors, the range query may report any of them.
      return refusals.size > 0 ? undefined : `the range is ${answer.error}, its instants answered`
    }
    if (refusals.size > 0) return `the range is answered, an instant ${[...refusals].join(', ')}`
    return firstDifference(answer.values, values, isClose)
  },
}
