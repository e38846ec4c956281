import type { Arbitrary } from 'fast-check'
import { Options, type JsonValue } from '../base/index.ts'
import type { StoredRow } from '../data/index.ts'
import type { Extension } from '../engine/index.ts'
import type { LogicalPlan } from '../plan/index.ts'
import { arbitraryOf } from './arbitrary.ts'
import { MAX_ROWS, fuzzRows } from './dataset.ts'
import { generateQuery, queryText, type QueryParts } from './log-query.ts'
import { jsonLaws } from './oracles/json-laws.ts'
import { oracles } from './oracles/index.ts'
import { planOfPipeline } from './pipeline/pipeline-plan.ts'
import { generatePipeline, type Body } from './pipeline/pipeline.ts'
import { pipelineDefinition, smallerBodies, type BodyCase } from './pipeline/pipelines.ts'
import { generatePromql, promqlDefinition, promqlLaws, smallerMetrics, type SamplesCase } from './promql/index.ts'
import { checkSchema, schemaOf, type FieldValues } from './schema.ts'
import { lawBreaks, type FuzzerDefinition, type Law } from './runner/index.ts'
import { fewerFields, fewerRows } from './runner/shrink-by.ts'
import { smallerTexts, textDefinition, type TextCase, type TextSetting } from './texts.ts'

export {
  queryText,
  type BodyCase,
  type FieldValues,
  type QueryParts,
  type SamplesCase,
  type TextCase,
  type TextSetting,
}

/** What generators draw beside the standard language: the same definitions that `createEngine({ extend })` takes. */
export interface GeneratorOptions {
  readonly extend?: Extension | undefined
}

/** The rows over which queries are drawn: unless given those of `dataSets` in a table `logs`. */
export interface SchemaOptions {
  /**
   * Fields that every table has, each with some of its values, or `text` or `number` for values of the generators. Time filters
   * and buckets are drawn if `_time` is one of them, around the first of its times (RFC 3339). Streams and
   * `generate_sequence` are left out: they need a table of logs. Few queries are refused, for a column that a pipe before has removed.
   */
  readonly fields?: Readonly<Record<string, FieldValues>> | undefined
  /** Tables that parts of queries name. With `fields` alone none is named: queries read the first table of their engine. */
  readonly tables?: readonly string[] | undefined
}

export interface RowOptions {
  /** Rows at most, at least 10; 40 unless given. */
  readonly maxRows?: number
}

const queryOptions = new Options<GeneratorOptions & SchemaOptions>({
  extend: 'object',
  fields: 'object',
  tables: 'list',
})
const caseOptions = new Options<GeneratorOptions & RowOptions>({ extend: 'object', maxRows: 'number' })

/**
 * A law over a case: resolves to how the case breaks it, in words, or to `undefined` when it holds. It brings the case's rows
 * into the row model, the columnar engine and SQLite. Rejects with SluiceError when the query of the case cannot be read.
 */
export type CheckedLaw<Case, Setting = undefined> = (given: Case, setting?: Setting) => Promise<string | undefined>

function lawsOf<Case, Prepared, Setting>(
  laws: readonly { readonly law: Law<Prepared> }[],
  definition: (setting?: Setting) => Pick<FuzzerDefinition<Case, Prepared>, 'ground'>,
): ReadonlyMap<string, CheckedLaw<Case, Setting>> {
  return new Map(
    laws.map(({ law }) => [law.name, (given, setting) => lawBreaks(definition(setting), law, given)] as const),
  )
}

/** Rows of logs with values at which rounding, order, folding and words go wrong first. Shrinks to fewer rows and fields. */
export function dataSets(options: RowOptions = {}): Arbitrary<readonly StoredRow[]> {
  caseOptions.check(options, '`dataSets`')
  const { maxRows = MAX_ROWS } = options
  return arbitraryOf<readonly StoredRow[]>(
    (random) => fuzzRows(random, maxRows),
    function* smaller(rows) {
      yield* fewerRows(rows)
      yield* fewerFields(rows)
    },
  )
}

/**
 * Log queries in parts, `queryText` of which is a text for either dialect; every pipe, filter and function is drawn over logs. Throws SluiceError
 * `options/…` for fields and tables that cannot be drawn.
 */
export function logQueries(options: GeneratorOptions & SchemaOptions = {}): Arbitrary<QueryParts> {
  queryOptions.check(options, '`logQueries`')
  checkSchema(options, 'logQueries')
  const { extend, fields, tables } = options
  const schema = schemaOf(fields, tables)
  return arbitraryOf<QueryParts>((random) => {
    const { uses: _, ...query } = generateQuery(random, schema.baseNs, extend, schema)
    return query
  })
}

/** A log query over rows. Shrinks to fewer pipes, operands, rows and fields. */
export function logCases(options: GeneratorOptions & RowOptions = {}): Arbitrary<TextCase> {
  caseOptions.check(options, '`logCases`')
  const { extend, maxRows = MAX_ROWS } = options
  return arbitraryOf<TextCase>((random) => {
    const { uses: _, ...query } = generateQuery(random, undefined, extend)
    return { ...query, rows: fuzzRows(random, maxRows) }
  }, smallerTexts)
}

/** Bodies of structured queries. */
export function pipelineBodies(): Arbitrary<{ readonly [member: string]: JsonValue }> {
  return arbitraryOf((random) => generatePipeline(random).body)
}

/** A structured query over rows. Shrinks to fewer members, rows and fields. */
export function pipelineCases(options: RowOptions = {}): Arbitrary<BodyCase> {
  caseOptions.check(options, '`pipelineCases`')
  const { maxRows = MAX_ROWS } = options
  return arbitraryOf<BodyCase>(
    (random) => ({ body: generatePipeline(random).body, rows: fuzzRows(random, maxRows) }),
    smallerBodies,
  )
}

/** PromQL texts. */
export function metricQueries(): Arbitrary<string> {
  return arbitraryOf((random) => generatePromql(random).text)
}

/** A PromQL range query over samples of a seed. Shrinks to parts of the expression. */
export function metricCases(): Arbitrary<SamplesCase> {
  return arbitraryOf<SamplesCase>((random) => {
    const { text, startMs, endMs, stepMs } = generatePromql(random)
    return { text, startMs, endMs, stepMs, samples: random.below(2 ** 20) }
  }, smallerMetrics)
}

/** Logical plans over the table `logs`, names unresolved: what any front end hands to `engine.queryPlan`. */
export function plans(): Arbitrary<LogicalPlan> {
  return arbitraryOf((random) => planOfPipeline(generatePipeline(random).body))
}

/** Laws of log queries by name, such as `same-on-every-backend` and `round-trip`. */
export const logLaws = lawsOf<TextCase, Parameters<(typeof oracles)[number]['law']['check']>[0], TextSetting>(
  oracles,
  textDefinition,
)

/** Laws of structured queries by name, such as `json-to-text`. */
export const pipelineLaws = lawsOf<BodyCase, Parameters<(typeof jsonLaws)[number]['law']['check']>[0], undefined>(
  jsonLaws,
  () => pipelineDefinition,
)

/** Laws of metric queries by name, such as `optimized-is-raw` and `range-is-instants`. */
export const metricLaws = lawsOf<SamplesCase, Parameters<(typeof promqlLaws)[number]['check']>[0], undefined>(
  promqlLaws.map((law) => ({ law })),
  () => promqlDefinition,
)

export type { Body }
