import type { Random } from '../../../src/base/index.ts'
import type { Level, SetName, Tick } from './reference-model.ts'

const INTERVAL_MS = 60_000
const intervalMs = [INTERVAL_MS, INTERVAL_MS / 2, 3 * INTERVAL_MS]
const START_MS = 1_700_000_000_000

const pendingForMs = [0, 0, 60_000, 90_000, 120_000, 300_000]
const keepFiringForMs = [0, 0, 60_000, 150_000, 300_000]
const noDataStates = ['OK', 'Alerting', 'NoData', 'KeepLast'] as const
const errorStates = ['OK', 'Alerting', 'Error', 'KeepLast'] as const
/** Label sets that occur in one history. `''` is the set with only the monitor's own labels. */
const setNames: readonly (readonly SetName[])[] = [
  ['a'],
  [''],
  ['a', ''],
  ['a', 'b'],
  ['a', 'b', 'c'],
  ['a', 'b', 'c', ''],
]
/** Levels that results can have, for monitors without and with a resolve threshold. */
const levels: readonly (readonly Level[])[] = [
  ['calm', 'breach'],
  ['calm', 'between', 'breach'],
]

/**
 * Draws the milliseconds to the next tick: mostly one interval, sometimes a gap, and rarely a clock that is set back.
 */
function stepMs(random: Random): number {
  const kind = random.below(40)
  if (kind === 0) return -random.below(12) * INTERVAL_MS
  if (kind < 4) return random.below(8) * INTERVAL_MS + 20_000
  if (kind < 7) return random.below(10) * INTERVAL_MS
  return INTERVAL_MS
}

/** Draws the ticks of one monitor. Generators with equal seeds draw equal histories. */
export function drawHistory(random: Random): readonly Tick[] {
  const sets = random.pick(setNames)
  const values = random.pick(levels)
  const current = new Map<SetName, Level | undefined>()
  let kind: 'results' | 'no-data' | 'error' = 'results'
  let atMs = START_MS
  // If `autoResolve` is edited during a history, the specification leaves open how much of `keepFiringForMs` has passed
  // by then. Such histories therefore use 0.
  const isAutoResolveEdited = random.below(2) === 0
  let settings: Tick['settings'] = {
    intervalMs: INTERVAL_MS,
    pendingForMs: random.pick(pendingForMs),
    keepFiringForMs: isAutoResolveEdited ? 0 : random.pick(keepFiringForMs),
    autoResolve: random.below(4) > 0,
    noDataState: random.pick(noDataStates),
    errorState: random.pick(errorStates),
  }
  const ticks: Tick[] = []
  for (let left = 5 + random.below(26); left > 0; left--) {
    if (random.below(3) === 0) kind = random.pick(['results', 'results', 'results', 'no-data', 'error'])
    for (const set of sets)
      if (random.below(3) === 0) current.set(set, random.below(4) === 0 ? undefined : random.pick(values))
    const results = [...current].flatMap(([set, level]) => (level === undefined ? [] : [[set, level] as const]))
    if (random.below(40) === 0) settings = { ...settings, intervalMs: random.pick(intervalMs) }
    if (random.below(20) === 0) settings = { ...settings, pendingForMs: random.pick(pendingForMs) }
    if (random.below(20) === 0)
      settings = isAutoResolveEdited
        ? { ...settings, autoResolve: !settings.autoResolve }
        : { ...settings, keepFiringForMs: random.pick(keepFiringForMs) }
    if (random.below(20) === 0) settings = { ...settings, noDataState: random.pick(noDataStates) }
    if (random.below(20) === 0) settings = { ...settings, errorState: random.pick(errorStates) }
    ticks.push({
      atMs,
      isPausedBefore: random.below(40) === 0,
      resolvedBefore: random.below(20) === 0 ? random.pick(sets) : undefined,
      isEditedBefore: random.below(20) === 0,
      settings,
      outcome: kind !== 'results' ? kind : results.length > 0 ? new Map(results) : 'no-data',
    })
    atMs += stepMs(random)
  }
  return ticks
}
