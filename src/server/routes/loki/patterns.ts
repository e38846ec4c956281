import { z } from 'zod'
import type { Interval } from '../../../base/index.ts'
import { Instant, toText, type Row } from '../../../data/index.ts'
import { lowerSelector, valueOfDiscovered } from '../../../lang/logql/index.ts'
import { column, countRows, literal, type LogicalPlan } from '../../../plan/index.ts'
import { json } from '../../http/respond.ts'
import type { AnyRoute } from '../definition/route.ts'
import { defineLokiRoutes, type LokiCall } from './define-loki-routes.ts'
import { RANGE, checkSteps, durationMs, queryParameter, rangeParameters } from './parameters.ts'
import { budgetOf, eachRow } from '../../search/collect.ts'
import { stepOf } from '../../search/fields/questions.ts'
import { lokiTable, parsedEntries, rowsFor } from './source.ts'

const patternsAnswer = z
  .object({
    status: z.literal('success'),
    data: z.array(
      z.object({
        pattern: z.string(),
        level: z.string(),
        samples: z.array(z.tuple([z.number(), z.number()])),
      }),
    ),
  })
  .meta({ id: 'LokiPatterns', description: 'Patterns of lines, each with its lines in each step.' })

const DEFAULT_STEP_MS = 10_000
/** Patterns of one step and level that are counted. */
const MAX_PATTERNS = 300
/**
 * Steps whose lines are read by one query. Each step and level holds all of its patterns until it is cut to the most
 * frequent, so the steps of a day would need the memory of many queries.
 */
const STEPS_AT_ONCE = 16

const AT = '__at__'
const LEVEL = '__level__'
const PATTERNS = '__patterns__'

function patternsPlan(call: LokiCall, text: string, stepMs: number): LogicalPlan {
  const table = lokiTable(call)
  const input = lowerSelector(parsedEntries(call, text, true), table)
  const { origin } = input
  const level = table.discovered.find(({ category }) => category === 'metadata')
  const at = stepOf(table.timeField, BigInt(stepMs) * 1_000_000n, 0n, origin)
  return {
    kind: 'aggregate',
    input,
    keys: [
      { name: AT, type: 'time', expr: at },
      {
        name: LEVEL,
        type: 'string',
        expr: level === undefined ? literal('unknown', origin) : valueOfDiscovered(level, origin),
      },
    ],
    aggregates: [
      {
        name: PATTERNS,
        type: 'any',
        call: { ...countRows(origin), fn: 'pattern', args: [column(table.textField, origin)], limit: MAX_PATTERNS },
      },
    ],
    origin,
  }
}

/** Divides a range at multiples of a width. */
function* partsOf({ startNs, endNs }: Interval, widthNs: bigint): Generator<Interval> {
  for (let from = startNs; from < endNs;) {
    const next = (from / widthNs + 1n) * widthNs
    yield { startNs: from, endNs: next < endNs ? next : endNs }
    from = next
  }
}

interface Found {
  readonly pattern: string
  readonly level: string
  readonly samples: Map<number, number>
}

export const lokiPatternRoutes: readonly AnyRoute[] = defineLokiRoutes({
  name: 'lokiPatterns',
  path: '/loki/api/v1/patterns',
  summary: 'List patterns of lines over time, as Loki does',
  parameters: {
    query: 'A selector.',
    ...RANGE,
    step: 'Length of a step; 10 s when it is not given.',
  },
  answer: { description: 'Patterns, the most frequent first.', schema: patternsAnswer },
  handle: async (call) => {
    const { parameters, caller, context } = call
    const stepMs = Math.max(1000, Math.floor(durationMs(parameters, 'step') ?? DEFAULT_STEP_MS))
    const plan = patternsPlan(call, queryParameter(parameters, caller), stepMs)
    const range = rangeParameters(parameters, context.nowNs())
    checkSteps(range, stepMs)
    const found = new Map<string, Found>()
    const budget = budgetOf(call)
    const take = (row: Row): void => {
      budget.checkpoint()
      const at = row.get(AT)
      const level = toText(row.get(LEVEL) ?? null)
      const seconds = at instanceof Instant ? Number(at.ns / 1_000_000_000n) : 0
      const list = JSON.parse(toText(row.get(PATTERNS) ?? '[]')) as readonly { pattern: string; hits: number }[]
      for (const { pattern: own, hits } of list) {
        const pattern = own.replaceAll(/<[A-Z0-9_]+>/g, '<_>')
        const key = JSON.stringify([pattern, level])
        const known = found.get(key) ?? { pattern, level, samples: new Map<number, number>() }
        if (known.samples.size === 0) budget.charge(key.length * 4)
        found.set(key, known)
        known.samples.set(seconds, (known.samples.get(seconds) ?? 0) + hits)
      }
    }
    for (const part of partsOf(range, BigInt(stepMs * STEPS_AT_ONCE) * 1_000_000n))
      await eachRow(rowsFor(call).read(plan, part), take)
    const total = ({ samples }: Found): number => [...samples.values()].reduce((sum, hits) => sum + hits, 0)
    const data = [...found.values()]
      .sort((a, b) => total(b) - total(a))
      .map(({ pattern, level, samples }) => ({ pattern, level, samples: [...samples].sort(([a], [b]) => a - b) }))
    return json({ status: 'success', data })
  },
})
