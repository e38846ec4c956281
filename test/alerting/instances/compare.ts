import {
  advance,
  endAll,
  initialState,
  isDue,
  resolveByHand,
  type Instance,
  type MonitorState,
  type Transition,
} from '../../../src/alerting/instances/index.ts'
import { isEvaluated, referenceStates, type ModelInstance, type SetName, type Tick } from './reference-model.ts'
import { evaluationOf, labelsOfSet, monitorLabels, setOfLabels } from './test-monitor.ts'

type Named = readonly (readonly [set: SetName, shown: string])[]

function shown({ state, reason, activeAtMs, firedAtMs }: ModelInstance): string {
  return `${state} ${reason ?? '-'} ${activeAtMs ?? '-'} ${firedAtMs ?? '-'}`
}

function shownInstances(instances: Iterable<Instance>): Named {
  return [...instances].map((instance) => [setOfLabels(instance.labels), shown(instance)])
}

/**
 * Returns the first difference between two lists of named label sets, ignoring their order; `undefined` if there is
 * none.
 */
function difference(found: Named, wanted: Named): string | undefined {
  const [a, b] = [new Map(found), new Map(wanted)]
  for (const set of new Set([...a.keys(), ...b.keys()]))
    if (a.get(set) !== b.get(set))
      return `{${set}} is ${a.get(set) ?? 'absent'}, the model says ${b.get(set) ?? 'absent'}`
  return a.size === found.length ? undefined : 'a set is listed twice'
}

/**
 * Returns the state changes between two consecutive evaluations of the reference model, in the form `before → after`.
 */
function changes(before: ReadonlyMap<SetName, ModelInstance>, after: ReadonlyMap<SetName, ModelInstance>): Named {
  const sets = new Set([...before.keys(), ...after.keys()])
  const stateIn = (states: ReadonlyMap<SetName, ModelInstance>, set: SetName): string =>
    states.get(set)?.state ?? 'Normal'
  return [...sets]
    .map((set) => [set, `${stateIn(before, set)} → ${stateIn(after, set)}`] as const)
    .filter(([set]) => stateIn(before, set) !== stateIn(after, set))
}

function shownTransitions(transitions: readonly Transition[]): Named {
  return transitions.map(({ from, to }) => [setOfLabels(to.labels), `${from} → ${to.state}`])
}

/**
 * Runs a history through the state machine and through the reference model. Returns the first difference between them.
 */
export function compareWithModel(history: readonly Tick[]): string | undefined {
  const evaluated: Tick[] = []
  const steps: {
    readonly state: MonitorState
    readonly transitions: readonly Transition[]
    readonly isQuiet: boolean
  }[] = []
  let state = initialState
  for (const tick of history) {
    let before = tick.isPausedBefore ? endAll(state, 'Paused', tick.atMs).state : state
    const last = tick.isPausedBefore ? undefined : evaluated.at(-1)
    if (isDue(before, tick.atMs) !== isEvaluated(tick, last)) return `tick ${tick.atMs}: due differs`
    if (!isDue(before, tick.atMs)) continue
    if (tick.isEditedBefore) before = { ...before, isModelEdited: true }
    if (tick.resolvedBefore !== undefined)
      before = resolveByHand(before, labelsOfSet(tick.resolvedBefore), tick.atMs)?.state ?? before
    const step = advance(before, evaluationOf(tick.outcome), { ...tick.settings, monitorLabels }, tick.atMs)
    state = step.state
    evaluated.push(tick)
    steps.push({ ...step, isQuiet: !tick.isPausedBefore && tick.resolvedBefore === undefined })
  }
  const states = referenceStates(evaluated)
  for (const [i, step] of steps.entries()) {
    const model = states[i] ?? new Map<SetName, ModelInstance>()
    const ofModel = [...model].map(([set, instance]) => [set, shown(instance)] as const)
    const fault = difference(shownInstances(step.state.instances.values()), ofModel)
    if (fault !== undefined) return `evaluation ${i}: ${fault}`
    if (!step.isQuiet) continue
    const changed = difference(shownTransitions(step.transitions), changes(states[i - 1] ?? new Map(), model))
    if (changed !== undefined) return `evaluation ${i}, transitions: ${changed}`
  }
  return undefined
}

function differs(history: readonly Tick[]): boolean {
  return compareWithModel(history) !== undefined
}

/** Shrinks a failing history: drops ticks as long as the rest still fails. */
export function shortest(history: readonly Tick[], fails = differs): readonly Tick[] {
  for (let i = history.length - 1; i >= 0; i--) {
    const shorter = history.toSpliced(i, 1)
    if (fails(shorter)) return shortest(shorter, fails)
  }
  return history
}

/** Formats a history for an error message: the first difference, then one line per tick. */
export function failureText(history: readonly Tick[]): string {
  const lines = history.map(({ outcome, ...tick }) =>
    JSON.stringify({ ...tick, outcome: typeof outcome === 'object' ? Object.fromEntries(outcome) : outcome }),
  )
  return [compareWithModel(history) ?? 'no difference', ...lines].join('\n  ')
}
