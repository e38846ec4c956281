import { EXCERPT_CHARS, throwIfErrors } from '../../../base/index.ts'
import { Labels, toNumber, toText, type LabelPair, type Row } from '../../../data/index.ts'
import { Planner } from '../../../engine/index.ts'
import { parse, type Filter, type PipeKind, type Query } from '../../../lang/log/index.ts'
import { inputs, renamed, type LogicalPlan } from '../../../plan/index.ts'
import { ruleFailure } from '../diagnostics.ts'
import type { RuleResult, RuleSample } from '../queries.ts'

/** Label that names the `stats` result from which a series comes. */
const RESULT_LABEL = 'stats_result'

/** A log query of a rule: its result columns, and whether it has a time filter. */
export interface LogRule {
  /** Columns that are labels. */
  readonly keys: readonly string[]
  /** Columns with values, each of which becomes a series. */
  readonly results: readonly string[]
  readonly hasTimeFilter: boolean
}

/** True if a filter limits the time of all rows, such as `_time:5m` at its top level. */
function hasTimeFilter(filter: Filter | undefined): boolean {
  switch (filter?.kind) {
    case 'time':
      return true
    case 'and':
    case 'or':
      return filter.args.some(hasTimeFilter)
    case 'not':
    case 'group':
      return hasTimeFilter(filter.arg)
    default:
      return false
  }
}

/** Pipes that may follow `stats`, because each row stays one label set. */
const AFTER_STATS: ReadonlySet<PipeKind> = new Set<PipeKind>([
  'filter',
  'sort',
  'first',
  'last',
  'limit',
  'offset',
  'math',
  'fields',
  'delete',
  'copy',
  'rename',
])

function endsWithStats({ pipes }: Query): boolean {
  const last = pipes.findLastIndex(({ kind }) => kind === 'stats')
  return last !== -1 && pipes.slice(last + 1).every(({ kind }) => AFTER_STATS.has(kind))
}

/** Returns the output names of the grouping columns of the last `stats`. */
function keysOf(plan: LogicalPlan): readonly string[] {
  if (plan.kind === 'aggregate') return plan.keys.map(({ name }) => name)
  const keys = inputs(plan).flatMap(keysOf)
  if (plan.kind !== 'rename' || plan.isCopy) return keys
  return keys.map((key) => plan.steps.reduce((name, step) => renamed(step, name) ?? name, key))
}

/** Parses the log query of a rule in the dialect `logsql`. Throws SluiceError. */
export function readLogRule(text: string): LogRule {
  const { ast, diagnostics } = parse(text, { dialect: 'logsql' })
  throwIfErrors(diagnostics)
  if (!endsWithStats(ast)) throw ruleFailure('no-stats', {})
  const { bound, schema } = new Planner({ lint: 'off' }).plan(text, { dialect: 'logsql' })
  const keys = keysOf(bound)
  const names = schema.fields.map(({ name }) => name)
  return {
    keys: names.filter((name) => keys.includes(name)),
    results: names.filter((name) => !keys.includes(name)),
    hasTimeFilter: hasTimeFilter(ast.filter),
  }
}

function numberOf(name: string, row: Row): number | undefined {
  const value = row.get(name) ?? null
  if (value === null) return undefined
  const number = toNumber(value)
  if (number !== undefined) return Number(number)
  const text = toText(value)
  // `avg` over no rows returns NaN.
  if (text === 'NaN') return NaN
  throw ruleFailure('not-a-number', { name, value: text.slice(0, EXCERPT_CHARS) })
}

/**
 * Returns a sample for each result column of each row. Missing values are skipped. Throws SluiceError for values that
 * are not numbers.
 */
export function samplesOfRows({ keys, results }: LogRule, rows: readonly Row[]): RuleResult {
  const samples: RuleSample[] = []
  for (const row of rows) {
    const labels = keys.map((key): LabelPair => [key, toText(row.get(key) ?? null)])
    for (const result of results) {
      const value = numberOf(result, row)
      if (value !== undefined) samples.push({ labels: Labels.from([...labels, [RESULT_LABEL, result]]), value })
    }
  }
  return samples
}
