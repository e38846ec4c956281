import { DAY_NS, always, present, seededRandom, type Interval, type JsonValue, type Random } from '../../base/index.ts'
import { rowsBackend, type Backend } from '../../backends/index.ts'
import { columnarBackend } from '../../backends/columnar/index.ts'
import { foreignTables, type TableMapping } from '../../backends/sql/index.ts'
import type { StoredRow } from '../../data/index.ts'
import { PlanEngine, type QueryOptions } from '../../engine/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import { inputs, subqueries, visit, type Catalog, type LogicalPlan, type TableDefinition } from '../../plan/index.ts'
import { combineScopes } from '../../policy/scope/index.ts'
import type { DataScope } from '../../policy/index.ts'
import { answerNotes, answerOf, difference, type EngineAnswer } from '../answer.ts'
import { fuzzData, fuzzBaseNs } from '../dataset.ts'
import { generateQuery, queryText, type QueryParts } from '../log-query.ts'
import { planOfPipeline } from '../pipeline/pipeline-plan.ts'
import { generatePipeline, type Body } from '../pipeline/pipeline.ts'
import { smallerBodies } from '../pipeline/pipelines.ts'
import { defineFuzzer, type Fuzzer, type Ground, type Law } from '../runner/fuzzer.ts'
import { fewerFields, fewerRows } from '../runner/shrink-by.ts'
import { drawScopes, type PolicyJson } from '../scope/policies.ts'
import { passing } from '../scope/visible.ts'
import { rowsOf, rowsToJson } from '../stored-rows.ts'
import { smallerTexts } from '../texts.ts'
import { drawLayout, lay, mappedAttributes, mappedFields, unitOf, type Layout } from './layout.ts'
import type { MadeTable, OpenTestbed, Testbed } from './testbed.ts'

/** A query as text, or as the body of a structured query. */
export type ForeignQuestion = { readonly query: QueryParts } | { readonly body: Body }

/** A question over rows in a table of another database, with or without policies. */
export interface ForeignCase {
  readonly question: ForeignQuestion
  readonly rows: readonly StoredRow[]
  readonly layout: number
  readonly policies: readonly PolicyJson[]
}

interface Prepared {
  readonly model: EngineAnswer
  readonly answer: EngineAnswer
  readonly sums: FloatSums
  readonly isUnderPolicies: boolean
  /** True if the database ran the whole query. */
  readonly isWhole: boolean
}

/** Effect of floating-point sums, which the database computes, on the answer of a question. */
interface FloatSums {
  /** Tolerated difference of a number: 1e-9 of the sum of absolute values; 0 without sums. */
  readonly tolerance: number
  /**
   * True if a sum decides which rows are returned or their order. Then a difference in the sum's last digit may change
   * the answer.
   */
  readonly decide: boolean
}

/** The rows in one table of the database, and the visible rows in the row model. */
export interface World {
  readonly definition: TableDefinition
  readonly catalog: Catalog
  readonly backend: Backend
  readonly engine: PlanEngine
  readonly seen: readonly StoredRow[]
}

export const TABLE = 'logs'
const NOW_NS = fuzzBaseNs + 3_600_000_000_000n
const POLICY_SHARE = 0.25
const TEXT_FIELD = 'content'
const STREAM_FIELDS = ['namespace', 'workload']

async function mappingOf(
  layout: Layout,
  { engine, source }: MadeTable,
  words: TableMapping['words'],
): Promise<TableMapping> {
  const described = new Map((await engine.describe(source)).map(({ name, type }) => [name, type]))
  const nativeType = (column: string): string => described.get(column) ?? ''
  const { timeColumn, timeKind, tieBreak } = layout
  return {
    name: TABLE,
    source,
    time: {
      field: '_time',
      column: timeColumn,
      nativeType: nativeType(timeColumn),
      isNullable: false,
      unit: unitOf(timeKind),
    },
    textField: TEXT_FIELD,
    streamFields: STREAM_FIELDS,
    fields: mappedFields(layout, nativeType),
    attributes: mappedAttributes(layout),
    tieBreak: [tieBreak],
    domain: 'logs',
    words,
  }
}

const limits = { timeoutMs: 120_000 }

function engineOver(backend: Backend, upper: Backend, catalog: Catalog, batchRows?: number): PlanEngine {
  const own = batchRows === undefined ? limits : { ...limits, batchRows }
  return new PlanEngine({ catalog, backends: [backend], upper, lint: 'off', limits: own })
}

/**
 * Names of two tables: the table of a block, and the table of a single case, which is reduced while the block stays.
 * Both names need quotes in SQL.
 */
export const tableNames = { block: 'fuzz; "logs"', alone: 'fuzz logs' } as const

export interface WorldOptions {
  /** True if a row is in the table; by default every row is. */
  readonly isIn?: (row: number) => boolean
  readonly batchRows?: number
  /** Replaces the backend; tests use it to plant a fault. */
  readonly plant?: (backend: Backend) => Backend
}

export async function worldOf(
  rows: readonly StoredRow[],
  layoutSeed: number,
  name: string,
  { types, words }: Testbed,
  open: OpenTestbed,
  { isIn = () => true, batchRows, plant = (backend) => backend }: WorldOptions = {},
): Promise<World> {
  const layout = drawLayout(seededRandom(layoutSeed), types)
  const laid = lay(rows, layout, types)
  const kept = <T>(list: readonly T[]): readonly T[] => list.filter((_, i) => isIn(i))
  const hasWords = layoutSeed % 2 === 0
  const text = layout.storages.find(({ field }) => field === TEXT_FIELD)?.column
  const wordsOf = hasWords ? text : undefined
  const made = await open.create({ name, wordsOf, columns: laid.columns, rows: kept(laid.physical) })
  const mapping = await mappingOf(layout, made, hasWords ? (made.words ?? words) : undefined)
  const { backend, definitions } = foreignTables(made.engine, [mapping])
  const definition = present(definitions[0])
  const catalog: Catalog = { tables: new Map([[TABLE, definition]]), defaultTable: TABLE }
  const upper = columnarBackend({ tables: new Map() }, standardFunctions)
  const engine = engineOver(plant(backend), upper, catalog, batchRows)
  return { definition, catalog, backend, engine, seen: kept(laid.seen) }
}

export function scopeOf(policies: readonly PolicyJson[], catalog: Catalog): DataScope | undefined {
  return policies.length === 0 ? undefined : combineScopes(policies, { catalog, functions: standardFunctions })
}

/** Answers a question with the row model over the rows that a caller sees. */
async function modelOf(plan: () => LogicalPlan, options: ForeignOptions, world: World): Promise<EngineAnswer> {
  const { catalog, definition, seen } = world
  const passes = await passing(options.scope?.(TABLE), definition, seen)
  const visible = seen.filter((_, i) => passes[i] === true)
  const model = rowsBackend(new Map([[TABLE, visible]]), standardFunctions)
  const { scope: _, ...rest } = options
  return answerOf(() => engineOver(model, model, catalog).queryPlan(plan(), { ...rest, disabledRules: ['*'] }))
}

/** Returns the time range of a query. A third of the tables get a year, so that calendar buckets and zones matter. */
function rangeOf(layout: number): Interval {
  return layout % 3 === 1 ? { startNs: fuzzBaseNs - 30n * DAY_NS, endNs: fuzzBaseNs + 330n * DAY_NS } : always
}

/** Query options with the scope of policies. */
export type ForeignOptions = QueryOptions & { readonly scope?: DataScope }

export function optionsOf({ question, layout }: ForeignCase, scope: DataScope | undefined): ForeignOptions {
  const dialect = 'query' in question ? (question.query.dialect ?? 'native') : 'native'
  return { nowNs: NOW_NS, range: rangeOf(layout), dialect, ...(scope === undefined ? {} : { scope }) }
}

export function planOf({ question }: ForeignCase, engine: PlanEngine, options: QueryOptions): LogicalPlan {
  return 'query' in question
    ? engine.planOfText(queryText(question.query), options).plan
    : planOfPipeline(question.body)
}

async function prepared(given: ForeignCase, world: World): Promise<Prepared> {
  const { engine, backend, seen } = world
  const scope = scopeOf(given.policies, world.catalog)
  const options = optionsOf(given, scope)
  // The plan is made once, since parsing takes as long as answering.
  const plan = onceOrThrow(() => planOf(given, engine, options))
  const model = await modelOf(plan, options, world)
  const answer = await answerOf(() => engine.queryPlan(plan(), options))
  const isWhole = !('error' in model) && backend.accept(engine.compilePlan(plan(), options).optimized).kind === 'whole'
  const isRefused = 'error' in answer && answer.error === 'engine/unsupported-node' && readsRecords(plan())
  // PostgreSQL reports an error for a sum beyond the range of floats.
  const isBeyond = 'error' in answer && answer.error === 'foreign/out-of-range'
  const sums: FloatSums =
    'error' in model || backend.name === 'sqlite' ? { tolerance: 0, decide: false } : floatSumsOf(plan(), seen)
  return {
    model,
    answer: isRefused || (isBeyond && sums.tolerance > 0) ? model : answer,
    sums,
    isUnderPolicies: scope !== undefined,
    isWhole,
  }
}

/** Computes a value on first use. If this throws, each later call throws the same error. */
function onceOrThrow<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

const SUMS = new Set(['sum', 'avg'])
/** Plan nodes that pass values on and do not compare or compute with them. */
const SHOWING = new Set<LogicalPlan['kind']>(['project', 'rename', 'limit'])

function hasSums(plan: LogicalPlan): boolean {
  let found = false
  visit(plan, (node) => {
    if (node.kind === 'aggregate') found ||= node.aggregates.some(({ call }) => SUMS.has(call.fn))
    if (node.kind === 'window') found ||= node.calls.some(({ call }) => SUMS.has(call.fn))
  })
  return found
}

function floatSumsOf(plan: LogicalPlan, seen: readonly StoredRow[]): FloatSums {
  if (!hasSums(plan)) return { tolerance: 0, decide: false }
  const values = seen.flatMap(({ row }) => [...row.values()]).filter((value) => typeof value === 'number')
  const size = values.reduce((sum, value) => sum + (Number.isFinite(value) ? Math.abs(value) : 0), 0)
  let node = plan
  while (SHOWING.has(node.kind)) node = present(inputs(node)[0])
  return { tolerance: 1e-9 * size, decide: inputs(node).some(hasSums) || subqueries(node).some(hasSums) }
}

/**
 * True if a plan reads stored records. They are available only in the database, so running such a plan on rows that
 * have left the database is an error.
 */
function readsRecords(plan: LogicalPlan): boolean {
  let found = false
  visit(plan, (node) => {
    found ||= node.kind === 'sample' || node.kind === 'table-apply'
  })
  return found
}

const sameAnswer: Law<Prepared> = {
  name: 'same-in-the-engine',
  check: ({ model, answer, sums, isUnderPolicies }) => {
    const found = difference(model, answer, sums.tolerance)
    if (found === undefined || sums.decide) return undefined
    return `the model${isUnderPolicies ? ' over the visible rows' : ''} and the engine differ: ${found}`
  },
}

export function drawQuestion(random: Random): {
  readonly question: ForeignQuestion
  readonly uses: ReadonlySet<string>
} {
  if (random.next() < 0.65) {
    const { uses, ...query } = generateQuery(random)
    return { question: { query }, uses }
  }
  const { body, uses } = generatePipeline(random)
  return { question: { body }, uses }
}

export function* smaller(given: ForeignCase): Generator<ForeignCase> {
  const { question, rows, policies } = given
  for (let i = 0; i < policies.length; i++) yield { ...given, policies: policies.toSpliced(i, 1) }
  for (const fewer of fewerRows(rows)) yield { ...given, rows: fewer }
  if ('query' in question) {
    const { rows: _, ...query } = { ...question.query, rows }
    for (const each of smallerTexts({ ...query, rows: [] })) {
      const { rows: none, ...smallerQuery } = each
      if (none.length === 0) yield { ...given, question: { query: smallerQuery } }
    }
  } else for (const { body } of smallerBodies({ body: question.body, rows: [] })) yield { ...given, question: { body } }
  for (const fewer of fewerFields(rows)) yield { ...given, rows: fewer }
}

export function shown({ question, policies, layout }: ForeignCase): string {
  const asked = 'query' in question ? queryText(question.query) : JSON.stringify(question.body)
  const dialect = 'query' in question && question.query.dialect === 'logsql' ? ' (logsql)' : ''
  return `${asked}${dialect}, layout ${layout}${policies.length === 0 ? '' : ` under ${JSON.stringify(policies)}`}`
}

export function write({ question, rows, layout, policies }: ForeignCase): JsonValue {
  return { question, rows: rowsToJson(rows), layout, policies } as unknown as JsonValue
}

export function read(kept: JsonValue): ForeignCase {
  const { rows, ...rest } = kept as unknown as Omit<ForeignCase, 'rows'> & { readonly rows: JsonValue }
  return { ...rest, rows: rowsOf(rows) }
}

/** Wraps a testbed so that it is opened on first use, and opened again after it was closed. */
export function sharedTestbed(testbed: Testbed): {
  readonly open: () => Promise<OpenTestbed>
  readonly missing: () => Promise<string | undefined>
  readonly end: () => Promise<void>
} {
  let opened: Promise<OpenTestbed | undefined> | undefined
  return {
    open: async () => {
      const found = await (opened ??= testbed.open())
      if (found === undefined) throw new Error(`${testbed.name} ${testbed.advice}`)
      return found
    },
    missing: async () => {
      opened ??= testbed.open()
      return (await opened) === undefined ? testbed.advice : undefined
    },
    end: async () => {
      const found = await opened
      opened = undefined
      await found?.close()
    },
  }
}

/** Returns the fuzzer of another database: random questions over random rows in tables of different layouts. */
export function foreignFuzzer(testbed: Testbed): Fuzzer {
  const { open, missing, end } = sharedTestbed(testbed)
  const over = (world: World): Ground<ForeignCase, Prepared> => ({ prepare: (given) => prepared(given, world) })
  return defineFuzzer<ForeignCase, Prepared>({
    name: testbed.name,
    group: 'foreign',
    casesPerBlock: 100,
    laws: [{ law: sameAnswer, share: 1 }],
    missing,
    end,
    block: async (block, { minRows }) => {
      const { rows } = fuzzData(seededRandom(block ^ 0xf04e16), minRows)
      const world = await worldOf(rows, block, tableNames.block, testbed, await open())
      return {
        ...over(world),
        draw: (random) => {
          const { question, uses } = drawQuestion(random)
          const policies = random.next() < POLICY_SHARE ? drawScopes(random, world.seen, 'logs') : []
          return { given: { question, rows, layout: block, policies }, uses }
        },
      }
    },
    ground: async ({ rows, layout }) => over(await worldOf(rows, layout, tableNames.alone, testbed, await open())),
    show: shown,
    smaller,
    notes: ({ model, isWhole, isUnderPolicies }) => [
      ...answerNotes(model),
      ...(isWhole ? ['whole in the engine'] : []),
      ...(isUnderPolicies ? ['under policies'] : []),
    ],
    write,
    read,
  })
}
