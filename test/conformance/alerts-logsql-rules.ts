import { collect, present, SluiceError } from '../../src/base/index.ts'
import { Instant, Labels, type Row, type Value } from '../../src/data/index.ts'
import { readRows, type Engine } from '../../src/engine/index.ts'
import { RuleGroup, readRules, type RuleEnvironment, type WrittenSample } from '../../src/alerting/rules/index.ts'
import { parseSeriesNotation } from '../../src/alerting/testing/promtool/series/notation.ts'
import { engineOver } from './logsql-table.ts'
import { readCases } from './alerts-cases.ts'
import { checkAll, unreadable, type Outcome, type Verdict } from './outcome.ts'

type Texts = Readonly<Record<string, string>>

interface LogRuleCase {
  readonly id: string
  readonly expr: string
  readonly interval: string
  readonly for?: string
  readonly keep_firing_for?: string
  readonly record?: string
  readonly labels?: Texts
  readonly annotations?: Texts
  /** Times of the evaluations, in seconds since time zero. */
  readonly evaluations?: readonly number[]
  /** For each label set, the expected states: one letter per evaluation. */
  readonly states?: Texts
  /** For each label set, the expected annotations when its alert first fires. */
  readonly annotated?: Readonly<Record<string, Texts>>
  readonly recorded?: Readonly<Record<string, readonly (number | null)[]>>
  readonly refused?: string
  readonly fails?: string
}

type RecordedRow = Readonly<Record<string, string | number>> & { readonly t: number }

/** Time zero of the cases in ms since 1970. */
const ZERO_MS = Date.UTC(2026, 10, 26)

function rowOf({ t, ...fields }: RecordedRow): Row {
  const timeNs = BigInt(Math.round((ZERO_MS + t * 1000) * 1000)) * 1000n
  return new Map<string, Value>([['_time', new Instant(timeNs)], ...Object.entries(fields)])
}

function ruleFile({ record, expr, interval, labels, annotations, ...rest }: LogRuleCase): string {
  const rule =
    record === undefined
      ? { alert: 'A', expr, labels, annotations, for: rest.for, keep_firing_for: rest.keep_firing_for }
      : { record, expr, labels }
  return JSON.stringify({ groups: [{ name: 'g', type: 'vlogs', interval, rules: [rule] }] })
}

function environment(engine: Engine, write: (samples: readonly WrittenSample[]) => void): RuleEnvironment {
  return {
    queries: {
      instant: () => Promise.reject(new Error('not a metric query')),
      logRows: (text, atMs, windowMs) => {
        const nowNs = BigInt(atMs) * 1_000_000n
        const startNs = nowNs - BigInt(windowMs ?? 0) * 1_000_000n
        const range = windowMs === undefined ? undefined : { startNs, endNs: nowNs }
        return collect(readRows(engine.query(text, { dialect: 'logsql', lint: 'off', nowNs, range }).batches()))
      },
    },
    sink: { write },
    externalLabels: Labels.empty,
    externalUrl: '',
    intervalMs: 60_000,
    resendDelayMs: 60_000,
    monotonicMs: () => 0,
  }
}

function keyOf(labels: string): string {
  return present(parseSeriesNotation(labels).series).labels.key
}

/** Collects one entry per evaluation for each label set. `nothing` fills evaluations in which a label set is absent. */
class Seen<T> {
  readonly #byKey = new Map<string, { readonly labels: Labels; readonly entries: T[] }>()
  readonly #nothing: T

  constructor(nothing: T) {
    this.#nothing = nothing
  }

  add(labels: Labels, evaluation: number, entry: T): void {
    const known = this.#byKey.get(labels.key) ?? { labels, entries: [] }
    this.#byKey.set(labels.key, known)
    while (known.entries.length < evaluation) known.entries.push(this.#nothing)
    known.entries.push(entry)
  }

  /** Returns the first difference from the expected entries; `undefined` if there is none. */
  difference(expected: Readonly<Record<string, readonly T[]>>): string | undefined {
    const keys = new Map(Object.entries(expected).map(([labels, entries]) => [keyOf(labels), entries]))
    for (const [key, { labels, entries }] of this.#byKey) {
      const wanted = keys.get(key)
      if (wanted === undefined) return `unexpected ${String(labels)}: ${entries.join(' ')}`
      while (entries.length < wanted.length) entries.push(this.#nothing)
      if (entries.join() !== wanted.join()) return `${String(labels)}: ${entries.join(' ')}, not ${wanted.join(' ')}`
      keys.delete(key)
    }
    return keys.size === 0 ? undefined : `missing ${[...keys.keys()].join(' ')}`
  }
}

async function check(vector: LogRuleCase, engine: Engine): Promise<Verdict> {
  let definition
  try {
    definition = present(readRules(ruleFile(vector))[0])
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return vector.refused === undefined ? { failure: `refused: ${error.message}` } : undefined
  }
  if (vector.refused !== undefined) return { failure: 'taken' }
  const states = new Seen<string>('.')
  const recorded = new Seen<number | null>(null)
  const annotations = new Map<string, Labels>()
  const errors: string[] = []
  let evaluation = 0
  const group = new RuleGroup(
    'rules.yaml',
    definition,
    environment(engine, (samples) => {
      for (const { labels, sample } of samples)
        if (labels.metricName === vector.record && sample.isStale !== true)
          recorded.add(labels.withoutName(), evaluation, sample.value)
    }),
  )
  const times = vector.evaluations ?? Array.from({ length: 31 }, (_, i) => 2 * i)
  for (; evaluation < times.length; evaluation++) {
    await group.evaluate(ZERO_MS + present(times[evaluation]) * 1000)
    const [rule] = group.status().rules
    if (rule?.lastError !== '') errors.push(String(rule?.lastError))
    for (const alert of rule?.kind === 'alerting' ? rule.alerts : []) {
      const labels = alert.labels.without(['alertname'])
      states.add(labels, evaluation, alert.state === 'firing' ? 'F' : 'P')
      if (alert.state === 'firing' && !annotations.has(labels.key)) annotations.set(labels.key, alert.annotations)
    }
  }
  if (vector.fails !== undefined) return errors.length > 0 ? undefined : { failure: 'does not fail' }
  if (errors.length > 0) return { failure: `fails: ${errors[0]}` }
  const letters = Object.entries(vector.states ?? {}).map(([labels, text]) => [labels, text.split('')] as const)
  const difference =
    states.difference(Object.fromEntries(letters)) ?? recorded.difference(vector.recorded ?? {}) ?? undefined
  if (difference !== undefined) return { failure: difference }
  for (const [labels, texts] of Object.entries(vector.annotated ?? {})) {
    const found = annotations.get(keyOf(labels))
    if (found?.key !== Labels.of(texts).key) return { failure: `${labels} has annotations ${String(found)}` }
  }
  return undefined
}

/** Checks rules with log queries against the cases. */
export async function checkAlertLogRules(directory: string): Promise<readonly Outcome[]> {
  const file = 'logsql-rules.json'
  try {
    const content = readCases<LogRuleCase>(directory, file)
    if (content === undefined) return []
    const engine = engineOver((content.others['rows'] as readonly RecordedRow[]).map(rowOf))
    return [await checkAll(file, content.cases, (vector) => check(vector, engine))]
  } catch (error) {
    return [unreadable(file, error)]
  }
}
