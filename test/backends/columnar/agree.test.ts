import { describe, expect, test } from 'vitest'
import type { Backend } from '../../../src/backends/backend.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import type { StoredRow } from '../../../src/data/index.ts'
import { present } from '../../../src/base/index.ts'
import { simulatedThreads } from '../../../src/fuzz/simulated-threads.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { printPlan } from '../../../src/plan/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { answer } from './answer.ts'
import { Draw, randomPlan, randomRows } from './random-plans.ts'

/**
 * Returns columnar backends over the rows. Some hold them sealed, some in segments of a few rows, and some unsealed.
 */
function columnarOver(rows: readonly StoredRow[], draw: Draw): readonly Backend[] {
  const store = createMemoryStore(standardCatalog, { hasCodes: !draw.chance(3) })
  const table = store.table('logs')
  const sealAt = draw.pick([1, 3, 40, 1000, Infinity])
  rows.forEach((row, index) => {
    table.writer.appendRows([row])
    if (draw.below(1_000_000) < 1_000_000 / sealAt) table.seal()
    if (index === rows.length - 1 && draw.chance(2)) table.seal()
  })
  const parallelism = simulatedThreads()
  return [columnarBackend(store, standardFunctions), columnarBackend(store, standardFunctions, { parallelism })]
}

const SEEDS = Number(process.env['FUZZ_SEEDS'] ?? 50)
const FIRST = Number(process.env['FUZZ_FIRST'] ?? 1)

describe('columnar gives the rows of the model', () => {
  for (let block = FIRST; block < FIRST + SEEDS; block += 25) {
    test(`seeds ${block} to ${block + 24}`, async () => {
      for (let seed = block; seed < block + 25; seed++) {
        const draw = new Draw(seed)
        const rows = randomRows(draw, draw.pick([0, 1, 2, 60, 200]))
        const [alone, helped] = columnarOver(rows, draw)
        const model = rowsBackend(new Map([['logs', rows]]), standardFunctions)
        for (let i = 0; i < 6; i++) {
          const plan = randomPlan(draw, draw.below(4))
          const batchRows = draw.pick([1, 7, 1000])
          const expected = await answer(model, plan, 1000)
          const of = `seed ${seed}, batches of ${batchRows}\n${printPlan(plan)}`
          expect(await answer(present(alone), plan, batchRows), of).toEqual(expected)
          expect(await answer(present(helped), plan, batchRows), `helped, ${of}`).toEqual(expected)
        }
      }
    })
  }
})
