import { at, parseDurationNs, span, type Span } from '../../base/index.ts'
import type { ValueTest } from '../../data/index.ts'
import {
  tableNamed,
  wholeScan,
  type Dialect,
  type Expr,
  type FieldPattern,
  type LogicalPlan,
} from '../../plan/index.ts'
import type { FieldRef, Filter, Pipe, Query } from './ast.ts'
import { lowerCustom } from './custom/pipe.ts'
import { filterDefinitions } from './filters/index.ts'
import type { LowerContext } from './lower-context.ts'
import { pipeDefinitions } from './pipes/index.ts'
import { printerOf } from './print/print.ts'
import type { Printer } from './print/printer.ts'

export interface LowerOptions {
  /** Dialect of the query. Default: `native`. */
  readonly dialect?: Dialect | undefined
  /** Current time for relative times, ns. */
  readonly nowNs: bigint
  /**
   * Time zone of dates, times of day and buckets that specify no zone: an IANA name or an offset such as `+02:00`.
   * Default: UTC.
   */
  readonly zone?: string | undefined
  /** Name of the table to read. */
  readonly table: string
  /** Existing tables. `options(domain=…)` may name one of them; any other domain is a kind of data. */
  readonly tables?: Pick<ReadonlySet<string>, 'has'> | undefined
  /**
   * Name of the main text field, used where a column name is needed. Default: `content` in the `native` dialect, `_msg`
   * in `logsql`.
   */
  readonly textField?: string | undefined
}

type FilterLowering = (filter: Filter, context: LowerContext) => Expr
type PipeLowering = (pipe: Pipe, input: LogicalPlan, context: LowerContext) => LogicalPlan

const filters: ReadonlyMap<string, unknown> = new Map(filterDefinitions.map(({ kind, lower: f }) => [kind, f]))
const pipes: ReadonlyMap<string, unknown> = new Map(pipeDefinitions.map(({ kind, lower: f }) => [kind, f]))

/** Options that a subquery inherits from its enclosing queries. */
interface Inherited {
  readonly timeOffsetNs: bigint
  /**
   * Filters of `options(global_filter=…)` of the enclosing queries. Subqueries inside such a filter do not inherit the
   * filter.
   */
  readonly globalFilters: readonly Expr[]
  readonly ignoresRequestRange: boolean
  /**
   * Duration by which `options(range_offset=…)` moves the request's time range into the past, ns. Rows and the times in
   * filters stay unchanged.
   */
  readonly rangeOffsetNs: bigint
}

const nothingInherited: Inherited = {
  timeOffsetNs: 0n,
  globalFilters: [],
  ignoresRequestRange: false,
  rangeOffsetNs: 0n,
}

class Lowering implements LowerContext {
  readonly dialect: Dialect
  readonly nowNs: bigint
  readonly zone: string | undefined
  readonly timeOffsetNs: bigint
  readonly printer: Printer
  readonly #options: LowerOptions
  readonly #textField: string
  /** Filters that `options(global_filter=…)` adds to this query and its subqueries. */
  readonly #globalFilters: readonly Expr[]
  readonly #ignoresRequestRange: boolean
  readonly #rangeOffsetNs: bigint
  /** Table that this query reads, as set by `options(domain=…)`. Subqueries do not inherit it. */
  readonly #table: string

  constructor(options: LowerOptions, inherited: Inherited = nothingInherited, table = options.table) {
    const { timeOffsetNs, globalFilters, ignoresRequestRange, rangeOffsetNs } = inherited
    this.#options = options
    this.#rangeOffsetNs = rangeOffsetNs
    this.#table = table
    this.dialect = options.dialect ?? 'native'
    this.nowNs = options.nowNs
    this.zone = options.zone
    this.timeOffsetNs = timeOffsetNs
    this.printer = printerOf(this.dialect)
    const textField = options.textField ?? (this.dialect === 'native' ? 'content' : '_msg')
    // Another table has its own text field. The empty name represents this field until binding resolves names.
    this.#textField = table === options.table ? textField : ''
    this.#globalFilters = globalFilters
    this.#ignoresRequestRange = ignoresRequestRange
  }

  readonly at = (where: Span): ReturnType<typeof at> => at(where)

  readonly pattern = (field: FieldRef): FieldPattern => {
    const isText = field.parts.length === 1 && field.parts[0] === ''
    return { parts: isText ? [this.#textField] : field.parts }
  }

  readonly name = (field: FieldRef | undefined): string => {
    const name = field?.parts.join('*') ?? ''
    return name === '' ? this.#textField : name
  }

  readonly test = (field: FieldRef | undefined, test: ValueTest, where: Span, isAlternative = false): Expr => ({
    kind: 'field-filter',
    field: field === undefined ? undefined : this.pattern(field),
    request: { kind: 'test', test, isAlternative },
    origin: at(where),
  })

  readonly filter = (filter: Filter): Expr => {
    const lowerOne = filters.get(filter.kind) as FilterLowering
    return lowerOne(filter, this)
  }

  readonly pipe = (pipe: Pipe, input: LogicalPlan): LogicalPlan => {
    if (pipe.kind === 'custom') return lowerCustom(pipe, input, this)
    const lowerOne = pipes.get(pipe.kind) as PipeLowering | undefined
    return lowerOne === undefined ? input : lowerOne(pipe, input, this)
  }

  /** Returns the plan of a subquery, which inherits the options of its enclosing queries. */
  readonly query = (query: Query): LogicalPlan => {
    if (query.options.length === 0) {
      return this.#table === this.#options.table
        ? this.plan(query)
        : new Lowering(this.#options, this.#own()).plan(query)
    }
    const text = (wanted: string): string | undefined => query.options.find(({ name }) => name === wanted)?.value?.text
    const offset = text('time_offset')
    const ignores = text('ignore_global_time_filter')
    const rangeOffset = text('range_offset')
    const inherited: Inherited = {
      timeOffsetNs: offset === undefined ? this.timeOffsetNs : (parseDurationNs(offset) ?? 0n),
      globalFilters: [
        ...this.#globalFilters,
        ...query.options.flatMap(({ filter }) => (filter === undefined ? [] : [this.filter(filter)])),
      ],
      ignoresRequestRange: ignores === undefined ? this.#ignoresRequestRange : ignores.toLowerCase() === 'true',
      rangeOffsetNs: rangeOffset === undefined ? this.#rangeOffsetNs : (parseDurationNs(rangeOffset) ?? 0n),
    }
    const domain = text('domain')
    const table = domain === undefined ? undefined : tableNamed(domain, this.#options.tables)
    return new Lowering(this.#options, inherited, table).plan(query)
  }

  #own(): Inherited {
    return {
      timeOffsetNs: this.timeOffsetNs,
      globalFilters: this.#globalFilters,
      ignoresRequestRange: this.#ignoresRequestRange,
      rangeOffsetNs: this.#rangeOffsetNs,
    }
  }

  plan(query: Query): LogicalPlan {
    const where = query.filter?.span ?? query.span
    const shiftNs = this.timeOffsetNs + this.#rangeOffsetNs
    let plan: LogicalPlan = {
      ...wholeScan(
        { name: this.#table },
        at(query.options.find(({ name }) => name === 'domain')?.value?.span ?? query.span),
      ),
      ...(shiftNs === 0n ? {} : { rangeShiftNs: shiftNs }),
      ...(this.#ignoresRequestRange ? { ignoresRequestRange: true } : {}),
    }
    const written = this.filter(query.filter ?? everything(query.span.start))
    for (const predicate of [...this.#globalFilters, written]) {
      plan = { kind: 'filter', input: plan, predicate, origin: predicate.origin }
    }
    if (this.timeOffsetNs !== 0n) plan = shiftedTime(plan, this.timeOffsetNs, where)
    return query.pipes.reduce((input, pipe) => this.pipe(pipe, input), plan)
  }
}

/** Returns a filter that matches every row. `offset` is its position in a query text without a filter. */
function everything(offset: number): Filter {
  return { kind: 'pattern', parts: ['', ''], field: undefined, span: span(offset, offset) }
}

/**
 * Shifts `_time` of every row forward by `offsetNs`, so that rows of an earlier time range align with the request's
 * range.
 */
function shiftedTime(input: LogicalPlan, offsetNs: bigint, where: Span): LogicalPlan {
  const reads = [{ parts: ['_time'] }]
  return {
    kind: 'apply',
    input,
    fn: 'time_add',
    params: { field: '_time', offsetNs: String(offsetNs) },
    condition: undefined,
    use: { reads, writes: reads, replaces: [] },
    outputs: [],
    isOneToOne: true,
    origin: at(where),
  }
}

/**
 * Converts a parsed query to a plan. Names and filters stay as written until binding resolves them. Throws SluiceError
 * for parts that a plan cannot express. If the query has errors, the plan covers the parsed parts.
 */
export function lower(query: Query, options: LowerOptions): LogicalPlan {
  return new Lowering(options).query(query)
}

/** Converts a parsed filter to a predicate whose names are not yet resolved. */
export function lowerFilter(filter: Filter, options: LowerOptions): Expr {
  return new Lowering(options).filter(filter)
}
