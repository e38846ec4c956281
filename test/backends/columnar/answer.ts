import { expect } from 'vitest'
import { Budget, always } from '../../../src/base/index.ts'
import type { Backend, Prepared, QueryContext } from '../../../src/backends/backend.ts'
import { rowsOf, tagOf, toText } from '../../../src/data/index.ts'
import type { LogicalPlan } from '../../../src/plan/index.ts'

export function newBudget(limits: Partial<Budget['limits']> = {}, signal?: AbortSignal): Budget {
  return new Budget(
    { memoryBytes: 2 ** 32, timeoutMs: 600_000, scanRows: Infinity, ...limits },
    () => performance.now(),
    signal,
  )
}

export function newContext(batchRows: number, budget = newBudget()): QueryContext {
  return { budget, nowNs: 0n, range: always, batchRows }
}

/** Formats the rows of a prepared plan so that values of different types differ. */
export async function linesOf(prepared: Prepared, batchRows = Infinity): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const batch of prepared.run()) {
    expect(batch.rowCount).toBeLessThanOrEqual(batchRows)
    for (const row of rowsOf(batch)) {
      lines.push([...row].map(([name, value]) => `${name}=${tagOf(value)}:${toText(value)}`).join(' '))
    }
  }
  return lines
}

export async function answer(backend: Backend, plan: LogicalPlan, batchRows: number): Promise<readonly string[]> {
  return linesOf(backend.prepare(plan, newContext(batchRows)), batchRows)
}
