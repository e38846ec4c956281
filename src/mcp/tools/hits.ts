import { z } from 'zod'
import { parseDurationNs, parseRfc3339 } from '../../base/index.ts'
import { estimateOf } from '../estimate.ts'
import { CallFault } from '../fault.ts'
import { TIME_STEPS } from '../limits.ts'
import { listed, piped, searchRows, searched } from '../rows.ts'
import { defineTool, nativeArgs, searchOf } from '../tool.ts'

/** Step lengths of a time axis that are round numbers. */
const STEPS = [
  '1ms',
  '10ms',
  '100ms',
  '1s',
  '5s',
  '10s',
  '30s',
  '1m',
  '5m',
  '10m',
  '30m',
  '1h',
  '3h',
  '6h',
  '12h',
  '1d',
  '7d',
  '30d',
]

/** Returns the shortest step that divides the range into at most `TIME_STEPS` parts; the longest step if none does. */
function stepFor(lengthNs: bigint): string {
  const fits = (step: string): boolean => lengthNs / (parseDurationNs(step) ?? 1n) < BigInt(TIME_STEPS)
  return STEPS.find(fits) ?? '365d'
}

export const hits = defineTool({
  name: 'hits',
  title: 'Count rows over time',
  description:
    'Counts the rows that a query finds in steps of time, also by the values of a field: when did it begin, when did it end. A step without rows is left out.',
  args: z.strictObject({
    ...nativeArgs,
    step: z
      .string()
      .regex(/^\d+(?:ms|s|m|h|d|w)$/, 'a step is a number with a unit, such as 5m')
      .optional()
      .describe(`Length of a step, such as \`5m\`. Default: at most ${TIME_STEPS} steps.`),
    field: z.string().min(1).max(1000).optional().describe('Counts by the values of this field too.'),
  }),
  plan: async (call) => {
    const { asking, args } = call
    const estimate = await estimateOf(asking, searchOf(call, '*'))
    let { step } = args
    if (step === undefined) {
      const extent = piped(args.query, 'stats count() as n, min(_time) as first, max(_time) as last')
      for await (const { n, first, last } of searchRows(asking, searchOf(call, extent))) {
        if (n === 0) return { estimate, rows: listed([]) }
        if (typeof first !== 'string' || typeof last !== 'string')
          throw new CallFault('The rows of `query` have no `_time`. Leave out its pipes; filters are enough.')
        step = stepFor((parseRfc3339(last) ?? 0n) - (parseRfc3339(first) ?? 0n))
      }
    }
    const field = args.field === undefined ? '' : `, ${JSON.stringify(args.field)}`
    const counted = piped(args.query, `stats by (_time:${step}${field}) count() as hits`)
    return { estimate, rows: searched(asking, searchOf(call, piped(counted, `sort by (_time${field})`))) }
  },
})
