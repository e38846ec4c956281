import { present, SluiceError } from '../../src/base/index.ts'
import { Labels } from '../../src/data/index.ts'
import {
  RuleGroup,
  readRuleFilters,
  readRules,
  rulesForm,
  type AlertStatus,
  type GroupStatus,
  type RuleEnvironment,
} from '../../src/alerting/rules/index.ts'
import { TestSamples } from '../../src/alerting/testing/promtool/test-samples.ts'
import { readCases } from './alerts-cases.ts'
import { checkAll, unreadable, type Outcome, type Verdict } from './outcome.ts'

interface Case {
  readonly id: string
  readonly kind: string
}

interface RulesCase extends Case {
  readonly query: string
  readonly status: number
  readonly answer: unknown
}

interface EditCase extends Case {
  readonly before: readonly object[]
  readonly after: readonly object[]
  readonly was: Readonly<Record<string, string>>
  readonly is: Readonly<Record<string, { state: string; annotations: object; sameActiveAt: boolean }>>
  readonly resolvedSent: readonly unknown[]
}

interface RestartCase extends Case {
  readonly rules: readonly object[]
  readonly upSeconds: number
  readonly downSeconds: number
  readonly before: Readonly<Record<string, string>>
  readonly states: Readonly<Record<string, string>>
  readonly movedSeconds: Readonly<Record<string, number>>
}

/** Settings of the Prometheus from which the cases were recorded. */
const INTERVAL_MS = 1000
const RESEND_DELAY_MS = 3000
const SETTINGS = { outageToleranceMs: 3_600_000, gracePeriodMs: 2000 }
/** Milliseconds between two recorded states: the pause of half a second, and the duration of a request. */
const STATE_STEP_MS = 505
const START_MS = 1_795_734_940_000

/**
 * Last reading of the monotonic clock in ms. Each reading advances it by 1 ms, because a restored `for` also counts the
 * time that evaluations take.
 */
let clockMs = 0

function environment(): RuleEnvironment {
  const samples = new TestSamples([], START_MS, INTERVAL_MS, 60_000)
  return {
    queries: samples,
    sink: samples,
    externalLabels: Labels.of({ region: 'eu' }),
    externalUrl: 'http://prom.example.com/p',
    intervalMs: INTERVAL_MS,
    resendDelayMs: RESEND_DELAY_MS,
    monotonicMs: () => ++clockMs,
  }
}

function groupOf(definition: object, env = environment()): RuleGroup {
  return new RuleGroup('FILE', present(readRules(JSON.stringify({ groups: [definition] }))[0]), env)
}

async function evaluate(group: RuleGroup, fromMs: number, toMs: number): Promise<void> {
  for (let atMs = fromMs; atMs < toMs; atMs += INTERVAL_MS) await group.evaluate(atMs)
}

/** Returns alerts keyed by name and labels, in the notation of the cases. */
function alertsOf(group: RuleGroup): ReadonlyMap<string, AlertStatus> {
  const alerts = group.status().rules.flatMap((rule) => (rule.kind === 'alerting' ? rule.alerts : []))
  return new Map(
    alerts.map((alert) => {
      const others = alert.labels.without(['alertname']).toPairs()
      return [[alert.labels.get('alertname'), ...others.map(([name, value]) => `${name}=${value}`)].join(' '), alert]
    }),
  )
}

function isEqual(a: unknown, b: unknown): boolean {
  const sorted = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([x], [y]) => (x < y ? -1 : 1))
            .map(([k, v]) => [k, sorted(v)]),
        )
      : Array.isArray(value)
        ? value.map(sorted)
        : value
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function compare(got: unknown, wanted: unknown): Verdict {
  return isEqual(got, wanted) ? undefined : { failure: `gives ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}` }
}

/** Converts the recorded form of the group `one` to a rule definition. */
function definitionOf(form: ReturnType<typeof rulesForm>['groups'][number]): object {
  return {
    name: form.name,
    interval: '1s',
    limit: form.limit,
    rules: form.rules.map((rule) =>
      rule.type === 'recording'
        ? { record: rule.name, expr: rule.query, labels: rule.labels }
        : {
            alert: rule.name,
            expr: rule.query,
            for: `${rule.duration}s`,
            keep_firing_for: `${rule.keepFiringFor}s`,
            labels: rule.labels,
            annotations: rule.annotations,
          },
    ),
  }
}

/** Returns the three groups of the cases: one is evaluated, one exceeds its limit, one is not evaluated yet. */
async function liveGroups(one: object): Promise<readonly GroupStatus[]> {
  const evaluated = groupOf(one)
  const two = { alert: 'Two', expr: 'vector(1) or label_replace(vector(2), "x", "y", "", "")' }
  const limited = groupOf({ name: 'limited', limit: 1, rules: [two] })
  const slow = groupOf({
    name: 'slow',
    interval: '1h',
    rules: [
      { alert: 'NotYet', expr: 'vector(1)' },
      { record: 'not:yet', expr: 'vector(1)' },
    ],
  })
  await evaluate(evaluated, START_MS, START_MS + 10_000)
  await evaluate(limited, START_MS, START_MS + 10_000)
  return [slow, limited, evaluated].map((group) => group.status())
}

/** Summarizes an answer as the cases do: names of groups and rules, with the number of alerts of each rule. */
function summary({ groups }: ReturnType<typeof rulesForm>): object {
  return {
    groups: groups.map(({ name, rules }) => ({
      name,
      rules: rules.map((rule) =>
        rule.type === 'recording' ? rule.name : `${rule.name} (${rule.alerts.length} alerts)`,
      ),
    })),
  }
}

function checkRules({ query, status, answer }: RulesCase, groups: readonly GroupStatus[]): Verdict {
  try {
    const form = rulesForm(groups, readRuleFilters(new URLSearchParams(query)))
    return status === 200 ? compare(summary(form), answer) : { failure: 'taken' }
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return compare({ status: 'error', errorType: 'bad_data', error: error.message }, answer)
  }
}

async function checkEdit({ before, after, was, is, resolvedSent }: EditCase): Promise<Verdict> {
  const env = environment()
  const group = groupOf({ name: 'g', rules: before }, env)
  await evaluate(group, START_MS, START_MS + 5000)
  const old = alertsOf(group)
  const states = Object.fromEntries([...old].map(([key, { state }]) => [key, state]))
  if (!isEqual(states, was)) return compare(states, was)
  const edited = groupOf({ name: 'g', rules: after }, env)
  edited.takeOver(group)
  const sent = await edited.evaluate(START_MS + 5000)
  const [[, oldest] = []] = old
  const found = [...alertsOf(edited)].map(([key, { state, annotations, activeAtMs }]) => [
    key,
    { state, annotations: annotations.toRecord(), sameActiveAt: activeAtMs === oldest?.activeAtMs },
  ])
  const resolved = sent.filter(({ endsAtMs }) => endsAtMs <= START_MS + 5000)
  return compare([Object.fromEntries(found), resolved], [is, resolvedSent])
}

/**
 * Simulates a restart whose evaluations are `phaseMs` after each full second. Returns one verdict for each of `delays`,
 * which are times in ms between the restart and the first recorded state.
 */
async function restart(vector: RestartCase, phaseMs: number, delays: readonly number[]): Promise<readonly Verdict[]> {
  const [key = ''] = Object.keys(vector.states)
  const letters = present(vector.states[key])
  const definition = { name: 'g', rules: vector.rules }
  const first = groupOf(definition)
  const downMs = START_MS + vector.upSeconds * 1000
  await evaluate(first, START_MS + phaseMs, downMs)
  const before = present(alertsOf(first).get(key))
  if (before.state !== vector.before[key]) return [{ failure: `is ${before.state} before` }]
  const second = groupOf(definition)
  second.restore(first.exportState(), SETTINGS)
  const upMs = downMs + vector.downSeconds * 1000
  const firstMs = Math.ceil((upMs - START_MS - phaseMs) / INTERVAL_MS) * INTERVAL_MS + START_MS + phaseMs
  const history: { readonly atMs: number; readonly letter: string }[] = []
  for (let atMs = firstMs; atMs < upMs + 14_000; atMs += INTERVAL_MS) {
    await second.evaluate(atMs)
    const state = alertsOf(second).get(key)?.state
    history.push({ atMs, letter: state === 'firing' ? 'F' : state === 'pending' ? 'P' : '.' })
  }
  const moved = Math.round((present(alertsOf(second).get(key)).activeAtMs - before.activeAtMs) / 1000)
  return delays.map((delayMs) => {
    const got = Array.from(letters, (_, i) => {
      const stateMs = upMs + delayMs + i * STATE_STEP_MS
      return history.findLast(({ atMs }) => atMs <= stateMs)?.letter ?? '.'
    }).join('')
    return compare([got, moved], [letters, vector.movedSeconds[key]])
  })
}

/**
 * Checks a restart. Neither the phase of the evaluations nor the delay of the first state was recorded, so the case
 * passes if any pair of them produces the recorded states.
 */
async function checkRestart(vector: RestartCase): Promise<Verdict> {
  const steps = Array.from({ length: 40 }, (_, i) => i * 25)
  let verdict: Verdict
  for (const phaseMs of steps) {
    for (verdict of await restart(vector, phaseMs, steps)) if (verdict === undefined) return undefined
  }
  return verdict
}

/** Checks that an alert is sent again at the first evaluation after the resend delay. */
async function checkGaps(gaps: readonly number[]): Promise<Verdict> {
  const group = groupOf({ name: 'g', rules: [{ alert: 'Firing', expr: 'vector(2.5)' }] })
  const sent: number[] = []
  for (let second = 0; sent.length <= gaps.length && second < 60; second++) {
    if ((await group.evaluate(START_MS + second * 1000)).length > 0) sent.push(second)
  }
  return compare(
    gaps.map((_, i) => present(sent[i + 1]) - present(sent[i])),
    gaps,
  )
}

/** Checks rule groups against cases recorded from a running Prometheus. */
export async function checkAlertLive(directory: string): Promise<readonly Outcome[]> {
  const file = 'prometheus-live.json'
  try {
    const content = readCases<Case>(directory, file)
    if (content === undefined) return []
    const whole = content.cases.find((each) => each.id === 'live-001') as RulesCase
    const form = whole.answer as ReturnType<typeof rulesForm>['groups'][number]
    const groups = await liveGroups(definitionOf(form))
    const check = (vector: Case): Verdict | Promise<Verdict> => {
      if (vector === whole) {
        const fresh = groupOf(definitionOf(form)).status()
        return compare(rulesForm([fresh], readRuleFilters(new URLSearchParams())).groups, [form])
      }
      switch (vector.kind) {
        case 'rules':
          return checkRules(vector as RulesCase, groups)
        case 'edit':
          return checkEdit(vector as EditCase)
        case 'restart':
          return checkRestart(vector as RestartCase)
        case 'post to Alertmanager':
          return checkGaps((vector as Case & { readonly gaps: readonly number[] }).gaps)
        default:
          return { failure: `is of a kind that is not known: ${vector.kind}` }
      }
    }
    return [await checkAll(file, content.cases, check)]
  } catch (error) {
    return [unreadable(file, error)]
  }
}
