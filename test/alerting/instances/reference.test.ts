import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/index.ts'
import { compareWithModel, failureText, shortest } from './compare.ts'
import { drawHistory } from './histories.ts'
import { referenceStates, type Tick } from './reference-model.ts'

const HISTORIES = 3000

test('the state machine and the model give the same instances and transitions', () => {
  const random = seededRandom(1)
  for (let i = 0; i < HISTORIES; i++) {
    const history = drawHistory(random)
    if (compareWithModel(history) !== undefined) expect.fail(failureText(shortest(history)))
  }
})

test('drawn histories reach all states with all reasons', () => {
  const random = seededRandom(2)
  const found = new Set<string>()
  for (let i = 0; i < HISTORIES; i++) {
    const ticks = drawHistory(random).filter(({ atMs }, n, all) => n === 0 || atMs > (all[n - 1]?.atMs ?? 0))
    for (const states of referenceStates(ticks))
      for (const { state, reason } of states.values()) found.add(`${state} ${reason ?? '-'}`)
  }
  const reasons = ['-', 'NoData', 'Error', 'KeepLast']
  const expected = [
    ...reasons.flatMap((reason) => [`Normal ${reason}`, `Pending ${reason}`, `Alerting ${reason}`]),
    'Alerting Held',
    'Alerting KeepFiring',
    'NoData NoData',
    'Error Error',
  ]
  expect([...found].sort()).toEqual(expected.sort())
})

test('a failing history is shortened, and printed a line a tick', () => {
  const settings: Tick['settings'] = {
    intervalMs: 60_000,
    pendingForMs: 0,
    keepFiringForMs: 0,
    autoResolve: true,
    noDataState: 'OK',
    errorState: 'OK',
  }
  const at = (atMs: number, outcome: Tick['outcome']): Tick => ({
    atMs,
    isPausedBefore: false,
    resolvedBefore: undefined,
    isEditedBefore: false,
    settings,
    outcome,
  })
  const history = [at(0, 'error'), at(60_000, 'no-data'), at(120_000, new Map([['a', 'breach']] as const))]
  const hasNoData = (ticks: readonly Tick[]): boolean => ticks.some(({ outcome }) => outcome === 'no-data')
  expect(shortest(history, hasNoData)).toEqual([history[1]])
  expect(failureText(history).split('\n')).toHaveLength(4)
})
