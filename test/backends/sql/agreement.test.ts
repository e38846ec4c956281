import { describe, expect, test } from 'vitest'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import { sqliteBackend } from '../../../src/backends/sql/index.ts'
import { printPlan, type PlanKind, visit } from '../../../src/plan/index.ts'
import { standardCatalog } from '../../../src/store/index.ts'
import { openSqlite, sqliteTelemetry } from '../../../src/store/sqlite/index.ts'
import { randomRows, type DataShape } from './random-data.ts'
import { randomPlan } from './random-plan.ts'
import { answer, functions, Random } from './support.ts'

interface Setting extends DataShape {
  readonly name: string
  readonly maxKnownValues: number
}

const settings: readonly Setting[] = [
  { name: 'as declared', rows: 120, isWild: false, isInOrder: true, maxKnownValues: 4096 },
  { name: 'as declared, nothing known', rows: 120, isWild: false, isInOrder: true, maxKnownValues: 0 },
  { name: 'wild', rows: 80, isWild: true, isInOrder: true, maxKnownValues: 4096 },
  { name: 'wild, nothing known, out of order', rows: 80, isWild: true, isInOrder: false, maxKnownValues: 0 },
]

const PLANS = Number(process.env['SLUICE_PLANS'] ?? 200)
const SEED = Number(process.env['SLUICE_SEED'] ?? 1)

describe('SQLite answers as the row model does', () => {
  for (const [index, setting] of settings.entries()) {
    test(setting.name, async () => {
      const random = new Random(SEED * 1000 + index)
      const rows = randomRows(random, setting)
      const connection = await openSqlite(':memory:')
      const telemetry = sqliteTelemetry(connection, standardCatalog, { maxKnownValues: setting.maxKnownValues })
      const third = Math.floor(rows.length / 3)
      telemetry.append('logs', rows.slice(0, third))
      telemetry.append('logs', rows.slice(third))
      const sqlite = sqliteBackend(telemetry, functions, { mode: 'in-process' })
      const model = rowsBackend(new Map([['logs', rows]]), functions)
      const accepted = new Set<PlanKind>()
      let count = 0
      for (let i = 0; i < PLANS; i++) {
        const plan = randomPlan(random, 4)
        if (sqlite.accept(plan).kind === 'not') continue
        count++
        visit(plan, (node) => accepted.add(node.kind))
        const wanted = await answer(model, plan)
        const found = await answer(sqlite, plan, 7).catch((error: unknown) => {
          throw new Error(printPlan(plan), { cause: error })
        })
        expect(found, `${printPlan(plan)}\n\n${sqlite.compile(plan).sql}`).toEqual(wanted)
      }
      expect(count).toBeGreaterThan(PLANS / 2)
      expect([...accepted].sort()).toMatchSnapshot()
      connection.close()
    })
  }
})
