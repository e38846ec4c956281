import { SluiceError } from '../../../base/index.ts'
import { promqlErrorText } from '../../../engine/metrics/index.ts'
import type { Alert } from '../../alert.ts'
import { samplesOfRows } from '../logs/log-rule.ts'
import type { RuleResult, WrittenSample } from '../queries.ts'
import type { GroupDefinition, Rule } from '../rule.ts'
import type { RuleStatus } from '../status.ts'
import { AlertSet } from './alert-set.ts'
import type { RuleEnvironment } from './environment.ts'
import { recordedSamples } from './recording-rule.ts'
import { ruleFailure } from '../diagnostics.ts'
import { RuleSeries, type EvaluationSamples } from './rule-series.ts'

/** Outcome of the latest evaluation of a rule. */
interface Outcome {
  readonly health: 'unknown' | 'ok' | 'err'
  readonly lastError: string
  readonly evaluationMs: number
  readonly lastEvaluationMs: number | undefined
}

/** One evaluation of a group. */
export interface RuleEvaluation {
  readonly atMs: number
  /** Time in ms between evaluations. */
  readonly intervalMs: number
  /** True to write the series of alerts. */
  readonly writesAlerts: boolean
  /** Samples that the group's rules have written in this evaluation. */
  readonly samples: EvaluationSamples
}

/** Evaluates one rule of a group and holds its state. */
export class RuleRunner {
  readonly rule: Rule
  /** Alerts of an alerting rule. */
  readonly alerts: AlertSet | undefined
  readonly series: RuleSeries
  readonly #group: GroupDefinition
  readonly #environment: RuleEnvironment
  #outcome: Outcome = { health: 'unknown', lastError: '', evaluationMs: 0, lastEvaluationMs: undefined }

  constructor(rule: Rule, group: GroupDefinition, environment: RuleEnvironment) {
    this.rule = rule
    this.#group = group
    this.#environment = environment
    this.series = new RuleSeries(environment.sink)
    if (rule.kind === 'alerting') this.alerts = new AlertSet(rule, environment)
  }

  /**
   * Returns a string that identifies a rule within its group across reloads, together with its position among equal
   * rules.
   */
  get identity(): string {
    return JSON.stringify([this.rule.name, this.rule.labels.key])
  }

  /** Takes over the state of the same rule from before a reload. */
  takeOver(previous: RuleRunner): void {
    this.series.takeOver(previous.series)
    if (previous.alerts !== undefined) this.alerts?.takeOver(previous.alerts)
  }

  /**
   * Evaluates the rule and returns the alerts to send. If it fails, the error is in the outcome, and nothing is written
   * or sent.
   */
  async evaluate({ atMs, intervalMs, writesAlerts, samples: others }: RuleEvaluation): Promise<readonly Alert[]> {
    const { monotonicMs } = this.#environment
    const startMs = monotonicMs()
    let due: readonly Alert[] = []
    let lastError = ''
    try {
      const samples = await this.#samples(atMs, intervalMs)
      due = this.alerts?.takeDue(atMs, intervalMs) ?? []
      const isWritten = this.alerts === undefined || writesAlerts
      await this.series.write(isWritten ? samples : [], this.#timeMs(atMs), others)
    } catch (error) {
      // An error of any kind in one rule must not stop the others.
      lastError = this.#textOf(error)
    }
    const health = lastError === '' ? 'ok' : 'err'
    this.#outcome = { health, lastError, evaluationMs: monotonicMs() - startMs, lastEvaluationMs: atMs }
    return due
  }

  #timeMs(atMs: number): number {
    return atMs - this.#group.queryOffsetMs
  }

  async #samples(atMs: number, intervalMs: number): Promise<readonly WrittenSample[]> {
    const { rule, alerts } = this
    const { limit } = this.#group
    const timeMs = this.#timeMs(atMs)
    const result = await this.#result(timeMs, intervalMs)
    if (rule.kind === 'recording') return recordedSamples(rule, result, timeMs, limit)
    await alerts?.evaluate(result, atMs, limit)
    return alerts?.samples(timeMs) ?? []
  }

  async #result(timeMs: number, intervalMs: number): Promise<RuleResult> {
    const { rule } = this
    const { queries } = this.#environment
    if (rule.log === undefined) return queries.instant(rule.expression, timeMs)
    if (queries.logRows === undefined) throw ruleFailure('no-log-queries', {})
    const windowMs = rule.log.hasTimeFilter ? undefined : intervalMs
    return samplesOfRows(rule.log, await queries.logRows(rule.expression, timeMs, windowMs))
  }

  #textOf(error: unknown): string {
    if (!(error instanceof Error)) return String(error)
    return error instanceof SluiceError ? promqlErrorText(error, this.rule.expression) : error.message
  }

  status(): RuleStatus {
    const { rule, alerts } = this
    const common = { ...this.#outcome, name: rule.name, query: rule.expression, labels: rule.labels }
    if (rule.kind === 'recording') return { kind: 'recording', ...common }
    const { forMs, keepFiringForMs, annotations } = rule
    return { kind: 'alerting', ...common, forMs, keepFiringForMs, annotations, alerts: alerts?.active ?? [] }
  }
}
