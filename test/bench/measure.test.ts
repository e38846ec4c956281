import { describe, expect, test } from 'vitest'
import { medianMs, MOST_RUNS } from '../../bench/measure.ts'

async function runsWithin(budgetMs: number): Promise<number> {
  let runs = 0
  await medianMs(async () => void runs++, budgetMs)
  return runs
}

describe('a warm median', () => {
  test('is that of one run where it takes far more than the budget', async () => {
    expect(await runsWithin(0)).toBe(1)
  })

  test('is one of many runs of a short task, not of endless ones', async () => {
    expect(await runsWithin(Infinity)).toBe(MOST_RUNS)
  })
})
