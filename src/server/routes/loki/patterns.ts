import { z } from 'zod'
import type { Budget, Interval } from '../../../base/index.ts'
import { Instant, toText, type Row } from '../../../data/index.ts'
import { mostFrequent, type Template } from '../../../functions/index.ts'
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
    warnings: z.array(z.string()).optional(),
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
/** Maximum number of patterns of each level, both in a step and in the answer. A user cannot read more. */
const MAX_PATTERNS = 300
/**
 * Number of steps that one query reads. All patterns of these steps are in memory before they are limited to the most
 * frequent patterns. The patterns of a whole day would exceed the memory limit of a query.
 */
const STEPS_AT_ONCE = 16

/** Memory of a pattern besides its text, and of its line count in one step, bytes. */
const FOUND_BYTES = 300
const SAMPLE_BYTES = 40
const CUT = `Only the ${MAX_PATTERNS} most frequent patterns of each level and step are counted, and as many of each level listed. A narrower selector or range shows others.`

const AT = '__at__'
const LEVEL = '__level__'
const PATTERNS = '__patterns__'

function patternsPlan(call: LokiCall, text: string, stepMs: number): LogicalPlan {
  const table = lokiTable(call)
  const input = lowerSelector(parsedEntries(call, text, true), table)
  const { origin } = input
  const level = table.discovered.find(({ category }) => category === 'metadata')
  const at = stepOf(table.timeField, BigInt(stepMs) * 1_000_000n, 0n, origin)
  const counted: LogicalPlan = {
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
  return {
    kind: 'sort',
    input: counted,
    keys: [{ expr: column(AT, origin), direction: 'asc' }],
    offset: 0,
    limit: undefined,
    partitionBy: [],
    rankName: undefined,
    origin,
  }
}

/** Splits a range at multiples of a width. */
function* windowsOf({ startNs, endNs }: Interval, widthNs: bigint): Generator<Interval> {
  for (let from = startNs; from < endNs;) {
    const next = (from / widthNs + 1n) * widthNs
    yield { startNs: from, endNs: next < endNs ? next : endNs }
    from = next
  }
}

interface Found {
  readonly pattern: string
  readonly level: string
  /** Starts of steps in Unix seconds, ascending, with the lines of each. */
  readonly samples: [seconds: number, hits: number][]
  hits: number
}

/** The patterns of one level. */
interface LevelPatterns {
  readonly byPattern: Map<string, Found>
  /**
   * Patterns by template. The aggregate lists each template again in each step, with a placeholder for each kind of
   * number.
   */
  readonly byTemplate: Map<string, Found>
}

/** Patterns of all steps, by level and text. */
class PatternsByLevel {
  readonly #levels = new Map<string, LevelPatterns>()
  readonly #budget: Budget
  isCut = false

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** Adds the patterns of one level in one step. Steps must ascend. */
  add(row: Row): void {
    const at = row.get(AT)
    const seconds = at instanceof Instant ? Number(at.ns / 1_000_000_000n) : 0
    const level = toText(row.get(LEVEL) ?? null)
    const patterns = this.#levels.get(level) ?? { byPattern: new Map(), byTemplate: new Map() }
    this.#levels.set(level, patterns)
    const listed = JSON.parse(toText(row.get(PATTERNS) ?? '[]')) as readonly Template[]
    this.isCut ||= listed.length === MAX_PATTERNS
    this.#budget.checkpoint()
    for (const { pattern: template, hits } of listed) {
      const found = patterns.byTemplate.get(template) ?? this.#addTemplate(patterns, template, level)
      found.hits += hits
      const latest = found.samples.at(-1)
      // Several templates can have the same pattern.
      if (latest?.[0] === seconds) latest[1] += hits
      else {
        this.#budget.charge(SAMPLE_BYTES)
        found.samples.push([seconds, hits])
      }
    }
  }

  #addTemplate({ byPattern, byTemplate }: LevelPatterns, template: string, level: string): Found {
    const pattern = template.replaceAll(/<[A-Z0-9_]+>/g, '<_>')
    this.#budget.charge(FOUND_BYTES + (template.length + pattern.length) * 2)
    const found = byPattern.get(pattern) ?? { pattern, level, samples: [], hits: 0 }
    byPattern.set(pattern, found)
    byTemplate.set(template, found)
    return found
  }

  /** Returns the most frequent patterns of each level, most frequent first. */
  mostFrequent(): Found[] {
    const listed = [...this.#levels.values()].flatMap(({ byPattern }) => {
      this.isCut ||= byPattern.size > MAX_PATTERNS
      return mostFrequent(byPattern.values(), MAX_PATTERNS)
    })
    return mostFrequent(listed, listed.length)
  }
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
    const found = new PatternsByLevel(budgetOf(call))
    for (const window of windowsOf(range, BigInt(stepMs * STEPS_AT_ONCE) * 1_000_000n))
      await eachRow(rowsFor(call).read(plan, window), (row) => found.add(row))
    const data = found.mostFrequent().map(({ pattern, level, samples }) => ({ pattern, level, samples }))
    return json({ status: 'success', ...(found.isCut && { warnings: [CUT] }), data })
  },
})
