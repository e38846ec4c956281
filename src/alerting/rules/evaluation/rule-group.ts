import { Labels } from '../../../data/index.ts'
import type { Alert } from '../../alert.ts'
import type { GroupDefinition } from '../rule.ts'
import type { GroupStatus } from '../status.ts'
import type { RuleEnvironment } from './environment.ts'
import {
  EVALUATIONS_BEFORE_RESTORE,
  defaultRestoreSettings,
  type GroupState,
  type RestoreSettings,
} from './restoration.ts'
import { RuleRunner, type RuleEvaluation } from './rule-runner.ts'
import type { EvaluationSamples, RuleSeries } from './rule-series.ts'

/** State from before a restart that has not been applied yet. */
interface Restoration {
  readonly state: GroupState
  /** Stored alerts by label key. */
  readonly stored: ReadonlyMap<string, GroupState['alerts'][number]>
  readonly settings: RestoreSettings
  readonly evaluations: number
}

/**
 * A rule group and its alerts. It has no clock: the caller evaluates it at increasing times. Evaluations must not
 * overlap.
 */
export class RuleGroup {
  readonly file: string
  readonly definition: GroupDefinition
  readonly #environment: RuleEnvironment
  readonly #runners: readonly RuleRunner[]
  /** Series of rules that a reload removed. The next evaluation writes stale markers for them. */
  #ended: readonly RuleSeries[] = []
  #restoration: Restoration | undefined
  #evaluationMs = 0
  #lastEvaluationMs: number | undefined

  constructor(file: string, definition: GroupDefinition, environment: RuleEnvironment) {
    this.file = file
    this.definition = definition
    this.#environment = environment
    this.#runners = definition.rules.map((rule) => new RuleRunner(rule, definition, environment))
  }

  /** Time in ms between evaluations. */
  get intervalMs(): number {
    return this.definition.intervalMs ?? this.#environment.intervalMs
  }

  /**
   * Evaluates the rules in order, so that each sees the series of the previous ones. Returns the alerts to send. The
   * error of a failed rule is in its status.
   */
  async evaluate(atMs: number): Promise<readonly Alert[]> {
    const { monotonicMs } = this.#environment
    const startMs = monotonicMs()
    const due: Alert[] = []
    const { intervalMs } = this
    const evaluation = {
      atMs,
      intervalMs,
      writesAlerts: this.#restoration === undefined,
      samples: new Map(),
    } satisfies RuleEvaluation
    for (const runner of this.#runners) due.push(...(await runner.evaluate(evaluation)))
    await this.#writeEnds(atMs, evaluation.samples)
    this.#evaluationMs = monotonicMs() - startMs
    this.#lastEvaluationMs = atMs
    // The duration of the evaluation counts as time without evaluations.
    this.#continueRestoration(atMs + this.#evaluationMs)
    return due
  }

  /**
   * Takes over the state of this group from before a reload. A rule with the same name and labels keeps its alerts; the
   * alerts of removed rules are dropped.
   */
  takeOver(previous: RuleGroup): void {
    this.#evaluationMs = previous.#evaluationMs
    this.#lastEvaluationMs = previous.#lastEvaluationMs
    this.#restoration = previous.#restoration
    const known = Map.groupBy(previous.#runners, ({ identity }) => identity)
    for (const runner of this.#runners) {
      const same = known.get(runner.identity)?.shift()
      if (same !== undefined) runner.takeOver(same)
    }
    const removed = [...known.values()].flat().map(({ series }) => series)
    this.#ended = [...previous.#ended, ...removed]
  }

  async #writeEnds(atMs: number, samples: EvaluationSamples): Promise<void> {
    const ended = this.#ended
    this.#ended = []
    for (const series of ended) {
      // An error is ignored: without a stale marker the series ends after the lookback anyway, and an error here would
      // lose the alerts.
      await series.write([], atMs - this.definition.queryOffsetMs, samples).catch(() => {})
    }
  }

  /** Returns the state that a restart needs, as of the latest evaluation. */
  exportState(): GroupState {
    if (this.#restoration !== undefined) return this.#restoration.state
    return { alerts: this.#runners.flatMap(({ alerts }) => alerts?.exportState() ?? []) }
  }

  /**
   * Restores alerts after a restart; call it before the first evaluation. At first all alerts begin anew. After the
   * second evaluation, alerts that still match get their previous times, shifted by the outage.
   */
  restore(state: GroupState, settings: RestoreSettings = defaultRestoreSettings): void {
    const stored = new Map(state.alerts.map((alert) => [Labels.of(alert.labels).key, alert]))
    this.#restoration = { state, stored, settings, evaluations: 0 }
  }

  #continueRestoration(atMs: number): void {
    if (this.#restoration === undefined) return
    const { stored, settings } = this.#restoration
    const evaluations = this.#restoration.evaluations + 1
    if (evaluations < EVALUATIONS_BEFORE_RESTORE) {
      this.#restoration = { ...this.#restoration, evaluations }
      return
    }
    this.#restoration = undefined
    for (const { alerts } of this.#runners) alerts?.restore(stored, atMs, settings)
  }

  /** Returns the state for the API; valid until the next evaluation. */
  status(): GroupStatus {
    return {
      file: this.file,
      name: this.definition.name,
      intervalMs: this.intervalMs,
      limit: this.definition.limit,
      evaluationMs: this.#evaluationMs,
      lastEvaluationMs: this.#lastEvaluationMs,
      rules: this.#runners.map((runner) => runner.status()),
    }
  }
}
