import { ask, firstDifference, isClose, type FuzzValue } from '../ask.ts'
import type { PromqlLaw } from './law.ts'

/** What looks at the query's own start, end, range and step means something else in an instant query. */
const OWN_TIMES = /\b(start|end|range|step)\s*\(/

/** A range query is its instant queries, one for each step. */
export const rangeIsInstants: PromqlLaw = {
  name: 'range-is-instants',
  check: async ({ text, startMs, endMs, stepMs, memory, answer }) => {
    if (OWN_TIMES.test(text)) return undefined
    const values = new Map<string, FuzzValue>()
    let refusal: string | undefined
    for (let timeMs = startMs; timeMs <= endMs; timeMs += stepMs) {
      const instant = await ask(text, { startMs: timeMs, endMs: timeMs, stepMs: 0 }, memory)
      if ('error' in instant) refusal = instant.error
      else for (const [key, value] of instant.values) values.set(key, value)
    }
    if ('error' in answer || refusal !== undefined) {
      const whole = 'error' in answer ? answer.error : 'answered'
      return whole === refusal ? undefined : `the range is ${whole}, an instant ${refusal ?? 'answered'}`
    }
    return firstDifference(answer.values, values, isClose)
  },
}
