import { SluiceError, spanOf, type JsonValue } from '../../base/index.ts'
import { checkMonitor } from '../../alerting/index.ts'
import {
  evaluateMonitor,
  initialRecord,
  monitorDefinition,
  runQueries,
  runTemplateQuery,
  type MonitorDefinition,
  type MonitorRecord,
  type MonitorStep,
  type QueryOutcome,
  type QueryTools,
} from '../../alerting/monitors/index.ts'
import { rowsBackend } from '../../backends/index.ts'
import { Labels, type StoredRow } from '../../data/index.ts'
import { Engine, createEngine, type QueryOptions, type QueryResult } from '../../engine/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import type { LogicalPlan } from '../../plan/index.ts'
import { checkCompiles, readMonitor } from '../../resources/index.ts'
import { createMemoryStore, standardCatalog, type SampleSource } from '../../store/index.ts'

/** An engine that runs plans on the row model without the optimizer. */
class ModelEngine extends Engine {
  override queryPlan<Shape extends object>(plan: LogicalPlan, options: QueryOptions = {}): QueryResult<Shape> {
    return super.queryPlan(plan, { ...options, disabledRules: ['*'] })
  }
}

const noSamples: SampleSource = { select: () => [], series: () => [] }

function toolsOver(engine: Engine): QueryTools {
  const refuse = (): never => {
    throw new Error('no monitor of this fuzzer has filters')
  }
  return {
    engine,
    samples: noSamples,
    scope: undefined,
    guard: undefined,
    readFilter: refuse,
    readLabelFilter: refuse,
  }
}

export function modelTools(rows: readonly StoredRow[]): QueryTools {
  const backends = [rowsBackend(new Map([['logs', rows]]), standardFunctions)]
  return toolsOver(new ModelEngine({ backends, catalog: standardCatalog, lint: 'off' }))
}

/**
 * Returns query tools over the columnar store. `seals` are row numbers; before each of them, the earlier rows are
 * sealed.
 */
export function columnarTools(rows: readonly StoredRow[], seals: readonly number[], batchRows: number): QueryTools {
  const store = createMemoryStore(standardCatalog)
  const table = store.table('logs')
  let stored = 0
  for (const end of seals) {
    table.writer.appendRows(rows.slice(stored, end))
    table.seal()
    stored = end
  }
  table.writer.appendRows(rows.slice(stored))
  return toolsOver(createEngine({ tables: store.tables, lint: 'off', limits: { batchRows } }))
}

/** Reads and checks a monitor as the API does. Throws SluiceError if it is invalid. */
export function acceptMonitor(body: JsonValue, tools: QueryTools): MonitorDefinition {
  const { monitor } = readMonitor(new TextEncoder().encode(JSON.stringify(body)), true)
  checkCompiles(monitor, () => checkMonitor(monitor, tools))
  return monitorDefinition('drawn', monitor)
}

/** Returns a sentence if an error does not locate the mistake; `undefined` if it does. */
export function refusalFault({ diagnostics }: SluiceError, textLength: number | undefined): string | undefined {
  if (diagnostics.length === 0) return 'there is no diagnostic'
  for (const { code, message, origin } of diagnostics) {
    if (origin.kind === 'json') continue
    const span = spanOf(origin)
    if (span === undefined) return `${code} has no position: ${message}`
    if (textLength === undefined) return `${code} has a position in an unnamed text: ${message}`
    if (span.start < 0 || span.end < span.start || span.end > textLength)
      return `${code} is at ${span.start} to ${span.end} of ${textLength}: ${message}`
  }
  return undefined
}

/** One evaluation of a monitor. */
export interface Round {
  readonly atMs: number
  readonly outcome: QueryOutcome
  readonly step: MonitorStep
}

/** Evaluates a monitor from the outcome of its query, with templates that query the same data. */
export function step(
  definition: MonitorDefinition,
  before: MonitorRecord,
  outcome: QueryOutcome,
  atMs: number,
  tools: QueryTools,
): Promise<MonitorStep> {
  return evaluateMonitor(definition, before, outcome, atMs, {
    externalLabels: Labels.empty,
    externalUrl: '',
    query: (text, queryMs) => runTemplateQuery(text, queryMs, tools),
  })
}

/** Evaluates a monitor round by round, as a server does. */
export async function evaluateRounds(
  definition: MonitorDefinition,
  tools: QueryTools,
  fromMs: number,
  toMs: number,
): Promise<readonly Round[]> {
  const rounds: Round[] = []
  let record = initialRecord
  for (let atMs = fromMs; atMs < toMs; atMs += definition.intervalMs) {
    const outcome = await runQueries(definition, atMs, tools)
    const evaluated = await step(definition, record, outcome, atMs, tools)
    record = evaluated.record
    rounds.push({ atMs, outcome, step: evaluated })
  }
  return rounds
}

/** Writes a value so that -0 differs from 0, and NaN from a missing value. */
function valueText(value: number | undefined): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

/** Writes the states, labels, values and transitions of a round, sorted, one a line. */
export function stepText({ record, transitions, alerts }: MonitorStep): string {
  const instances = [...record.state.instances.values()].map((instance) => {
    const { labels, origin, state, reason, activeAtMs, firedAtMs, keepFiringSinceMs, missed } = instance
    const details = record.details.get(labels.key)
    const value = details === undefined ? 'none' : `${valueText(details.value)} ${details.annotations.toString()}`
    return `${labels.toString()} ${origin} ${state} ${reason} ${activeAtMs} ${firedAtMs} ${keepFiringSinceMs} ${missed} value ${value}`
  })
  const changes = transitions.map(({ from, to }) => `${to.labels.toString()}: ${from} to ${to.state} ${to.reason}`)
  const sent = alerts.map(({ labels, startsAtMs, endsAtMs }) => `alert ${labels.toString()} ${startsAtMs} ${endsAtMs}`)
  return [`error ${record.error}`, ...instances.toSorted(), ...changes.toSorted(), ...sent.toSorted()].join('\n')
}
