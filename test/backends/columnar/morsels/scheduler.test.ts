import { expect, test } from 'vitest'
import { Budget } from '../../../../src/base/index.ts'
import type { MorselWork, Parallelism, RemoteResult } from '../../../../src/backends/columnar/index.ts'
import { MorselScheduler } from '../../../../src/backends/columnar/morsels/scheduler.ts'
import { QueryEnd } from '../../../../src/backends/columnar/query-end.ts'

const MORSELS = 8
const partial = 'found'

interface Setting {
  readonly shareAfterMs: number
  readonly hasIdle?: () => boolean
  /** Morsels that the local thread takes from the shared counter. */
  readonly own?: number[]
  readonly results?: RemoteResult[]
  readonly canShare?: () => boolean
  readonly grouped?: () => { readonly rows: number; readonly groups: number }
  readonly fits?: boolean
}

/** Creates a scheduler whose clock `pass` advances. */
function schedule(setting: Setting) {
  const { shareAfterMs, hasIdle = () => true, own = [], results = [], canShare, grouped, fits = true } = setting
  let nowMs = 0
  const calls: string[] = []
  const shared: MorselWork[] = []
  const merged: number[] = []
  const parallelism: Parallelism = {
    shareAfterMs,
    get hasIdle() {
      return hasIdle()
    },
    share(work) {
      shared.push(work)
      return {
        next: () => own.shift(),
        received: () => results.shift(),
        settle: () => void calls.push('settle'),
        end: () => void calls.push('end'),
      }
    },
  }
  const budget = new Budget({ memoryBytes: 1e9, timeoutMs: 60_000, scanRows: 1e9 }, () => 0)
  const end = new QueryEnd()
  const morsels = new MorselScheduler<string>({
    query: { parallelism, budget, end },
    morselCount: MORSELS,
    task: () => ({}),
    canShare,
    grouped,
    merge: (_, remote) => {
      if (fits) merged.push(...remote.morsels)
      return fits
    },
    nowMs: () => nowMs,
  })
  return { morsels, pass: (ms: number) => void (nowMs += ms), shared, merged, calls, end }
}

function allOf(morsels: MorselScheduler<string>, from?: number): number[] {
  const all: number[] = []
  for (let morsel = morsels.next(from); morsel !== undefined; morsel = morsels.next()) all.push(morsel)
  return all
}

test('morsels come in ascending order in one thread, without those below the first one wanted', () => {
  const { morsels, shared } = schedule({ shareAfterMs: 1e9 })
  expect(allOf(morsels, 3)).toEqual([3, 4, 5, 6, 7])
  expect(shared).toEqual([])
})

test('the rest is shared once, after a fixed time', () => {
  const { morsels, pass, shared } = schedule({ shareAfterMs: 5, own: [3, 6] })
  expect(morsels.next()).toBe(0)
  pass(4.9)
  expect([morsels.next(), shared.length]).toEqual([1, 0])
  pass(0.1)
  expect(morsels.next()).toBe(3)
  expect(shared).toMatchObject([{ firstMorsel: 2, morselCount: MORSELS }])
  pass(50)
  expect([morsels.next(), shared.length]).toEqual([6, 1])
})

test('nothing is shared while no thread is idle, groups are many, or the operator cannot', () => {
  let [isIdle, can, groups] = [false, false, 100]
  const { morsels, shared } = schedule({
    shareAfterMs: 1e-9,
    own: [4],
    hasIdle: () => isIdle,
    canShare: () => can,
    grouped: () => ({ rows: 100, groups }),
  })
  const { morsels: early } = schedule({ shareAfterMs: 1e-9 })
  expect(early.next()).toBe(0)
  const later = schedule({
    shareAfterMs: 1,
    own: [4],
    hasIdle: () => isIdle,
    canShare: () => can,
    grouped: () => ({ rows: 100, groups }),
  })
  later.pass(2)
  expect(later.morsels.next()).toBe(0)
  isIdle = true
  expect(later.morsels.next()).toBe(1)
  can = true
  expect([later.morsels.next(), later.shared.length]).toEqual([2, 0])
  groups = 12
  expect([later.morsels.next(), later.shared.length]).toEqual([4, 1])
  expect([morsels.next(), shared.length]).toEqual([0, 0])
})

test('one morsel is not shared', () => {
  const { morsels, shared } = schedule({ shareAfterMs: 0 })
  expect([morsels.next(MORSELS - 1), shared.length]).toEqual([MORSELS - 1, 0])
})

test('morsels that others took without a result come again, and those merged do not', () => {
  const results = [
    { morsels: [1, 2], partial, workedMs: 3 },
    { morsels: [3, 5], partial: undefined, workedMs: 1 },
  ]
  const { morsels, merged, calls } = schedule({ shareAfterMs: 0, own: [0, 4], results })
  expect(allOf(morsels)).toEqual([0, 4, 3, 5, 6, 7])
  expect(merged).toEqual([1, 2])
  expect(calls).toEqual(['settle', 'end'])
})

test('morsels of a result that does not fit come again', () => {
  const results = [{ morsels: [1, 2, 3, 4, 5, 6, 7], partial, workedMs: 3 }]
  const { morsels, merged } = schedule({ shareAfterMs: 0, own: [0], results, fits: false })
  expect(allOf(morsels)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(merged).toEqual([])
})

test('the end of the query stops the other threads', async () => {
  const { morsels, calls, end } = schedule({ shareAfterMs: 0, own: [0, 1] })
  morsels.next()
  await end.run()
  expect(calls).toEqual(['end'])
})
