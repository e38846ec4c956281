import { printJsonExact, type Labels, type PlainJson } from '../data/index.ts'
import { decode, monitor as monitorSchema } from '../wire/index.ts'
import type { DocumentBody } from '../resources/index.ts'
import { endAll, isDue, resolveByHand, type Transition } from './instances/index.ts'
import {
  alertsOf,
  evaluateMonitor,
  initialRecord,
  monitorDefinition,
  type MonitorAlert,
  type MonitorDefinition,
  type MonitorRecord,
  type QueryOutcome,
  type TemplateEnvironment,
} from './monitors/index.ts'
import type { RoutedAlert } from './notify/index.ts'
import type { TemplateQuery } from './templates/index.ts'

/** A stored monitor. `body` is immutable; an edit replaces it. */
export interface StoredMonitor {
  readonly id: string
  readonly body: DocumentBody
}

/** A scheduled evaluation of a monitor. Times are Unix ms. */
export interface Tick {
  readonly definition: MonitorDefinition
  readonly source: string
  readonly atMs: number
}

/** State changes of one monitor, and the alerts for its receivers. */
export interface EvaluatorStep {
  readonly id: string
  readonly transitions: readonly Transition[]
  readonly alerts: readonly RoutedAlert[]
  /** True if the new state must survive a restart; false while all instances stay Normal. */
  readonly isChanged: boolean
}

/** A monitor with its state, for answers to users. */
export interface MonitorStatus {
  readonly definition: MonitorDefinition
  /** Key that is equal for monitors with the same queries and the same schedule. */
  readonly source: string
  readonly record: MonitorRecord
}

export interface EvaluatorOptions {
  readonly environment: Omit<TemplateEnvironment, 'query'>
  /**
   * Returns the delay of the evaluations of a source, ms. It spreads the load; monitors with equal sources have equal
   * delays and are evaluated together. By default, evaluations are not delayed.
   */
  readonly offsetOf?: (source: string, intervalMs: number) => number
  /** Called once for a stored monitor that cannot be evaluated. The other monitors are not affected. */
  readonly onUnusable: (monitor: StoredMonitor, reason: string) => void
}

/**
 * A stored monitor that cannot be evaluated, for example because an earlier release with fewer checks has stored it.
 */
interface Unusable {
  readonly body: DocumentBody
  readonly reason: string
}

interface Entry {
  readonly body: DocumentBody
  readonly definition: MonitorDefinition
  readonly source: string
  readonly record: MonitorRecord
  /** Time of the next evaluation: a multiple of the interval plus the offset. */
  readonly nextMs: number
}

/** Members that identify the alerts of a monitor. When one is edited, the old alerts end (M40). */
const IDENTITY = ['title', 'labels', 'severity', 'team', 'category'] as const

function isChanged(before: DocumentBody, after: DocumentBody, members: readonly string[]): boolean {
  const text = (body: DocumentBody): string => members.map((name) => printJsonExact(body[name] ?? null)).join('\n')
  return before !== after && text(before) !== text(after)
}

/** Returns a string that is equal for monitors with the same queries and the same schedule. */
function sourceOf({ model }: DocumentBody, { intervalMs }: MonitorDefinition): string {
  const { queries = [] } = (model ?? {}) as { readonly queries?: PlainJson }
  return `${intervalMs} ${printJsonExact(queries)}`
}

function definitionOf({ id, body }: StoredMonitor): MonitorDefinition {
  return monitorDefinition(id, decode(monitorSchema, body))
}

/**
 * Holds the states of the monitors of one backend and schedules their evaluations. It runs no queries and has no clock.
 * The caller requests due ticks, runs their queries and passes the answers back.
 */
export class Evaluator {
  readonly #environment: EvaluatorOptions['environment']
  readonly #offsetOf: (source: string, intervalMs: number) => number
  readonly #onUnusable: EvaluatorOptions['onUnusable']
  readonly #entries = new Map<string, Entry>()
  readonly #unusable = new Map<string, Unusable>()

  constructor({ environment, offsetOf = () => 0, onUnusable }: EvaluatorOptions) {
    this.#environment = environment
    this.#offsetOf = offsetOf
    this.#onUnusable = onUnusable
  }

  /**
   * Updates the set of monitors. Ends the alerts of monitors that were deleted, paused or renamed, or that cannot be
   * evaluated. `records` are the states from before a restart, by id.
   */
  update(
    monitors: Iterable<StoredMonitor>,
    nowMs: number,
    records: ReadonlyMap<string, MonitorRecord> = new Map(),
  ): readonly EvaluatorStep[] {
    const steps: EvaluatorStep[] = []
    const kept = new Set<string>()
    const unusable = new Set<string>()
    for (const stored of monitors) {
      const definition = this.#definitionOf(stored)
      if (definition === undefined) {
        unusable.add(stored.id)
        continue
      }
      kept.add(stored.id)
      const known = this.#entries.get(stored.id)
      if (known?.body === stored.body) continue
      const record = known?.record ?? records.get(stored.id) ?? initialRecord
      const source = sourceOf(stored.body, definition)
      const nextMs = this.#tickFrom({ definition, source }, nowMs)
      const entry = { body: stored.body, definition, source, record, nextMs }
      this.#entries.set(stored.id, entry)
      const reason = definition.isPaused
        ? 'Paused'
        : known !== undefined && isChanged(known.body, stored.body, IDENTITY)
          ? 'Updated'
          : undefined
      if (reason !== undefined) steps.push(...this.#end(stored.id, entry, reason, nowMs, known?.definition))
      else if (known !== undefined && isChanged(known.body, stored.body, ['model'])) {
        const state = { ...record.state, isModelEdited: true }
        this.#entries.set(stored.id, { ...entry, record: { ...record, state } })
      }
    }
    for (const [id, entry] of this.#entries) {
      if (kept.has(id)) continue
      steps.push(...this.#end(id, entry, 'Deleted', nowMs))
      this.#entries.delete(id)
    }
    for (const id of this.#unusable.keys()) if (!unusable.has(id)) this.#unusable.delete(id)
    return steps
  }

  /**
   * Returns the definition of a stored monitor; `undefined` if the monitor cannot be evaluated, which is reported once.
   */
  #definitionOf(stored: StoredMonitor): MonitorDefinition | undefined {
    const known = this.#entries.get(stored.id)
    if (known?.body === stored.body) return known.definition
    if (this.#unusable.get(stored.id)?.body === stored.body) return undefined
    try {
      return definitionOf(stored)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#unusable.set(stored.id, { body: stored.body, reason })
      this.#onUnusable(stored, reason)
      return undefined
    }
  }

  /** Returns the due evaluations and schedules the next one of each monitor. Missed evaluations are skipped (M33). */
  due(nowMs: number): readonly Tick[] {
    const ticks: Tick[] = []
    for (const [id, entry] of this.#entries) {
      const { definition, record, nextMs } = entry
      if (definition.isPaused || definition.queries.length === 0 || nextMs > nowMs) continue
      const atMs = this.#tickFrom(entry, nowMs - definition.intervalMs + 1)
      this.#entries.set(id, { ...entry, nextMs: atMs + definition.intervalMs })
      if (isDue(record.state, atMs)) ticks.push({ definition, source: entry.source, atMs })
    }
    return ticks
  }

  /** Returns the time of the next due evaluation; `Infinity` if no evaluation is scheduled. */
  get nextMs(): number {
    let nextMs = Infinity
    for (const { definition, nextMs: each } of this.#entries.values())
      if (!definition.isPaused && definition.queries.length > 0) nextMs = Math.min(nextMs, each)
    return nextMs
  }

  /**
   * Evaluates a tick from the answers of its queries. `query` runs the queries in templates. Returns `undefined` if the
   * monitor was edited or deleted meanwhile; the evaluation is then discarded (M43).
   */
  async evaluate(
    { definition, atMs }: Tick,
    outcome: QueryOutcome,
    query: TemplateQuery,
  ): Promise<EvaluatorStep | undefined> {
    const { id } = definition
    const entry = this.#entries.get(id)
    if (entry?.definition !== definition) return undefined
    const step = await evaluateMonitor(definition, entry.record, outcome, atMs, { ...this.#environment, query })
    const current = this.#entries.get(id)
    if (current?.definition !== definition) return undefined
    this.#entries.set(id, { ...current, record: step.record })
    const { transitions, alerts, record } = step
    const isChanged = isEventful(entry.record) || isEventful(record) || !hasSameInstances(entry.record, record)
    return { id, transitions, alerts: alerts.map((alert) => routedAlert(definition, alert)), isChanged }
  }

  /**
   * Ends an alerting instance at a user's request. Returns `undefined` if no instance with these labels is alerting.
   */
  resolve(id: string, labels: Labels, nowMs: number): EvaluatorStep | undefined {
    const entry = this.#entries.get(id)
    const step = entry && resolveByHand(entry.record.state, labels, nowMs)
    if (entry === undefined || step === undefined) return undefined
    const record = { ...entry.record, state: step.state }
    this.#entries.set(id, { ...entry, record })
    const alerts = alertsOf(entry.record, record, step.transitions).map((alert) => routedAlert(entry.definition, alert))
    return { id, transitions: step.transitions, alerts, isChanged: true }
  }

  /** Returns the alerts that fire in the current state of a monitor. */
  alertsOf({ definition, record }: MonitorStatus): readonly RoutedAlert[] {
    return alertsOf(record, record, []).map((alert) => routedAlert(definition, alert))
  }

  status(id: string): MonitorStatus | undefined {
    return this.#entries.get(id)
  }

  /** Returns the reason why a stored monitor cannot be evaluated; `undefined` if it can be evaluated. */
  unusableReason(id: string): string | undefined {
    return this.#unusable.get(id)?.reason
  }

  /** Returns all monitors that can be evaluated, with their states. */
  statuses(): Iterable<MonitorStatus> {
    return this.#entries.values()
  }

  #end(
    id: string,
    entry: Entry,
    reason: 'Paused' | 'Deleted' | 'Updated',
    nowMs: number,
    definition = entry.definition,
  ): readonly EvaluatorStep[] {
    const { state, transitions } = endAll(entry.record.state, reason, nowMs)
    const record = { ...initialRecord, state }
    this.#entries.set(id, { ...entry, record })
    if (transitions.length === 0) return []
    const alerts = alertsOf(entry.record, record, transitions).map((alert) => routedAlert(definition, alert))
    return [{ id, transitions, alerts, isChanged: true }]
  }

  /** Returns the first scheduled time of a monitor at or after `fromMs`. */
  #tickFrom({ definition: { intervalMs }, source }: Pick<Entry, 'definition' | 'source'>, fromMs: number): number {
    const offsetMs = this.#offsetOf(source, intervalMs)
    return Math.ceil((fromMs - offsetMs) / intervalMs) * intervalMs + offsetMs
  }
}

function isEventful({ state }: MonitorRecord): boolean {
  return [...state.instances.values()].some((instance) => instance.state !== 'Normal')
}

function hasSameInstances(before: MonitorRecord, after: MonitorRecord): boolean {
  const [a, b] = [before.state.instances, after.state.instances]
  return a.size === b.size && [...a.keys()].every((key) => b.has(key))
}

/** Returns an alert with the settings of its monitor. */
export function routedAlert(
  { notification, firstLabels, intervalMs }: MonitorDefinition,
  alert: MonitorAlert,
): RoutedAlert {
  const { details, ...plain } = alert
  const { receivers, isMuted, statuses, repeatIntervalMs, disableRenotification } = notification
  return {
    ...plain,
    settings: {
      receivers,
      isMuted,
      disableRenotification,
      ...(statuses === undefined ? {} : { statuses }),
      ...(repeatIntervalMs === undefined ? {} : { repeatIntervalMs }),
    },
    display: { ...details.display, firstLabels },
    ...(details.value === undefined ? {} : { value: details.value }),
    intervalMs,
  }
}
