import { MINUTE_MS } from '../../base/index.ts'
import {
  thresholdOperator,
  type Monitor,
  type MonitorQuery,
  type MonitorReducer,
  type MonitorThreshold,
} from '../../wire/index.ts'
import {
  parseMath,
  reducerType,
  strictMode,
  type ThresholdComparison,
  type MathExpr,
  type ReducerMode,
  type ReducerType,
  type Threshold,
} from '../conditions/index.ts'
import { Labels, type LabelPair } from '../../data/index.ts'
import type { InstanceRules } from '../instances/index.ts'
import { Template } from '../templates/index.ts'
import { durationMs, relativeRange, type RelativeRange } from './window.ts'

/** Minimum interval between evaluations, ms. */
const MIN_INTERVAL_MS = 1000

/** A reducer with its parsed expression. */
export type Reducer =
  | {
      readonly kind: 'points'
      readonly name: string
      readonly input: string | undefined
      readonly type: ReducerType
      readonly mode: ReducerMode
      /** Range of the points that are reduced; `undefined` for all points. */
      readonly range: RelativeRange | undefined
    }
  | { readonly kind: 'math'; readonly name: string; readonly expr: MathExpr }

export interface NamedThreshold extends Threshold {
  readonly name: string
  readonly input: string
  readonly range: RelativeRange | undefined
}

/** A text of a monitor with its template. */
export type NamedTemplate = readonly [name: string, template: Template]

/** A stored monitor, parsed for evaluation. */
export interface MonitorDefinition {
  readonly id: string
  /** Title of the monitor, or its id if it has none. */
  readonly alertName: string
  readonly isPaused: boolean
  readonly intervalMs: number
  readonly rules: InstanceRules
  /** Queries of the monitor; empty for a monitor without a model, which is never evaluated. */
  readonly queries: readonly MonitorQuery[]
  readonly reducers: readonly Reducer[]
  readonly thresholds: readonly NamedThreshold[]
  /** Label templates. They override the labels from `labelsOf`, except `alertname`. */
  readonly labels: readonly NamedTemplate[]
  /**
   * Returns the labels of an instance without templates: those of the result, overridden by constant labels of the
   * monitor.
   */
  readonly labelsOf: (result: Labels) => Labels
  readonly annotations: readonly NamedTemplate[]
  /** Templates for title and description of notifications. For a missing one the receiver uses its default. */
  readonly display: readonly (readonly ['title' | 'description', Template])[]
  /** Names of the labels that notifications list first, in this order. */
  readonly firstLabels: readonly string[]
  readonly notification: NotificationSettings
}

/** Notification settings of a monitor that override the settings of routes. */
export interface NotificationSettings {
  /** Receiver names; if empty, the configured routes decide. */
  readonly receivers: readonly string[]
  readonly isMuted: boolean
  readonly statuses: readonly ('firing' | 'resolved')[] | undefined
  readonly repeatIntervalMs: number | undefined
  readonly disableRenotification: boolean
}

function comparisonOf({ operator, values }: { operator: string; values: readonly number[] }): ThresholdComparison {
  return { operator: thresholdOperator(operator) ?? 'gt', values }
}

function thresholdOf(threshold: MonitorThreshold): NamedThreshold {
  const { name, inputName, customResolveThreshold: resolve, relativeTimerange } = threshold
  return {
    name,
    input: inputName,
    ...comparisonOf(threshold),
    resolve: resolve === undefined ? undefined : comparisonOf(resolve),
    range: relativeTimerange === undefined ? undefined : relativeRange(relativeTimerange, Infinity),
  }
}

function modeOf(settings: unknown): ReducerMode {
  if (typeof settings !== 'object' || settings === null) return strictMode
  const { mode, replaceWithValue } = settings as { readonly mode?: unknown; readonly replaceWithValue?: unknown }
  const isKnown = mode === 'dropNN' || mode === 'replaceNN'
  const replacement = typeof replaceWithValue === 'number' ? replaceWithValue : 0
  return isKnown ? { mode, replacement } : strictMode
}

function reducerOf(reducer: MonitorReducer): Reducer | undefined {
  const { name, type, inputName, expression, relativeTimerange } = reducer
  const known = reducerType(type)
  if (known === undefined) {
    const { expr } = parseMath(expression ?? '')
    return expr === undefined ? undefined : { kind: 'math', name, expr }
  }
  const range = relativeTimerange === undefined ? undefined : relativeRange(relativeTimerange, Infinity)
  return { kind: 'points', name, input: inputName, type: known, mode: modeOf(reducer['settings']), range }
}

function templatesOf(
  texts: ReadonlyMap<string, string> | undefined,
  language: 'go' | 'jinja2',
): readonly NamedTemplate[] {
  return [...(texts ?? [])].map(([name, text]) => [name, Template.parse(text, language)])
}

/** Parses `notificationSettings`, which is not in the API specification; invalid values are ignored. */
function notificationOf({ routing, notificationSettings }: Monitor): NotificationSettings {
  const given = (typeof notificationSettings === 'object' ? notificationSettings : undefined) as
    | Readonly<Record<string, unknown>>
    | undefined
  const { method, statusFilters, renotificationInterval, disableRenotification } = given ?? {}
  const words = Array.isArray(statusFilters) ? (statusFilters as readonly unknown[]) : undefined
  return {
    receivers: routing ?? [],
    isMuted: method === 'noNotifications',
    statuses: words?.flatMap((word) => (word === 'Alerting' ? ['firing'] : word === 'Resolved' ? ['resolved'] : [])),
    repeatIntervalMs: typeof renotificationInterval === 'string' ? durationMs(renotificationInterval) : undefined,
    disableRenotification: disableRenotification === true,
  }
}

const FIXED_LABELS = ['severity', 'team', 'category'] as const

/**
 * Returns the definition of a monitor that `checkMonitor` has accepted. Missing members get the defaults of rulings M1,
 * M2 and M44.
 */
export function monitorDefinition(id: string, monitor: Monitor): MonitorDefinition {
  const { title, model, evaluationInterval, noDataState, executionErrorState, autoResolve, display } = monitor
  const alertName = title === undefined || title === '' ? id : title
  const intervalMs = Math.max(durationMs(evaluationInterval?.interval) ?? MINUTE_MS, MIN_INTERVAL_MS)
  const keepFiringFor: unknown = evaluationInterval?.['keepFiringFor']
  const fixedLabels = FIXED_LABELS.flatMap((name): LabelPair[] => {
    const value = monitor[name]
    return value === undefined ? [] : [[name, value]]
  })
  const language = display?.templateLanguage?.trim().toLowerCase() === 'jinja2' ? 'jinja2' : 'go'
  const labels = templatesOf(monitor.labels, language)
  const plain = [...(monitor.labels ?? [])].filter(([, text]) => !text.includes('{{'))
  return {
    id,
    alertName,
    isPaused: monitor.isPaused ?? false,
    intervalMs,
    rules: {
      intervalMs,
      pendingForMs: durationMs(evaluationInterval?.pendingFor) ?? 0,
      keepFiringForMs: (typeof keepFiringFor === 'string' ? durationMs(keepFiringFor) : undefined) ?? 0,
      autoResolve: autoResolve ?? true,
      noDataState: noDataState ?? 'OK',
      errorState: executionErrorState ?? 'OK',
      monitorLabels: Labels.from([...fixedLabels, ...plain, ['alertname', alertName]]),
    },
    queries: model?.queries ?? [],
    reducers: (model?.reducers ?? []).map(reducerOf).filter((reducer) => reducer !== undefined),
    thresholds: (model?.thresholds ?? []).map(thresholdOf),
    labels,
    labelsOf: (result) => Labels.from([...result.toPairs(), ...fixedLabels, ['alertname', alertName]]),
    annotations: templatesOf(monitor.annotations, language),
    display: (['header', 'description'] as const).flatMap((member) => {
      const text = display?.[member]
      const name = member === 'header' ? 'title' : member
      return text === undefined || text === '' ? [] : [[name, Template.parse(text, language)] as const]
    }),
    firstLabels: [...(display?.resourceHeaderLabels ?? []), ...(display?.contextHeaderLabels ?? [])],
    notification: notificationOf(monitor),
  }
}
