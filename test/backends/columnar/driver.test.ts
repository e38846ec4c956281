import { describe, expect, test } from 'vitest'
import { drive } from '../../../src/backends/columnar/driver.ts'
import { Frame } from '../../../src/backends/columnar/frame.ts'
import { again, type Operator } from '../../../src/backends/columnar/operator.ts'
import { SluiceError, TURN_MS } from '../../../src/base/index.ts'
import { columnOfValues, field, valueAt, type RecordBatch, type Schema, type Value } from '../../../src/data/index.ts'
import { newBudget, newContext } from './answer.ts'

const schema: Schema = { fields: [field('a')], isOpen: false }

function frameOf(rowCount: number): Frame {
  return new Frame(rowCount, new Map([['a', columnOfValues(Array.from({ length: rowCount }, (_, i) => i))]]))
}

function rowsOf(batch: RecordBatch | undefined): readonly Value[] {
  return Array.from({ length: batch?.rowCount ?? 0 }, (_, i) =>
    batch?.columns[0] ? valueAt(batch.columns[0], i) : null,
  )
}

type Pulled = ReturnType<Operator['pull']>

/** Returns an operator whose pulls return these results in order, each after working for `workMs`. */
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

async function batchesOf(
  root: Operator,
  batchRows: number,
  budget = newBudget(),
  hidesRows = false,
): Promise<readonly RecordBatch[]> {
  const found: RecordBatch[] = []
  for await (const batch of drive(root, schema, newContext(batchRows, budget), undefined, hidesRows)) found.push(batch)
  return found
}

async function sizes(...given: Parameters<typeof batchesOf>): Promise<readonly number[]> {
  return (await batchesOf(...given)).map(({ rowCount }) => rowCount)
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

test('the event loop runs while a query works without giving rows', async () => {
  let hasRun = false
  setImmediate(() => (hasRun = true))
  const batches = drive(operator([again, again, frameOf(1)], TURN_MS), schema, newContext(5, newBudget()))
  const first = await batches.next()
  expect([hasRun, first.done]).toEqual([true, false])
})

describe('where rows are hidden', () => {
  test('batches are full but for the last one, however the rows come', async () => {
    const rows: readonly Pulled[] = [frameOf(3), again, frameOf(1), frameOf(12), frameOf(2)]
    expect(await sizes(operator(rows), 5, newBudget(), true)).toEqual([5, 5, 5, 3])
    expect(await sizes(operator([frameOf(10)]), 5, newBudget(), true)).toEqual([5, 5])
    expect(await sizes(operator([again]), 5, newBudget(), true)).toEqual([])
    const [first, second] = await batchesOf(operator(rows), 5, newBudget(), true)
    expect([...rowsOf(first), ...rowsOf(second)]).toEqual([0, 1, 2, 0, 0, 1, 2, 3, 4, 5])
  })

  test('rows with long texts do not wait for a full batch, and are charged', async () => {
    const long = (): Frame => new Frame(1, new Map([['a', columnOfValues(['x'.repeat(1_500_000)])]]))
    const budget = newBudget()
    expect(await sizes(operator([long(), long(), long(), frameOf(2)]), 50, budget, true)).toEqual([3, 2])
    expect(budget.peakBytes).toBeGreaterThan(9_000_000)
    expect(budget.usedBytes).toBe(0)
  })

  test('a batch has no field that none of its rows has', async () => {
    const frame = frameOf(2).with([
      ['b', columnOfValues([null, 7])],
      ['hidden', columnOfValues([null, null])],
    ])
    const open: Schema = { ...schema, isOpen: true }
    const names = async (hidesRows: boolean): Promise<readonly string[]> => {
      const batches = drive(operator([frame]), open, newContext(5, newBudget()), undefined, hidesRows)
      for await (const batch of batches) return batch.schema.fields.map(({ name }) => name)
      return []
    }
    expect(await names(false)).toEqual(['a', 'b', 'hidden'])
    expect(await names(true)).toEqual(['a', 'b'])
  })
})

describe('between pulls', () => {
  test.each<readonly [name: string, pulled: Pulled]>([
    ['nothing yet', again],
    ['no rows', frameOf(0)],
  ])('a query is cancelled while its pulls give %s', async (_, result) => {
    const budget = newBudget()
    let pulls = 0
    const pull = (): Pulled => {
      if (++pulls === 100) budget.cancel()
      return result
    }
    const found = await sizes({ pull }, 5, budget).catch((error: unknown) => error)
    expect(found).toBeInstanceOf(SluiceError)
    expect((found as SluiceError).code).toBe('budget/cancelled')
    expect(pulls).toBe(100)
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
