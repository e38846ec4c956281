import {
  advance,
  endAll,
  initialState,
  isDue,
  resolveByHand,
  type Evaluation,
  type Instance,
  type InstanceRules,
  type MonitorState,
  type Reason,
  type InstanceStep,
} from '../../../src/alerting/instances/index.ts'
import { Labels } from '../../../src/data/index.ts'
import type { Level, SetName } from './reference-model.ts'

export const MINUTE_MS = 60_000

export const monitorLabels = Labels.of({ alertname: 'T' })

const labelsOf: Readonly<Record<SetName, Labels>> = {
  '': monitorLabels,
  'no-data': monitorLabels.with('reason', 'NoData'),
  error: monitorLabels.with('reason', 'Error'),
  a: monitorLabels.with('host', 'a'),
  b: monitorLabels.with('host', 'b'),
  c: monitorLabels.with('host', 'c'),
}
const setOfKey = new Map(Object.entries(labelsOf).map(([set, { key }]) => [key, set]))

export function labelsOfSet(set: SetName): Labels {
  const labels = labelsOf[set]
  if (labels === undefined) throw new Error(`no labels of the set ${JSON.stringify(set)}`)
  return labels
}

export function setOfLabels({ key }: Labels): SetName {
  const set = setOfKey.get(key)
  if (set === undefined) throw new Error(`no set has the labels ${JSON.stringify(key)}`)
  return set
}

export function evaluationOf(outcome: ReadonlyMap<SetName, Level> | 'no-data' | 'error'): Evaluation {
  if (typeof outcome !== 'object') return { kind: outcome }
  const isBreaching = (level: Level) => (isAlerting: boolean) =>
    level === 'breach' || (isAlerting && level === 'between')
  const results = [...outcome].map(([set, level]) => ({ labels: labelsOfSet(set), isBreaching: isBreaching(level) }))
  return { kind: 'results', results }
}

/**
 * Outcome of one evaluation: the level of each label set, the name of the only set (which breaches), missing data, or
 * an error.
 */
export type Outcome = Readonly<Record<SetName, Level>> | '' | 'a' | 'b' | 'no-data' | 'error'

/** A state change of one label set, with the reason of the new state. */
export type Change = readonly [set: SetName, from: string, to: string, reason: Reason | undefined]

const letters = { Normal: '.', Pending: 'P', Alerting: 'A', NoData: 'N', Error: 'E' } as const

const defaultRules: InstanceRules = {
  intervalMs: MINUTE_MS,
  pendingForMs: 0,
  keepFiringForMs: 0,
  autoResolve: true,
  noDataState: 'OK',
  errorState: 'OK',
  monitorLabels,
}

/**
 * A monitor that a test evaluates step by step. The first evaluation is at time 0, the others a minute apart unless a
 * time is given.
 */
export class TestMonitor {
  #rules: InstanceRules
  #state: MonitorState = initialState
  #nextMs = 0
  readonly #history: ReadonlyMap<string, Instance>[] = []

  constructor(rules: Partial<InstanceRules>) {
    this.#rules = { ...defaultRules, ...rules }
  }

  evaluate(outcome: Outcome, nowMs = this.#nextMs): readonly Change[] {
    const isNone = outcome === 'no-data' || outcome === 'error'
    const sets = isNone ? outcome : typeof outcome === 'object' ? outcome : ({ [outcome]: 'breach' } as const)
    const evaluation = evaluationOf(typeof sets === 'object' ? new Map(Object.entries(sets)) : sets)
    const step = advance(this.#state, evaluation, this.#rules, nowMs)
    this.#nextMs = nowMs + MINUTE_MS
    this.#history.push(step.state.instances)
    return this.#take(step)
  }

  isDue(atMs: number): boolean {
    return isDue(this.#state, atMs)
  }

  edit(rules: Partial<InstanceRules>): void {
    this.#rules = { ...this.#rules, ...rules }
  }

  editModel(): void {
    this.#state = { ...this.#state, isModelEdited: true }
  }

  end(reason: 'Paused' | 'Deleted' | 'Updated'): readonly Change[] {
    return this.#take(endAll(this.#state, reason, this.#nextMs))
  }

  resolve(set: SetName): readonly Change[] | undefined {
    const step = resolveByHand(this.#state, labelsOfSet(set), this.#nextMs)
    return step && this.#take(step)
  }

  instance(set: SetName): Instance | undefined {
    return this.#state.instances.get(labelsOfSet(set).key)
  }

  /** Returns one letter per evaluation for each label set that has ever left Normal. `.` means Normal or absent. */
  states(): Readonly<Record<SetName, string>> {
    const texts = Object.entries(labelsOf).map(([set, { key }]) => {
      const text = this.#history.map((instances) => letters[instances.get(key)?.state ?? 'Normal']).join('')
      return [set, text] as const
    })
    return Object.fromEntries(texts.filter(([, text]) => /[PANE]/.test(text)))
  }

  #take({ state, transitions }: InstanceStep): readonly Change[] {
    this.#state = state
    return transitions.map(({ from, to }) => [setOfLabels(to.labels), from, to.state, to.reason])
  }
}
