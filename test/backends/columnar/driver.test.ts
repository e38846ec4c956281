import { describe, expect, test } from 'vitest'
import { drive } from '../../../src/backends/columnar/driver.ts'
import { Frame } from '../../../src/backends/columnar/frame.ts'
import { again, type Operator } from '../../../src/backends/columnar/operator.ts'
import { SluiceError } from '../../../src/base/index.ts'
import { columnOfValues, field, type Schema } from '../../../src/data/index.ts'
import { newBudget, newContext } from './answer.ts'

const schema: Schema = { fields: [field('a')], isOpen: false }

function frameOf(rowCount: number): Frame {
  return new Frame(rowCount, new Map([['a', columnOfValues(Array.from({ length: rowCount }, (_, i) => i))]]))
}

type Pulled = ReturnType<Operator['pull']>

/** Pulls give these, one after the other; each works for a while first. */
function operator(results: readonly Pulled[], workMs = 0): Operator {
  let next = 0
  return {
    pull() {
      const endMs = performance.now() + workMs
      while (performance.now() < endMs);
      return results[next++]
    },
  }
}

async function sizes(root: Operator, batchRows: number, budget = newBudget()): Promise<readonly number[]> {
  const found: number[] = []
  for await (const batch of drive(root, schema, newContext(batchRows, budget))) found.push(batch.rowCount)
  return found
}

describe('batches', () => {
  test('are of the size asked for at most, and never empty', async () => {
    const frames: readonly Pulled[] = [
      frameOf(0),
      again,
      frameOf(5),
      frameOf(6),
      frameOf(0),
      frameOf(1),
      again,
      frameOf(11),
    ]
    expect(await sizes(operator(frames), 5)).toEqual([5, 5, 1, 1, 5, 5, 1])
    expect(await sizes(operator(frames), 1)).toHaveLength(23)
    expect(await sizes(operator([]), 5)).toEqual([])
    expect(await sizes(operator([again, frameOf(0)]), 5)).toEqual([])
  })
})

describe('between pieces of work', () => {
  /** Turns of the event loop while pulls work for a millisecond each. */
  async function turns(results: readonly Pulled[]): Promise<number> {
    let count = 0
    const tick = (): void => {
      count++
      next = setImmediate(tick)
    }
    let next = setImmediate(tick)
    await sizes(operator(results, 1), 5)
    clearImmediate(next)
    return count
  }

  test('the event loop runs, though no rows come', async () => {
    // Sixty pulls are sixty milliseconds at least: a turn every five of them, however busy the machine is.
    expect(await turns(Array.from({ length: 60 }, () => again))).toBeGreaterThan(9)
    expect(await turns(Array.from({ length: 60 }, () => frameOf(0)))).toBeGreaterThan(9)
  })

  const idle: readonly (readonly [name: string, pulled: Pulled])[] = [
    ['nothing yet', again],
    ['no rows', frameOf(0)],
  ]
  test.each(idle)('a query is cancelled while its pulls give %s', async (_, result) => {
    const budget = newBudget()
    setImmediate(() => budget.cancel())
    const found = await sizes(
      operator(
        Array.from({ length: 200 }, () => result),
        1,
      ),
      5,
      budget,
    ).catch((error: unknown) => error)
    expect(found).toBeInstanceOf(SluiceError)
    expect((found as SluiceError).code).toBe('budget/cancelled')
  })

  test('a query that is cancelled already pulls nothing', async () => {
    const budget = newBudget()
    budget.cancel()
    let pulls = 0
    const root: Operator = { pull: () => (pulls++ < 5 ? again : undefined) }
    await expect(sizes(root, 5, budget)).rejects.toThrow()
    expect(pulls).toBe(0)
  })
})
