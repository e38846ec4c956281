import { Budget, always, present } from '../../../src/base/index.ts'
import { Instant, rowsOf, type StoredRow, type Value } from '../../../src/data/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import type { LogicalPlan } from '../../../src/plan/index.ts'
import type { Backend, QueryContext } from '../../../src/backends/backend.ts'

/** Seeded generator of pseudo-random numbers (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  chance(part: number): boolean {
    return this.next() < part
  }

  pick<T>(items: readonly T[]): T {
    return present(items[this.below(items.length)])
  }

  some<T>(items: readonly T[], count: number): T[] {
    return Array.from({ length: count }, () => this.pick(items))
  }
}

export const functions = standardFunctions

export function contextOf(batchRows = 100): QueryContext {
  const limits = { memoryBytes: 1 << 30, timeoutMs: 600_000, scanRows: Infinity }
  return {
    budget: new Budget(limits, () => performance.now()),
    nowNs: 0n,
    range: always,
    batchRows,
  }
}

export type AnswerRow = readonly (readonly [string, Value])[]

/** Runs a plan and returns rows as lists of fields, so that the order of fields is compared too. */
export async function answer(backend: Backend, plan: LogicalPlan, batchRows = 100): Promise<AnswerRow[]> {
  const rows: AnswerRow[] = []
  for await (const batch of backend.prepare(plan, contextOf(batchRows)).run()) {
    for (const row of rowsOf(batch)) rows.push([...row])
  }
  return rows
}

/** Creates a record of the logs table. */
export function logRow(sequence: number, timeNs: bigint, fields: Readonly<Record<string, Value>>): StoredRow {
  return { timeNs, sequence, row: new Map<string, Value>([['_time', new Instant(timeNs)], ...Object.entries(fields)]) }
}
