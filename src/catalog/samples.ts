import { BUDGET_WATCH_MS, MS_NS, SluiceError, clampNs, formatRfc3339, nowhere, type Interval } from '../base/index.ts'
import {
  Instant,
  Labels,
  METRIC_NAME,
  compareLabels,
  isEmptyValue,
  toText,
  type Row,
  type ValueTest,
} from '../data/index.ts'
import type { Engine } from '../engine/index.ts'
import { DEFAULT_LIMIT_SAMPLES } from '../engine/metrics/index.ts'
import { failSeries } from '../functions/series/index.ts'
import {
  and,
  column,
  conjunction,
  disjunction,
  not,
  test,
  wholeScan,
  type ExplainTree,
  type Expr,
  type LogicalPlan,
  type TableDefinition,
} from '../plan/index.ts'
import { printMatcher, type LabelMatcher, type LabelPredicate } from '../plan/series/index.ts'
import {
  compileMatcher,
  compilePredicate,
  type MetadataRequest,
  type SampleExplanation,
  type SampleRequest,
  type SampleSource,
  type SeriesSamples,
} from '../store/index.ts'
import { catalogDiagnostic } from './diagnostics.ts'
import { readRows } from '../engine/index.ts'

/** A table whose rows are metric samples. Every field except time and value is a label. */
export interface SeriesTable {
  /** The name of the table in queries. */
  readonly table: string
  /** The field that contains the metric name. */
  readonly nameField: string
  /** The field that contains the value of the sample. */
  readonly valueField: string
}

function textTest(value: string): ValueTest {
  return value === '' ? { kind: 'empty' } : { kind: 'equals', value, isFolded: false, isTyped: false }
}

/**
 * Converts a matcher to a condition that every matching row satisfies; `undefined` if the matcher cannot be tested on
 * rows.
 */
function conditionOf(
  matcher: LabelMatcher,
  table: SeriesTable,
  { schema, timeField }: TableDefinition,
): Expr | undefined {
  const { label, op, value } = matcher
  const name = label === METRIC_NAME ? table.nameField : label
  if (label === timeField || label === table.valueField || label === table.nameField) return undefined
  // No row can have this label, so its value is the empty string.
  if (!schema.isOpen && !schema.fields.some((field) => field.name === name))
    return compileMatcher(matcher)('') ? undefined : disjunction([])
  switch (op) {
    case '=':
      return test(column(name), textTest(value))
    case '!=':
      return not(test(column(name), textTest(value)))
    case '=~':
    case '!~': {
      const matches = compileMatcher({ label, op: '=~', value })
      // In conditions a dot matches any character, newlines included, as it does in matchers.
      const pattern: ValueTest = { kind: 'regexp', pattern: `^(?:${value})$`, isFolded: false }
      if (op === '!~') return not(test(column(name), pattern))
      const found = test(column(name), pattern)
      return matches('') ? disjunction([test(column(name), { kind: 'empty' }), found]) : found
    }
  }
}

/**
 * Converts a guard to a condition that every permitted row satisfies. The condition may admit further rows; the guard
 * itself is tested on the labels afterwards.
 */
function guardCondition(guard: LabelPredicate, table: SeriesTable, definition: TableDefinition): Expr | undefined {
  if (guard.kind === 'matcher') return conditionOf(guard.matcher, table, definition)
  const parts = guard.args.map((arg) => guardCondition(arg, table, definition))
  const known = parts.filter((part) => part !== undefined)
  if (guard.kind === 'all') return known.length === 0 ? undefined : and(known)
  if (guard.kind === 'none-of') return undefined
  return known.length < parts.length || known.length === 0 ? undefined : disjunction(known)
}

/** Returns the interval from `startMs` (excluded) to `endMs` (included), in whole milliseconds. */
function rangeOf(startMs: number, endMs: number): Interval {
  const ns = (ms: number): bigint => clampNs(BigInt(Math.floor(Math.max(-9e15, Math.min(9e15, ms)))) * MS_NS)
  return { startNs: ns(startMs + 1), endNs: ns(endMs + 1) }
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : undefined
}

const AGAIN = 'rows become samples here, and all matchers are tested again on their labels'

function timesNote(startMs: number, endMs: number): string {
  const { startNs, endNs } = rangeOf(startMs, endMs)
  return `samples from ${formatRfc3339(startNs, true)} to before ${formatRfc3339(endNs, true)}`
}

interface Gathered {
  readonly labels: Labels
  readonly samples: Map<number, number>
}

/**
 * Metric samples from tables of an engine. Matchers, the caller's guard and the time range become conditions of a
 * query, which the database tests as far as it can. All are tested again on the labels. Values are numbers; such tables
 * have no staleness markers or histograms.
 */
export class TableSamples implements SampleSource {
  readonly #engine: Engine
  readonly #tables: readonly SeriesTable[]

  constructor(engine: Engine, tables: readonly SeriesTable[]) {
    this.#engine = engine
    this.#tables = tables
  }

  async select(request: SampleRequest): Promise<readonly SeriesSamples[]> {
    const { matchers, guard, startMs, endMs } = request
    const tests = matchers.map((matcher) => ({ label: matcher.label, matches: compileMatcher(matcher) }))
    const isVisible = guard === undefined ? () => true : compilePredicate(guard)
    const series = new Map<string, Gathered>()
    const passes = new Map<string, boolean>()
    let count = 0
    for (const table of this.#tables) {
      const definition = this.#definition(table)
      const { timeField } = definition
      const filter = matchers.flatMap((each) => conditionOf(each, table, definition) ?? [])
      const plan = this.#plan(table, [filter], guard, rangeOf(startMs, endMs))
      const rows = this.#rows(plan, request.checkpoint)
      for await (const row of rows) {
        const time = row.get(timeField)
        const value = numberOf(row.get(table.valueField))
        if (!(time instanceof Instant) || value === undefined) continue
        const labels = labelsOf(row, table, timeField)
        let isWanted = passes.get(labels.key)
        if (isWanted === undefined) {
          isWanted = isVisible(labels) && tests.every(({ label, matches }) => matches(labels.get(label)))
          passes.set(labels.key, isWanted)
        }
        if (!isWanted) continue
        let known = series.get(labels.key)
        if (known === undefined) series.set(labels.key, (known = { labels, samples: new Map() }))
        const { ns } = time
        const timeMs = Number(ns / MS_NS) - (ns % MS_NS < 0n ? 1 : 0)
        // Rows come newest first, so of several samples at one instant the one stored last is used.
        if (known.samples.has(timeMs)) continue
        known.samples.set(timeMs, value)
        if (++count > DEFAULT_LIMIT_SAMPLES) failSeries('too-many-samples', { limit: DEFAULT_LIMIT_SAMPLES }, nowhere)
      }
    }
    return [...series.values()].map(columnsOf).toSorted((a, b) => compareLabels(a.labels, b.labels))
  }

  async series({ filters, guard, startMs, endMs }: MetadataRequest): Promise<readonly Labels[]> {
    const tests = filters.map((filter) => filter.map((each) => ({ label: each.label, matches: compileMatcher(each) })))
    const isVisible = guard === undefined ? () => true : compilePredicate(guard)
    const found = new Map<string, Labels>()
    for (const table of this.#tables) {
      const definition = this.#definition(table)
      const { timeField } = definition
      const conditions = filters.map((filter) => filter.flatMap((each) => conditionOf(each, table, definition) ?? []))
      const plan = this.#plan(table, conditions, guard, rangeOf(startMs - 1, endMs))
      for await (const row of this.#rows(plan && this.#distinct(plan, table), undefined)) {
        const labels = labelsOf(row, table, timeField)
        if (found.has(labels.key) || !isVisible(labels)) continue
        const passes = tests.some((filter) => filter.every(({ label, matches }) => matches(labels.get(label))))
        if (tests.length === 0 || passes) found.set(labels.key, labels)
      }
    }
    return [...found.values()].toSorted(compareLabels)
  }

  /** Returns the query over each table, and the matchers that can only be tested on labels. */
  explain({ matchers, guard, startMs, endMs }: SampleRequest): SampleExplanation {
    const notes = [timesNote(startMs, endMs), AGAIN]
    // Shows no statements, since they would reveal the data scope to a restricted caller.
    if (guard !== undefined) return { notes: [...notes, 'under a data scope its statements are not shown'], inputs: [] }
    const inputs: ExplainTree[] = []
    for (const table of this.#tables) {
      const definition = this.#definition(table)
      const conditions = matchers.map((matcher) => ({ matcher, condition: conditionOf(matcher, table, definition) }))
      for (const { matcher, condition } of conditions)
        if (condition === undefined)
          notes.push(`${printMatcher(matcher)} is no condition on rows of \`${table.table}\``)
      const filter = conditions.flatMap(({ condition }) => condition ?? [])
      const plan = this.#plan(table, [filter], undefined, rangeOf(startMs, endMs))
      if (plan !== undefined) inputs.push(this.#engine.queryPlan(plan, { lint: 'off' }).explain())
    }
    return { notes, inputs }
  }

  #definition({ table }: SeriesTable): TableDefinition & { readonly timeField: string } {
    const definition = this.#engine.catalog.tables.get(table)
    const timeField = definition?.timeField
    if (definition === undefined || timeField === undefined)
      throw new SluiceError([catalogDiagnostic('no-time', { table, candidates: [] }, nowhere)])
    return { ...definition, timeField }
  }

  /** Reduces the rows to one per label set. The database does this if the names of all labels are known. */
  #distinct(plan: LogicalPlan, table: SeriesTable): LogicalPlan {
    const { schema, timeField } = this.#definition(table)
    if (schema.isOpen) return plan
    const labels = schema.fields.filter(({ name }) => name !== timeField && name !== table.valueField)
    const keys = labels.map(({ name, type }) => ({ name, expr: column(name), type }))
    return { kind: 'aggregate', input: plan, keys, aggregates: [], origin: nowhere }
  }

  /** Returns a plan for the rows that match any of the filters, newest first; `undefined` if no row can match. */
  #plan(
    table: SeriesTable,
    filters: readonly (readonly Expr[])[],
    guard: LabelPredicate | undefined,
    range: Interval,
  ): LogicalPlan | undefined {
    const definition = this.#definition(table)
    if (range.startNs >= range.endNs) return undefined
    const visible = guard && guardCondition(guard, table, definition)
    const isFiltered = filters.length > 0 && filters.every((filter) => filter.length > 0)
    const wanted = isFiltered ? [disjunction(filters.map((filter) => conjunction(filter)))] : []
    const predicates = [...(visible === undefined ? [] : [visible]), ...wanted]
    const scan: LogicalPlan = { ...wholeScan({ name: table.table, schema: definition.schema }), range }
    return predicates.length === 0
      ? scan
      : { kind: 'filter', input: scan, predicate: conjunction(predicates), origin: nowhere }
  }

  async *#rows(plan: LogicalPlan | undefined, checkpoint: (() => void) | undefined): AsyncIterable<Row> {
    if (plan === undefined) return
    // Aborts the statement when the query that reads the samples ends.
    const controller = new AbortController()
    let ended: unknown
    const timer = setInterval(() => {
      try {
        checkpoint?.()
      } catch (error) {
        ended = error
        controller.abort()
      }
    }, BUDGET_WATCH_MS)
    try {
      yield* readRows(this.#engine.queryPlan(plan, { lint: 'off', signal: controller.signal }).batches())
    } catch (error) {
      throw ended ?? error
    } finally {
      clearInterval(timer)
      controller.abort()
    }
  }
}

function labelsOf(row: Row, { nameField, valueField }: SeriesTable, timeField: string): Labels {
  const pairs: [string, string][] = []
  for (const [name, value] of row) {
    if (name === timeField || name === valueField || isEmptyValue(value)) continue
    pairs.push([name === nameField ? METRIC_NAME : name, toText(value)])
  }
  return Labels.from(pairs)
}

function columnsOf({ labels, samples }: Gathered): SeriesSamples {
  const timesMs = Float64Array.from(samples.keys()).sort()
  return {
    labels,
    timesMs,
    values: timesMs.map((timeMs) => samples.get(timeMs) ?? NaN),
    staleness: undefined,
    histograms: undefined,
    startTimesMs: undefined,
  }
}
