import { always, present } from '../../base/index.ts'
import { columnarBackend } from '../../backends/columnar/index.ts'
import { batchOfRows, type RecordBatch, type Row, type Schema } from '../../data/index.ts'
import { languageOf, PlanEngine, type QueryOptions, type QueryResult } from '../../engine/index.ts'
import { streamFlow } from '../../optimize/index.ts'
import type { LogicalPlan, Table } from '../../plan/index.ts'
import { standardCatalog } from '../../store/index.ts'
import { answerOf, difference, type EngineAnswer } from '../answer.ts'
import { MAX_ROWS } from '../dataset.ts'
import type { Subject } from '../subject.ts'
import type { Oracle } from './oracle.ts'

const openSchema: Schema = { fields: [], isOpen: true }
const LOOKS = 3

/** A query over rows that arrive one by one. */
class Streamed {
  readonly #engine: PlanEngine
  readonly #options: QueryOptions
  #rows: readonly Row[] = []
  #look: (count: number) => Promise<void> = async () => undefined

  constructor(subject: Subject) {
    const { extend, dialect, baseNs } = subject.setting
    const table: Table = {
      definition: present(standardCatalog.tables.get('logs')),
      grade: () => 'none',
      scan: () => ({ applied: { order: true }, batches: this.#batches() }),
    }
    const { functions } = languageOf(extend ?? {})
    const backend = columnarBackend({ tables: new Map([['logs', table]]) }, functions)
    this.#engine = new PlanEngine({ backends: [backend], upper: backend, lint: 'off', extend })
    this.#options = { nowNs: baseNs, range: always, dialect }
  }

  async *#batches(): AsyncGenerator<RecordBatch> {
    for (const [i, row] of this.#rows.entries()) {
      yield batchOfRows(openSchema, [row])
      await this.#look(i + 1)
    }
  }

  isAddedUp(plan: LogicalPlan): boolean {
    const { bound } = this.#engine.compilePlan(plan, this.#options)
    return streamFlow(bound, this.#engine.functions) === 'groups'
  }

  /** Runs the query. Calls `partial` after the given number of rows. */
  answer(
    plan: LogicalPlan,
    rows: readonly Row[],
    look?: (result: QueryResult, count: number) => Promise<void>,
  ): Promise<EngineAnswer> {
    const result = this.#engine.queryPlan(plan, this.#options)
    this.#rows = rows
    this.#look = async (count) => look?.(result, count)
    return answerOf(() => result)
  }
}

/**
 * An intermediate answer of an aggregation is the answer over the rows so far, and taking it does not change the final
 * answer.
 */
export const looksChangeNothing: Oracle = {
  name: 'looks-change-nothing',
  check: async ({ text, subject, random, model }) => {
    if ('error' in model) return undefined
    const plan = subject.lowered(text)
    const streamed = new Streamed(subject)
    if (!streamed.isAddedUp(plan)) return undefined
    const rows = subject.rows.slice(0, MAX_ROWS).map(({ row }) => row)
    const counts = new Set(Array.from({ length: LOOKS }, () => 1 + random.below(Math.max(1, rows.length))))
    const looks = new Map<number, EngineAnswer>()
    const whole = await streamed.answer(plan, rows, async (result, count) => {
      const batches = counts.has(count) ? result.soFar() : undefined
      if (batches !== undefined) looks.set(count, await answerOf(() => ({ batches: () => batches })))
    })
    const different = difference(whole, await streamed.answer(plan, rows))
    if (different !== undefined) return `looked at against not looked at: ${different}`
    for (const [count, partial] of looks) {
      const part = difference(partial, await streamed.answer(plan, rows.slice(0, count)))
      if (part !== undefined) return `a look after ${count} rows against the answer over them: ${part}`
    }
    return undefined
  },
}
