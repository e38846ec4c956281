import { describe, expect, test } from 'vitest'
import { Budget, runNumber, readsOfWork, work, runWithBudget } from '../../src/base/index.ts'

function newBudget(nowMs = (): number => 0, signal?: AbortSignal): Budget {
  return new Budget({ memoryBytes: 1, timeoutMs: 1000, scanRows: 1 }, nowMs, signal)
}

function longLoop(): void {
  for (let i = 0; i < 100_000; i++) work(1)
}

describe('work for a query', () => {
  test('ends when the query is cancelled', () => {
    const budget = newBudget()
    budget.cancel()
    expect(() => runWithBudget(budget, longLoop)).toThrow('cancelled')
  })

  test('ends when its time is over', () => {
    let nowMs = 0
    const budget = newBudget(() => (nowMs += 600))
    expect(() => runWithBudget(budget, longLoop)).toThrow('time limit')
  })

  test('has a number, and what it reads is counted by its query', () => {
    const budget = newBudget()
    const numbers = [1, 2].map(() => runWithBudget(budget, () => runWithBudget(budget, runNumber)))
    expect(new Set(numbers).size).toBe(2)
    expect(runWithBudget(budget, readsOfWork)).toBe(budget.reads)
    expect(readsOfWork()).toBeUndefined()
  })

  test('gives what the piece gives', () => {
    expect(runWithBudget(newBudget(), () => 'answer')).toBe('answer')
  })

  test('of a query inside another looks at the inner one, then at the outer one again', () => {
    const outer = newBudget()
    const inner = newBudget()
    outer.cancel()
    expect(() =>
      runWithBudget(outer, () => {
        runWithBudget(inner, longLoop)
        longLoop()
      }),
    ).toThrow('cancelled')
    expect(() => runWithBudget(inner, longLoop)).not.toThrow()
  })

  test('outside a query is not stopped', () => {
    const budget = newBudget()
    budget.cancel()
    expect(() => runWithBudget(budget, longLoop)).toThrow('cancelled')
    expect(longLoop).not.toThrow()
  })
})

describe('whoever waits for a cancel', () => {
  test('is woken by it, once', () => {
    const controller = new AbortController()
    const budget = newBudget(undefined, controller.signal)
    let woken = 0
    budget.onCancel(() => woken++)
    const forget = budget.onCancel(() => (woken += 100))
    forget()
    controller.abort()
    budget.cancel()
    expect(woken).toBe(1)
  })

  test('is woken at once when it has been', () => {
    const budget = newBudget()
    budget.cancel()
    let woken = 0
    budget.onCancel(() => woken++)
    expect(woken).toBe(1)
  })
})
