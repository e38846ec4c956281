import {
  breaches,
  evaluateMath,
  isComplete,
  parseMath,
  reducePoints,
  reducerType,
  strictMode,
  valueOfCell,
  type LabelledValue,
  type MathInput,
  type ReducerMode,
  type Threshold,
  type Value,
} from '../../src/alerting/conditions/index.ts'
import {
  advance,
  initialState,
  isDue,
  type Evaluation,
  type InstanceRules,
  type MonitorState,
} from '../../src/alerting/instances/index.ts'
import { parseDurationNs } from '../../src/base/index.ts'
import { Labels, compareText } from '../../src/data/index.ts'
import { thresholdOperator } from '../../src/wire/index.ts'
import { labelsOfText, type LabelText } from './alerts-labels.ts'
import { readCases } from './alerts-cases.ts'
import { checkAll, type Outcome, type Vector, type Verdict } from './outcome.ts'

/** A number as JSON has it. `NaN`, `+Inf`, `-Inf` and `{text}` stand for values that JSON cannot hold. */
type Given = number | boolean | null | 'NaN' | '+Inf' | '-Inf' | { readonly text: string }

interface GivenThreshold {
  readonly operator: string
  readonly values: readonly number[]
  readonly customResolveThreshold?: GivenThreshold
}

interface GivenReducer {
  readonly type: string
  readonly settings?: { readonly mode: ReducerMode['mode']; readonly replaceWithValue?: number }
}

interface Rules {
  readonly interval: string
  readonly pendingFor: string
  readonly threshold: GivenThreshold
  readonly noDataState: InstanceRules['noDataState']
  readonly executionErrorState: InstanceRules['errorState']
  readonly autoResolve: boolean
}

type Sets = Readonly<Record<LabelText, Given>>
type GivenResult = Sets | 'NoData' | 'Error' | '-'

type Case = Vector &
  (
    | {
        readonly kind: 'reduce'
        readonly reducer: GivenReducer
        readonly points: readonly Given[]
        readonly result: Given
      }
    | ({
        readonly kind: 'threshold'
        readonly value?: Given
        readonly breaches?: boolean
        readonly refused?: boolean
      } & GivenThreshold)
    | {
        readonly kind: 'thresholds'
        readonly thresholds: readonly GivenThreshold[]
        readonly value: Given
        readonly breaches: boolean
      }
    | {
        readonly kind: 'hysteresis'
        readonly threshold: GivenThreshold
        readonly interval: string
        readonly pendingFor: string
        readonly values: readonly Given[]
        readonly states: string
      }
    | {
        readonly kind: 'math'
        readonly expression: string
        readonly names: Readonly<Record<string, Given>>
        readonly result?: Given
        readonly refused?: boolean
      }
    | {
        readonly kind: 'math pairs'
        readonly expression: string
        readonly sets: Readonly<Record<string, Sets | 'NoData'>>
        readonly result: Sets | 'NoData'
      }
    | {
        readonly kind: 'states'
        readonly monitor: Rules
        readonly results: readonly GivenResult[]
        readonly states: Readonly<Record<LabelText, string>>
      }
  )

function valueOf(given: Given | undefined): Value {
  if (given === 'NaN' || given === '+Inf' || given === '-Inf') return Number(given.replace('Inf', 'Infinity'))
  return valueOfCell(typeof given === 'object' && given !== null ? given.text : (given ?? null))
}

function thresholdOf({ operator, values, customResolveThreshold }: GivenThreshold): Threshold | undefined {
  const known = thresholdOperator(operator)
  if (known === undefined || !isComplete({ operator: known, values })) return undefined
  const resolve = customResolveThreshold === undefined ? undefined : thresholdOf(customResolveThreshold)
  return { operator: known, values, resolve }
}

function setsOf(sets: Sets | 'NoData'): MathInput {
  if (sets === 'NoData') return 'no-data'
  return Object.entries(sets).map(([text, given]) => ({ labels: labelsOfText(text), value: valueOf(given) }))
}

function expectSame(found: unknown, wanted: unknown): Verdict {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'number' && !Number.isFinite(inner) ? String(inner) : inner,
    ) ?? 'undefined'
  return text(found) === text(wanted) ? undefined : { failure: `gives ${text(found)}, wanted ${text(wanted)}` }
}

function msOf(duration: string): number {
  return Number((parseDurationNs(duration) ?? 0n) / 1_000_000n)
}

const letters = { Normal: '.', Pending: 'P', Alerting: 'A', NoData: 'N', Error: 'E' } as const

/** Runs the state machine over results that are one interval apart. The result `-` skips an evaluation. */
function statesOf(rules: Rules, results: readonly GivenResult[]): ReadonlyMap<string, string> {
  const threshold = thresholdOf(rules.threshold)
  const settings: InstanceRules = {
    intervalMs: msOf(rules.interval),
    pendingForMs: msOf(rules.pendingFor),
    keepFiringForMs: 0,
    autoResolve: rules.autoResolve,
    noDataState: rules.noDataState,
    errorState: rules.executionErrorState,
    monitorLabels: Labels.empty,
  }
  const isBreaching = (value: Value) => (isAlerting: boolean) =>
    threshold !== undefined && breaches(threshold, value, isAlerting)
  const evaluationOf = (given: Exclude<GivenResult, '-'>): Evaluation => {
    if (given === 'Error') return { kind: 'error' }
    const values = setsOf(given)
    const found = values === 'no-data' ? [] : values.filter(({ value }) => value !== undefined)
    if (found.length === 0) return { kind: 'no-data' }
    return { kind: 'results', results: found.map(({ labels, value }) => ({ labels, isBreaching: isBreaching(value) })) }
  }
  let state: MonitorState = initialState
  const seen = new Map<string, string>()
  results.forEach((given, i) => {
    const nowMs = i * settings.intervalMs
    const isEvaluated = given !== '-' && isDue(state, nowMs)
    if (isEvaluated) ({ state } = advance(state, evaluationOf(given), settings, nowMs))
    for (const { labels, state: name } of state.instances.values()) {
      const key = labels.toString()
      const before =
        seen.get(key) ?? '.'.repeat(i).replaceAll(/./g, (_, at: number) => (results[at] === '-' ? '-' : '.'))
      seen.set(key, before + (isEvaluated ? letters[name] : '-'))
    }
    for (const [key, text] of seen) if (text.length === i) seen.set(key, `${text}${isEvaluated ? '.' : '-'}`)
  })
  return new Map([...seen].filter(([, text]) => /[PANE]/.test(text)))
}

function check(vector: Case): Verdict {
  switch (vector.kind) {
    case 'reduce': {
      const { type, settings } = vector.reducer
      const mode =
        settings === undefined ? strictMode : { mode: settings.mode, replacement: settings.replaceWithValue ?? 0 }
      const known = reducerType(type)
      if (known === undefined) return { failure: 'is no reducer' }
      return expectSame(reducePoints(known, vector.points.map(valueOf), mode), valueOf(vector.result))
    }
    case 'threshold': {
      const threshold = thresholdOf(vector)
      if (vector.refused === true) return expectSame(threshold, undefined)
      return expectSame(threshold !== undefined && breaches(threshold, valueOf(vector.value), false), vector.breaches)
    }
    case 'thresholds': {
      const found = vector.thresholds.map(thresholdOf)
      const isAny = found.some((one) => one !== undefined && breaches(one, valueOf(vector.value), false))
      return expectSame(isAny, vector.breaches)
    }
    case 'hysteresis': {
      const rules: Rules = { ...vector, noDataState: 'OK', executionErrorState: 'OK', autoResolve: true }
      const states = statesOf(
        rules,
        vector.values.map((value) => ({ '{}': value })),
      )
      return expectSame(states.get('{}') ?? vector.states.replaceAll(/[^.]/g, '?'), vector.states)
    }
    case 'math': {
      const { expr } = parseMath(vector.expression)
      if (vector.refused === true) return expectSame(expr, undefined)
      if (expr === undefined) return { failure: 'is refused' }
      const inputs = Object.entries(vector.names).map(([name, given]) => {
        const one: LabelledValue = { labels: Labels.empty, value: valueOf(given) }
        return [name, [one]] as const
      })
      const found = evaluateMath(expr, new Map(inputs))
      return expectSame(found === 'no-data' ? found : found.map(({ value }) => value), [valueOf(vector.result)])
    }
    case 'math pairs': {
      const { expr } = parseMath(vector.expression)
      if (expr === undefined) return { failure: 'is refused' }
      const inputs = Object.entries(vector.sets).map(([name, sets]) => [name, setsOf(sets)] as const)
      const shown = (input: MathInput): unknown =>
        input === 'no-data' ? input : input.map(({ labels, value }) => [labels.toString(), value ?? null])
      return expectSame(shown(evaluateMath(expr, new Map(inputs))), shown(setsOf(vector.result)))
    }
    case 'states': {
      const sorted = (states: Iterable<readonly [string, string]>): unknown =>
        [...states].sort(([a], [b]) => compareText(a, b))
      const wanted = Object.entries(vector.states)
      return expectSame(
        sorted(statesOf(vector.monitor, vector.results)),
        sorted(wanted.map(([text, states]) => [labelsOfText(text).toString(), states])),
      )
    }
  }
}

/** Checks reducers, thresholds, math expressions and states against cases that were derived from the specification. */
export async function checkAlertsDerived(directory: string): Promise<readonly Outcome[]> {
  const file = readCases<Case>(directory, 'derived.json')
  return file === undefined ? [] : [await checkAll('derived.json', file.cases, check)]
}
