import { EXCERPT_CHARS, throwIfErrors } from '../../../base/index.ts'
import { Labels, toNumber, toText, type LabelPair, type Row } from '../../../data/index.ts'
import { Planner } from '../../../engine/index.ts'
import { parse, type Filter, type PipeKind, type Query } from '../../../lang/log/index.ts'
import { inputs, renamed, type LogicalPlan } from '../../../plan/index.ts'
import { ruleFailure } from '../diagnostics.ts'
import type { RuleResult, RuleSample } from '../queries.ts'

/** The label that names the result of `stats` that a series has the values of. */
const RESULT_LABEL = 'stats_result'

/** A log query of a rule: the columns of its rows, and whether it selects a time range itself. */
export interface LogRule {
  /** Columns that are labels. */
  readonly keys: readonly string[]
  /** Columns with values; each is a series of its own. */
  readonly results: readonly string[]
  readonly hasTimeFilter: boolean
}

/** Whether a filter bounds the time of all rows, such as `_time:5m` at its top. */
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

/** Pipes that may follow `stats`: each row remains one label set. */
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

/** Returns the grouping columns of the last `stats` under their final names. */
function keysOf(plan: LogicalPlan): readonly string[] {
  if (plan.kind === 'aggregate') return plan.keys.map(({ name }) => name)
  const keys = inputs(plan).flatMap(keysOf)
  if (plan.kind !== 'rename' || plan.isCopy) return keys
  return keys.map((key) => plan.steps.reduce((name, step) => renamed(step, name) ?? name, key))
}

/** Reads the log query of a rule in the dialect `logsql`. Throws SluiceError. */
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
  // `avg` of nothing.
  if (text === 'NaN') return NaN
  throw ruleFailure('not-a-number', { name, value: text.slice(0, EXCERPT_CHARS) })
}

/** Returns a sample for each result of each row; a missing value is no sample. Throws SluiceError for other values. */
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
