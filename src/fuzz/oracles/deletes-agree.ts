import { SluiceError, always } from '../../base/index.ts'
import { rowsBackend } from '../../backends/index.ts'
import { columnarBackend } from '../../backends/columnar/index.ts'
import { rowsOfBitmap, type StoredRow } from '../../data/index.ts'
import { PlanEngine, findRowsOf, languageOf, type FindRows } from '../../engine/index.ts'
import { createMemoryStore, sequenceAt, standardCatalog, type MemoryTable } from '../../store/index.ts'
import { deleteInMemory } from '../../store/persistence/index.ts'
import { answerOf, difference } from '../answer.ts'
import { putOnDisk } from '../on-disk.ts'
import { nowOf } from '../subject.ts'
import type { Oracle } from './oracle.ts'

/** Queries that read values both by dictionary code and row by row. */
const QUESTIONS = ['*', '* | stats by (level) count() n | sort by (n, level)', '* | facets 5'] as const

/** Indexes of the found rows in the list of all rows, which is in order of ingestion. */
async function positionsOf(table: MemoryTable, find: FindRows): Promise<ReadonlySet<number>> {
  const positions = new Set<number>()
  for (const [segment, gone] of await find(table.view.snapshot()))
    for (const row of rowsOfBitmap(gone)) positions.add(sequenceAt(segment, row))
  return positions
}

/** Deleting the rows of a filter leaves the rows of its negation. The deleted rows can be added again. */
export const deletesAgree: Oracle = {
  name: 'deletes-agree',
  check: async ({ query: { filter }, subject, random }) => {
    const { rows, setting } = subject
    const options = { nowNs: nowOf(setting), range: always }
    const store = createMemoryStore(standardCatalog)
    const table = store.table('logs')
    const half = Math.floor(rows.length / 2)
    table.writer.appendRows(rows.slice(0, half))
    table.seal()
    if (random.below(2) === 0) putOnDisk(table)
    table.writer.appendRows(rows.slice(half))
    const { functions } = languageOf(setting.extend ?? {})
    const engineOver = (backend: ReturnType<typeof rowsBackend>): PlanEngine =>
      new PlanEngine({ backends: [backend], lint: 'off', extend: setting.extend })
    const engine = engineOver(columnarBackend(store, functions))
    let find: FindRows | undefined
    try {
      find = findRowsOf(engine, subject.lowered(filter), { table: 'logs', tables: store.tables, ...options })
    } catch (error) {
      if (error instanceof SluiceError) return undefined
      throw error
    }
    // Rows selected by a subquery cannot be deleted.
    if (find === undefined) return undefined
    let gone: ReadonlySet<number>
    try {
      gone = await positionsOf(table, find)
      const deleted = await deleteInMemory(table, find)
      if (deleted !== gone.size) return `${deleted} rows are deleted, ${gone.size} found`
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      const asked = await answerOf(() => subject.query(filter, 'rows'))
      return 'error' in asked ? undefined : `deleting: ${error.code}`
    }
    const differs = async (left: readonly StoredRow[], when: string): Promise<string | undefined> => {
      const model = engineOver(rowsBackend(new Map([['logs', left]]), functions))
      for (const question of QUESTIONS) {
        const expected = await answerOf(() => model.query(question, options))
        const fault = difference(expected, await answerOf(() => engine.query(question, options)))
        if (fault !== undefined) return `${when}, ${question}: ${fault}`
      }
      return undefined
    }
    const left = rows.filter((_, i) => !gone.has(i))
    const negation = await answerOf(() => subject.query(`!(${filter})`, 'rows'))
    if ('rows' in negation && negation.rows.length !== left.length)
      return `${left.length} rows are left, of which ${negation.rows.length} do not pass`
    const again = rows.filter((_, i) => gone.has(i))
    const fault = await differs(left, 'after deleting')
    if (fault !== undefined || again.length === 0) return fault
    table.writer.appendRows(again.map(({ timeNs, row }) => ({ timeNs, row })))
    if (random.below(2) === 0) table.seal()
    return differs(
      [...left, ...again].map((row, sequence) => ({ ...row, sequence })),
      'when they came again',
    )
  },
}
