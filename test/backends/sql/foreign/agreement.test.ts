// @module-tag slow
import { describe, expect, test } from 'vitest'
import { rowsBackend } from '../../../../src/backends/rows/index.ts'
import { printPlan, rewriteUp } from '../../../../src/plan/index.ts'
import { randomPlan } from '../random-plan.ts'
import { answer, functions, Random } from '../support.ts'
import { foreignEngines } from './engines.ts'
import { layoutRows, layouts } from './layouts.ts'

const PLANS = Number(process.env['SLUICE_PLANS'] ?? 400)
const SEED = Number(process.env['SLUICE_SEED'] ?? 1)

describe.each(foreignEngines)('$name answers as the row model does', (engine) => {
  test.each(layouts)('over a table of the $name layout', async (layout) => {
    const random = new Random(SEED * 1000 + layout.name.length)
    const rows = layoutRows(layout, random, 120)
    const loaded = await engine.load(layout, rows)
    const { backend } = loaded
    const model = rowsBackend(new Map([['logs', rows]]), functions)
    const tableSchema = backend.catalog.tables.get('logs')?.schema
    let taken = 0
    for (let i = 0; i < PLANS; i++) {
      const plan = rewriteUp(randomPlan(random, 4), (node) =>
        node.kind === 'scan' && tableSchema !== undefined ? { ...node, tableSchema } : node,
      )
      if (backend.accept(plan).kind === 'not') continue
      taken++
      const wanted = await answer(model, plan)
      const text = `${printPlan(plan)}\n\n${backend.compile(plan).sql}`
      const found = await answer(backend, plan, 7).catch((error: unknown) => {
        throw new Error(text, { cause: error })
      })
      expect(found, text).toEqual(wanted)
    }
    expect(taken).toBeGreaterThan(PLANS / 10)
    await loaded.close()
  })
})
