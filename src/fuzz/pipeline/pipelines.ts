import { HOUR_NS, always, seededRandom, type Interval, type JsonValue } from '../../base/index.ts'
import type { StoredRow } from '../../data/index.ts'
import { answerNotes, answerOf } from '../answer.ts'
import { MAX_ROWS, fuzzBaseNs, fuzzRows } from '../dataset.ts'
import { fingerprintOf } from '../fingerprint-of.ts'
import { defineFuzzer, type FuzzerDefinition, type Ground } from '../runner/fuzzer.ts'
import type { PipelineCase } from '../oracles/json-law.ts'
import { jsonLaws } from '../oracles/json-laws.ts'
import { planOfPipeline } from './pipeline-plan.ts'
import { generatePipeline, type Body } from './pipeline.ts'
import { fewerFields, fewerRows } from '../runner/shrink-by.ts'
import { rowsOf, rowsToJson } from '../stored-rows.ts'
import { makeSubject, type Subject } from '../subject.ts'

/** The body of a structured query with rows. */
export interface BodyCase {
  readonly body: Body
  readonly rows: readonly StoredRow[]
}

/** Returns a time range for half of the seeds, so that time offsets change the answer. */
function rangeOf(seed: number): Interval {
  return seed % 2 === 0 ? always : { startNs: fuzzBaseNs - 2n * HOUR_NS, endNs: fuzzBaseNs + 200n * HOUR_NS }
}

/**
 * Yields versions of the value without one member or item at any depth, outermost first. Also yields each nested
 * pipeline alone.
 */
function* smallerValues(value: JsonValue): Generator<JsonValue> {
  if (value === null || typeof value !== 'object') return
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[]
    for (let i = 0; i < items.length; i++) yield items.toSpliced(i, 1)
    for (const [i, item] of items.entries()) for (const inner of smallerValues(item)) yield items.with(i, inner)
    return
  }
  const object = value as Body
  for (const name of ['from', 'leftPipeline', 'rightPipeline', 'join', 'union']) {
    const inner = object[name]
    if (inner !== null && typeof inner === 'object') yield inner
  }
  for (const name of Object.keys(object)) {
    const { [name]: _, ...rest } = object
    yield rest
  }
  for (const [name, member] of Object.entries(object)) {
    for (const inner of smallerValues(member)) yield { ...object, [name]: inner }
  }
}

/** Yields smaller versions of a case, the most reduced first. */
export function* smallerBodies({ body, rows }: BodyCase): Generator<BodyCase> {
  for (const fewer of fewerRows(rows)) yield { body, rows: fewer }
  for (const value of smallerValues(body)) yield { body: value as Body, rows }
  for (const fewer of fewerFields(rows)) yield { body, rows: fewer }
}

function over(subject: Subject): Ground<BodyCase, PipelineCase> {
  return {
    prepare: async ({ body }, seed) => {
      const range = rangeOf(seed)
      const plan = planOfPipeline(body)
      const model = await answerOf(() => subject.queryPlan(plan, 'rows', { range, disabledRules: ['*'] }))
      return { body, plan, model, range, subject, random: seededRandom(seed ^ 0x51f15e) }
    },
    close: () => subject.close(),
  }
}

export const pipelineDefinition: FuzzerDefinition<BodyCase, PipelineCase> = {
  name: 'pipelines',
  casesPerBlock: 100,
  laws: jsonLaws,
  block: async (block) => {
    const rows = fuzzRows(seededRandom(block ^ 0x6a50aa), MAX_ROWS)
    return {
      ...over(await makeSubject(rows)),
      draw: (random) => {
        const { body, uses } = generatePipeline(random)
        return { given: { body, rows }, uses }
      },
    }
  },
  ground: async ({ rows }) => over(await makeSubject(rows)),
  show: ({ body }) => JSON.stringify(body),
  smaller: smallerBodies,
  maxShrinks: 1200,
  notes: ({ model }) => answerNotes(model),
  fingerprint: ({ model, subject, plan, range }) =>
    'error' in model ? undefined : fingerprintOf(subject.optimized(plan, { range })),
  write: ({ body, rows }) => ({ body, rows: rowsToJson(rows) }),
  read: (kept) => {
    const { body, rows } = kept as { readonly body: Body; readonly rows: JsonValue }
    return { body, rows: rowsOf(rows) }
  },
}

/** The fuzzer of random structured queries over random rows. */
export const pipelines = defineFuzzer(pipelineDefinition)
