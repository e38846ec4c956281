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
import { RuleRunner, type Evaluation } from './rule-runner.ts'
import type { EvaluationSamples, RuleSeries } from './rule-series.ts'

/** A restart whose alerts are not restored yet. */
interface Restoration {
  readonly state: GroupState
  /** Alerts of the state, by key of their labels. */
  readonly stored: ReadonlyMap<string, GroupState['alerts'][number]>
  readonly settings: RestoreSettings
  readonly evaluations: number
}

/**
 * A group of rules and its alerts. It has no clock: the caller evaluates it at increasing times, one evaluation at a
 * time.
 */
export class RuleGroup {
  readonly file: string
  readonly definition: GroupDefinition
  readonly #environment: RuleEnvironment
  readonly #runners: readonly RuleRunner[]
  /** Series of rules that a reload removed; they get a stale marker in the next evaluation. */
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
   * Evaluates the rules in their order, so that each sees the series of those before it. Returns the alerts that are
   * due to be sent. A rule that fails has the error in its status.
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
    } satisfies Evaluation
    for (const runner of this.#runners) due.push(...(await runner.evaluate(evaluation)))
    await this.#writeEnds(atMs, evaluation.samples)
    this.#evaluationMs = monotonicMs() - startMs
    this.#lastEvaluationMs = atMs
    // The evaluation itself counts as time without evaluations.
    this.#continueRestoration(atMs + this.#evaluationMs)
    return due
  }

  /**
   * Takes over the state of this group before a reload: a rule with the same name and labels keeps its alerts, those of
   * other rules are forgotten.
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
      // Without its marker a series ends by itself after the lookback, which is no reason to lose the alerts.
      await series.write([], atMs - this.definition.queryOffsetMs, samples).catch(() => {})
    }
  }

  /** Returns the state that a restart needs, as of the latest evaluation. */
  exportState(): GroupState {
    if (this.#restoration !== undefined) return this.#restoration.state
    return { alerts: this.#runners.flatMap(({ alerts }) => alerts?.exportState() ?? []) }
  }

  /**
   * Restores alerts after a restart, before the first evaluation. At first all alerts start again.
   * After the second evaluation, alerts that match get their old times, without the time of the outage.
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

  /** Returns the state for readers, valid until the next evaluation. */
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
