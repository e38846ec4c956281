import { Labels } from '../../../src/data/index.ts'
import {
  RuleGroup,
  readRules,
  type RuleEnvironment,
  type RuleResult,
  type WrittenSample,
} from '../../../src/alerting/rules/index.ts'

export const MINUTE_MS = 60_000

/** A rule group for tests: the test sets the results of its expressions and reads the samples that the group writes. */
export class TestGroup {
  readonly written: WrittenSample[] = []
  /** Results by expression. An `Error` makes the evaluation of that expression fail. */
  readonly results = new Map<string, RuleResult | Error>()
  readonly asked: { readonly expression: string; readonly atMs: number }[] = []
  readonly environment: RuleEnvironment
  group: RuleGroup

  constructor(definition: object, overrides: Partial<RuleEnvironment> = {}) {
    this.environment = {
      queries: {
        instant: (expression, atMs) => {
          this.asked.push({ expression, atMs })
          const result = this.results.get(expression) ?? []
          return result instanceof Error ? Promise.reject(result) : Promise.resolve(result)
        },
      },
      sink: { write: (samples) => void this.written.push(...samples) },
      externalLabels: Labels.empty,
      externalUrl: 'http://sluice.example.com',
      intervalMs: MINUTE_MS,
      resendDelayMs: MINUTE_MS,
      monotonicMs: () => 0,
      ...overrides,
    }
    this.group = this.make(definition)
  }

  make(definition: object): RuleGroup {
    const [group] = readRules(JSON.stringify({ groups: [{ name: 'g', ...definition }] }))
    if (group === undefined) throw new Error('no group')
    return new RuleGroup('rules.yaml', group, this.environment)
  }

  /** Replaces the group by one with another definition, as a configuration reload does. */
  reload(definition: object): void {
    const next = this.make(definition)
    next.takeOver(this.group)
    this.group = next
  }

  /** Returns the alert states of the first rule, keyed by label set without `alertname`. */
  states(): Readonly<Record<string, string>> {
    const [rule] = this.group.status().rules
    if (rule?.kind !== 'alerting') return {}
    return Object.fromEntries(rule.alerts.map(({ labels, state }) => [String(labels.without(['alertname'])), state]))
  }
}

export function sample(value: number, labels: Readonly<Record<string, string>> = {}): RuleResult[number] {
  return { labels: Labels.of(labels), value }
}
