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

/** Definitions that generators use besides the standard language, the same as `createEngine({ extend })` takes. */
export interface GeneratorOptions {
  readonly extend?: Extension | undefined
}

/**
 * Description of the rows that queries are drawn for. By default, the rows are those of `dataSets`, in the table
 * `logs`.
 */
export interface SchemaOptions {
  /**
   * Fields of every table, each with some of its values, or with `text` or `number` if the generators may invent
   * values. If `_time` is one of them, time filters and buckets are drawn around its first value (RFC 3339). Filters on
   * streams and `generate_sequence` are left out, since they need a table of logs. A small share of the queries is
   * invalid, because an earlier pipe has removed a column.
   */
  readonly fields?: Readonly<Record<string, FieldValues>> | undefined
  /**
   * Tables that subqueries and joins may name. By default none is named if `fields` is given, and queries read the
   * first table of their engine.
   */
  readonly tables?: readonly string[] | undefined
}

/** Number of rows of a case. */
export interface RowOptions {
  /** Maximum number of rows, at least 10. Default: 40. */
  readonly maxRows?: number
}

const queryOptions = new Options<GeneratorOptions & SchemaOptions>({
  extend: 'object',
  fields: 'object',
  tables: 'list',
})
const caseOptions = new Options<GeneratorOptions & RowOptions>({ extend: 'object', maxRows: 'number' })

/**
 * A law over one case. The promise resolves to a sentence on how the case breaks the law, or to `undefined` if the law
 * holds. The law loads the rows of the case into the row model, the columnar engine and SQLite. Rejects with a
 * SluiceError if the query of the case cannot be parsed.
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

/**
 * Draws log rows whose values are likely to reveal bugs in rounding, order, case folding and tokenization. Shrinks to
 * fewer rows and fields.
 */
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
 * Draws log queries in parts; `queryText` joins them to a text in either dialect. Over logs, every pipe, filter and
 * function can occur. Throws SluiceError `options/…` for fields and tables that cannot be drawn.
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

/** Draws a log query together with rows. Shrinks to fewer pipes, operands, rows and fields. */
export function logCases(options: GeneratorOptions & RowOptions = {}): Arbitrary<TextCase> {
  caseOptions.check(options, '`logCases`')
  const { extend, maxRows = MAX_ROWS } = options
  return arbitraryOf<TextCase>((random) => {
    const { uses: _, ...query } = generateQuery(random, undefined, extend)
    return { ...query, rows: fuzzRows(random, maxRows) }
  }, smallerTexts)
}

/** Draws the JSON bodies of structured queries. */
export function pipelineBodies(): Arbitrary<{ readonly [member: string]: JsonValue }> {
  return arbitraryOf((random) => generatePipeline(random).body)
}

/** Draws a structured query together with rows. Shrinks to fewer members, rows and fields. */
export function pipelineCases(options: RowOptions = {}): Arbitrary<BodyCase> {
  caseOptions.check(options, '`pipelineCases`')
  const { maxRows = MAX_ROWS } = options
  return arbitraryOf<BodyCase>(
    (random) => ({ body: generatePipeline(random).body, rows: fuzzRows(random, maxRows) }),
    smallerBodies,
  )
}

/** Draws PromQL texts. */
export function metricQueries(): Arbitrary<string> {
  return arbitraryOf((random) => generatePromql(random).text)
}

/** Draws a PromQL range query and the seed of its samples. Shrinks to parts of the expression. */
export function metricCases(): Arbitrary<SamplesCase> {
  return arbitraryOf<SamplesCase>((random) => {
    const { text, startMs, endMs, stepMs } = generatePromql(random)
    return { text, startMs, endMs, stepMs, samples: random.below(2 ** 20) }
  }, smallerMetrics)
}

/** Draws unbound logical plans over the table `logs`, as any front end passes them to `engine.queryPlan`. */
export function plans(): Arbitrary<LogicalPlan> {
  return arbitraryOf((random) => planOfPipeline(generatePipeline(random).body))
}

/** The laws of log queries by name, such as `same-on-every-backend` and `round-trip`. */
export const logLaws = lawsOf<TextCase, Parameters<(typeof oracles)[number]['law']['check']>[0], TextSetting>(
  oracles,
  textDefinition,
)

/** The laws of structured queries by name, such as `json-to-text`. */
export const pipelineLaws = lawsOf<BodyCase, Parameters<(typeof jsonLaws)[number]['law']['check']>[0], undefined>(
  jsonLaws,
  () => pipelineDefinition,
)

/** The laws of metric queries by name, such as `optimized-is-raw` and `range-is-instants`. */
export const metricLaws = lawsOf<SamplesCase, Parameters<(typeof promqlLaws)[number]['check']>[0], undefined>(
  promqlLaws.map((law) => ({ law })),
  () => promqlDefinition,
)

export type { Body }
