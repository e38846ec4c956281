import { describe, expect, test } from 'vitest'
import { medianMs, MOST_RUNS } from '../../bench/measure.ts'

async function runsWithin(budgetMs: number): Promise<number> {
  let runs = 0
  await medianMs(async () => void runs++, budgetMs)
  return runs
}

describe('a warm median', () => {
  test('is one of three runs where the budget is less than they take', async () => {
    expect(await runsWithin(0)).toBe(3)
  })

  test('is one of many runs of a short task, not of endless ones', async () => {
    expect(await runsWithin(Infinity)).toBe(MOST_RUNS)
  })
})
