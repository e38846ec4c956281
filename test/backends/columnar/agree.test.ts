// @module-tag slow
import { describe, expect, test } from 'vitest'
import type { Backend } from '../../../src/backends/backend.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import type { StoredRow } from '../../../src/data/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { printPlan } from '../../../src/plan/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { answer } from './answer.ts'
import { Draw, randomPlan, randomRows } from './random-plans.ts'

/** Some rows sealed, some in segments of a few rows, some not sealed. */
function columnarOver(rows: readonly StoredRow[], draw: Draw): Backend {
  const store = createMemoryStore(standardCatalog, { hasCodes: !draw.chance(3) })
  const table = store.table('logs')
  const sealAt = draw.pick([1, 3, 40, 1000, Infinity])
  rows.forEach((row, index) => {
    table.appendRows([row])
    if (draw.below(1_000_000) < 1_000_000 / sealAt) table.seal()
    if (index === rows.length - 1 && draw.chance(2)) table.seal()
  })
  return columnarBackend(store, standardFunctions)
}

const SEEDS = Number(process.env['FUZZ_SEEDS'] ?? 100)
const FIRST = Number(process.env['FUZZ_FIRST'] ?? 1)

describe('columnar gives the rows of the model', () => {
  for (let block = FIRST; block < FIRST + SEEDS; block += 25) {
    test(`seeds ${block} to ${block + 24}`, async () => {
      for (let seed = block; seed < block + 25; seed++) {
        const draw = new Draw(seed)
        const rows = randomRows(draw, draw.pick([0, 1, 2, 60, 200]))
        const columnar = columnarOver(rows, draw)
        const model = rowsBackend(new Map([['logs', rows]]), standardFunctions)
        for (let i = 0; i < 6; i++) {
          const plan = randomPlan(draw, draw.below(4))
          const batchRows = draw.pick([1, 7, 1000])
          const expected = await answer(model, plan, 1000)
          const found = await answer(columnar, plan, batchRows)
          expect(found, `seed ${seed}, batches of ${batchRows}\n${printPlan(plan)}`).toEqual(expected)
        }
      }
    })
  }
})
