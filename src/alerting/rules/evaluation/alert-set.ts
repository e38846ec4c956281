import { Labels, METRIC_NAME, type LabelPair } from '../../../data/index.ts'
import type { TemplateData, TemplateQuery } from '../../templates/index.ts'
import { MAX_LABEL_CHARS, type Alert } from '../../alert.ts'
import type { RuleResult, RuleSample, WrittenSample } from '../queries.ts'
import type { AlertingRule } from '../rule.ts'
import type { TextTemplate } from '../text-template.ts'
import { advanceAlert, isDue, type ActiveAlert } from './active-alert.ts'
import { applyLabels } from './apply-labels.ts'
import type { RuleEnvironment } from './environment.ts'
import { restoredActiveAtMs, storeAlerts, type RestoreSettings, type StoredAlert } from './restoration.ts'
import { ruleFailure } from '../diagnostics.ts'

const ALERT_NAME = 'alertname'

/** A series of the expression's result, with the labels and annotations of its alert. */
interface Match {
  readonly labels: Labels
  readonly annotations: Labels
  readonly value: number
}

async function expandAll(
  templates: readonly TextTemplate[],
  data: TemplateData,
  query: TemplateQuery,
): Promise<readonly LabelPair[]> {
  const pairs: LabelPair[] = []
  for (const { name, expand } of templates) pairs.push([name, await expand(data, query)])
  return pairs
}

/** Returns the URL of the page that shows an expression. */
function generatorUrl(externalUrl: string, expression: string): string {
  return `${externalUrl}/graph?${new URLSearchParams({ 'g0.expr': expression, 'g0.tab': '1' }).toString()}`
}

/** Alerts of one alerting rule. Evaluations must not overlap. */
export class AlertSet {
  readonly #rule: AlertingRule
  readonly #environment: RuleEnvironment
  /** Active alerts, and resolved ones that are still sent, by label key. */
  readonly #alerts = new Map<string, ActiveAlert>()
  /** Time of the latest successful evaluation, Unix ms; 0 before the first. */
  #evaluatedAtMs = 0

  constructor(rule: AlertingRule, environment: RuleEnvironment) {
    this.#rule = rule
    this.#environment = environment
  }

  /** Returns the active alerts: pending or firing. */
  get active(): readonly ActiveAlert[] {
    return [...this.#alerts.values()].filter(({ state }) => state !== 'inactive')
  }

  /** Takes the alerts of the same rule from before a reload. */
  takeOver(previous: AlertSet): void {
    for (const [key, alert] of previous.#alerts) this.#alerts.set(key, alert)
    this.#evaluatedAtMs = previous.#evaluatedAtMs
  }

  /** Updates all alerts from the result of the expression. Rejects with SluiceError `rules/…`. */
  async evaluate(result: RuleResult, atMs: number, limit: number): Promise<void> {
    const matches = new Map<string, Match>()
    let labelChars = 0
    for (const sample of result) {
      const match = await this.#expand(sample, atMs)
      labelChars += match.labels.chars
      if (labelChars > MAX_LABEL_CHARS) throw ruleFailure('labels-too-long', { limit: MAX_LABEL_CHARS })
      if (matches.has(match.labels.key)) throw ruleFailure('duplicate-labels', { kind: 'alerts' })
      matches.set(match.labels.key, match)
    }
    for (const [key, match] of matches) this.#addMatch(key, match, atMs)
    let active = 0
    for (const [key, alert] of this.#alerts) {
      const isActive = advanceAlert(alert, matches.has(key), atMs, this.#rule)
      if (isActive === undefined) this.#alerts.delete(key)
      else if (isActive) active++
    }
    if (limit > 0 && active > limit) {
      this.#alerts.clear()
      throw ruleFailure('limit-exceeded', { limit, found: active, kind: 'alerts' })
    }
    this.#evaluatedAtMs = atMs
  }

  async #expand({ labels: series, value: float, histogram }: RuleSample, atMs: number): Promise<Match> {
    const value = histogram === undefined ? float : 0
    const { externalLabels, externalUrl, queries } = this.#environment
    const data = { labels: series, value, values: new Map(), externalLabels, externalUrl, nowMs: atMs }
    const query: TemplateQuery = (text, nowMs) => queries.instant(text, nowMs)
    const pairs = await expandAll(this.#rule.labelTemplates, data, query)
    return {
      labels: applyLabels(this.#rule, series, pairs).with(ALERT_NAME, this.#rule.name),
      annotations: Labels.from(await expandAll(this.#rule.annotationTemplates, data, query)),
      value,
    }
  }

  #addMatch(key: string, { labels, annotations, value }: Match, atMs: number): void {
    const known = this.#alerts.get(key)
    if (known !== undefined && known.state !== 'inactive') {
      known.value = value
      known.annotations = annotations
      return
    }
    this.#alerts.set(key, {
      labels,
      annotations,
      value,
      state: 'pending',
      activeAtMs: atMs,
      firedAtMs: undefined,
      resolvedAtMs: undefined,
      keepFiringSinceMs: undefined,
      lastSentAtMs: undefined,
    })
  }

  /** Returns the active alerts as plain data. */
  exportState(): readonly StoredAlert[] {
    return storeAlerts(this.active, this.#evaluatedAtMs)
  }

  /** Corrects the times of active alerts from the state before a restart. `stored` is keyed by label set. */
  restore(stored: ReadonlyMap<string, StoredAlert>, atMs: number, settings: RestoreSettings): void {
    const { forMs } = this.#rule
    // With a shorter `for`, a pending alert fires before it could be restored.
    if (forMs < settings.gracePeriodMs) return
    for (const [key, alert] of this.#alerts) {
      const before = stored.get(key)
      if (before === undefined || alert.state === 'inactive') continue
      if (before.seenAtMs < atMs - settings.outageToleranceMs) continue
      alert.activeAtMs = restoredActiveAtMs(before, forMs, atMs, settings.gracePeriodMs)
    }
  }

  /** Returns the series `ALERTS` and `ALERTS_FOR_STATE` of the active alerts. */
  samples(timeMs: number): readonly WrittenSample[] {
    return this.active.flatMap(({ labels: own, state, activeAtMs }) => {
      // As in Prometheus: if a label expands to an empty string, these series have its unexpanded template.
      const labels = Labels.from([...this.#rule.labels.toPairs(), ...own.toPairs()])
      return [
        { labels: labels.with(METRIC_NAME, 'ALERTS').with('alertstate', state), sample: { timeMs, value: 1 } },
        {
          labels: labels.with(METRIC_NAME, 'ALERTS_FOR_STATE'),
          sample: { timeMs, value: Math.floor(activeAtMs / 1000) },
        },
      ]
    })
  }

  /**
   * Returns the alerts to send, and marks them as sent. At the receiver, a firing alert ends if it is not sent again
   * within four times the longer of interval and resend delay. So two consecutive failures are harmless.
   */
  takeDue(atMs: number, intervalMs: number): readonly Alert[] {
    const { resendDelayMs, externalLabels, externalUrl } = this.#environment
    const due = [...this.#alerts.values()].filter((alert) => isDue(alert, atMs, resendDelayMs))
    return due.map((alert) => {
      alert.lastSentAtMs = atMs
      return {
        labels: Labels.from([...externalLabels.toPairs(), ...alert.labels.toPairs()]),
        annotations: alert.annotations,
        startsAtMs: alert.firedAtMs ?? alert.activeAtMs,
        endsAtMs: alert.resolvedAtMs ?? atMs + 4 * Math.max(intervalMs, resendDelayMs),
        generatorUrl: generatorUrl(externalUrl, this.#rule.expression),
      }
    })
  }
}
