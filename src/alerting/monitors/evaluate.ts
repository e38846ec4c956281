import { nextTurn } from '../../base/index.ts'
import { Labels, type LabelPair } from '../../data/index.ts'
import type { Alert } from '../alert.ts'
import type { Value } from '../conditions/index.ts'
import {
  advance,
  initialState,
  isNotified,
  type Evaluation,
  type Instance,
  type InstanceResult,
  type MonitorState,
  type Transition,
} from '../instances/index.ts'
import { EvaluationBudget, type TemplateData, type TemplateQuery } from '../templates/index.ts'
import type { MonitorDefinition, NamedTemplate } from './definition.ts'
import {
  LabelBudget,
  MAX_LABEL_SETS,
  QueryFault,
  duplicateLabels,
  type QueryOutcome,
  type QueryOutput,
} from './query-output.ts'
import { resolve, type NamedValue, type ResolvedSet } from './resolve.ts'

/** Value and annotations of an instance, from its last evaluation with a result. */
export interface InstanceDetails {
  readonly value: Value
  readonly annotations: Labels
  /** Expanded notification texts, if the monitor has templates for them. */
  readonly display: { readonly title?: string; readonly description?: string }
}

/** Complete state of a monitor between evaluations. Immutable. */
export interface MonitorRecord {
  readonly state: MonitorState
  /** Details by instance key, only for instances that are not Normal. */
  readonly details: ReadonlyMap<string, InstanceDetails>
  /** Message of the last error; `undefined` if the last evaluation succeeded. */
  readonly error: string | undefined
}

export const initialRecord: MonitorRecord = { state: initialState, details: new Map(), error: undefined }

/** Data for the templates of a monitor that do not come from its queries. */
export interface TemplateEnvironment {
  readonly externalLabels: Labels
  readonly externalUrl: string
  readonly query: TemplateQuery
}

/** An alert of a monitor with its latest value and texts. */
export interface MonitorAlert extends Alert {
  readonly details: InstanceDetails
}

/** The outcome of one evaluation. */
export interface MonitorStep {
  readonly record: MonitorRecord
  readonly transitions: readonly Transition[]
  /** Alerts for receivers: those that fire now, and those resolved by this evaluation. */
  readonly alerts: readonly MonitorAlert[]
}

/** Maximum length of an error message in an annotation, UTF-16 units (M45). */
const MAX_ERROR_CHARS = 120

/** Value of `$value` in templates if the monitor has never had a result (M49). */
const NO_VALUE = -1

const noValues: ReadonlyMap<string, NamedValue> = new Map()

/** A result with its final labels. */
interface LabelledSet {
  readonly labels: Labels
  readonly set: ResolvedSet
}

function templateData(
  labels: Labels,
  value: Value,
  values: ReadonlyMap<string, NamedValue>,
  nowMs: number,
  { externalLabels, externalUrl }: TemplateEnvironment,
): TemplateData {
  const numbers = [...values].map(([name, named]) => {
    const columns = [...named.columns].map(([column, each]): [string, number] => [column, each ?? NaN])
    return [name, { value: named.value ?? NaN, labels: named.labels, columns: new Map(columns) }] as const
  })
  return { labels, value: value ?? NO_VALUE, values: new Map(numbers), externalLabels, externalUrl, nowMs }
}

/** Template environment of one evaluation, with a common budget. */
interface Expansions extends TemplateEnvironment {
  readonly budget: EvaluationBudget
}

async function expand(
  templates: readonly NamedTemplate[],
  data: TemplateData,
  { query, budget }: Expansions,
): Promise<readonly LabelPair[]> {
  const pairs: LabelPair[] = []
  for (const [name, template] of templates) {
    pairs.push([name, await template.expand(data, query, budget)])
    // Yields, because a thousand label sets take seconds and the thread must answer requests.
    await nextTurn()
  }
  return pairs
}

/**
 * Merges the labels of a result with those of the monitor, which override them (§4 of the rulings). Templates see the
 * labels of the result.
 */
async function finalLabels(
  { labelsOf, labels, alertName }: MonitorDefinition,
  set: ResolvedSet,
  nowMs: number,
  environment: Expansions,
): Promise<Labels> {
  const data = templateData(set.labels, set.value(false), set.values(), nowMs, environment)
  const own = await expand(labels, data, environment)
  return Labels.from([...labelsOf(set.labels).toPairs(), ...own, ['alertname', alertName]])
}

async function labelledSets(
  definition: MonitorDefinition,
  outputs: readonly QueryOutput[],
  nowMs: number,
  environment: Expansions,
): Promise<ReadonlyMap<string, LabelledSet>> {
  const sets = resolve(definition, outputs, nowMs)
  if (sets.length > MAX_LABEL_SETS) throw new QueryFault(`more than ${MAX_LABEL_SETS} label sets have a value`)
  const found = new Map<string, LabelledSet>()
  const labelBudget = new LabelBudget()
  for (const set of sets) {
    const isPlain = definition.labels.length === 0
    const labels = isPlain ? definition.labelsOf(set.labels) : await finalLabels(definition, set, nowMs, environment)
    labelBudget.add(labels)
    if (found.has(labels.key)) throw duplicateLabels(labels)
    found.set(labels.key, { labels, set })
  }
  return found
}

const noDetails: InstanceDetails = { value: undefined, annotations: Labels.empty, display: {} }

function alertOf({ labels, firedAtMs = 0 }: Instance, { details }: MonitorRecord, endsAtMs: number): MonitorAlert {
  const known = details.get(labels.key) ?? noDetails
  return { labels, annotations: known.annotations, startsAtMs: firedAtMs, endsAtMs, generatorUrl: '', details: known }
}

/** Returns the alerts of all instances in a state that is notified, and of those that have just ended. */
export function alertsOf(
  before: MonitorRecord,
  record: MonitorRecord,
  transitions: readonly Transition[],
): readonly MonitorAlert[] {
  const firing = [...record.state.instances.values()]
    .filter(isNotified)
    .map((instance) => alertOf(instance, record, Infinity))
  const resolved = transitions.flatMap(({ to, atMs }) => {
    const ended = before.state.instances.get(to.labels.key)
    if (to.state !== 'Normal' || ended === undefined || !isNotified(ended)) return []
    return [alertOf(ended, before, atMs)]
  })
  return [...firing, ...resolved]
}

/**
 * Evaluates a monitor at its scheduled time from the answers of its queries: values, states, labels and annotations.
 * Errors of the monitor never reject; they become its error state.
 */
export async function evaluateMonitor(
  definition: MonitorDefinition,
  before: MonitorRecord,
  outcome: QueryOutcome,
  nowMs: number,
  given: TemplateEnvironment,
): Promise<MonitorStep> {
  const environment = { ...given, budget: new EvaluationBudget() }
  let sets: ReadonlyMap<string, LabelledSet> = new Map()
  let error = 'error' in outcome ? outcome.error : undefined
  if ('outputs' in outcome) {
    try {
      sets = await labelledSets(definition, outcome.outputs, nowMs, environment)
    } catch (fault) {
      if (!(fault instanceof QueryFault)) throw fault
      error = fault.message
    }
  }
  const results: InstanceResult[] = [...sets.values()].map(({ labels, set }) => ({
    labels,
    isBreaching: set.isBreaching,
  }))
  const evaluation: Evaluation =
    error !== undefined ? { kind: 'error' } : results.length === 0 ? { kind: 'no-data' } : { kind: 'results', results }
  const { state, transitions } = advance(before.state, evaluation, definition.rules, nowMs)
  const details = new Map<string, InstanceDetails>()
  for (const [key, instance] of state.instances) {
    if (instance.state === 'Normal') continue
    const set = sets.get(key)?.set
    const known = before.details.get(key)
    // Without a result, an instance keeps the values and annotations of its last result (M30).
    if (set === undefined && known !== undefined) {
      details.set(key, known)
      continue
    }
    const value = set?.value(before.state.instances.get(key)?.state === 'Alerting')
    const hasTemplates = definition.annotations.length + definition.display.length > 0
    const values = hasTemplates ? set?.values() : undefined
    const data = templateData(instance.labels, value, values ?? noValues, nowMs, environment)
    const pairs = await expand(definition.annotations, data, environment)
    const own: LabelPair[] =
      instance.origin === 'error' ? [...pairs, ['error', (error ?? '').slice(0, MAX_ERROR_CHARS)]] : [...pairs]
    const display = Object.fromEntries(await expand(definition.display, data, environment))
    details.set(key, { value, annotations: Labels.from(own), display })
  }
  const record: MonitorRecord = { state, details, error }
  return { record, transitions, alerts: alertsOf(before, record, transitions) }
}
