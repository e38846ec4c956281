import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createEngine, printExplainTree } from '../../../src/engine/index.ts'
import { comparisonsOf, type Table } from '../../../src/plan/index.ts'
import { defineTable } from '../../../src/store/index.ts'

/** Returns the blocks of the README: the program, and the expected output of `explain`. */
function blocksOf(path: string): readonly string[] {
  return Array.from(readFileSync(path, 'utf8').matchAll(/```\w*\n([^]*?)```/g), ([, block = '']) => block)
}

test('the table of the README reads a SQLite file, and explain says what the README says', async () => {
  const [program = '', shown] = blocksOf(resolve(import.meta.dirname, '../../../src/store/tables/README.md'))
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE TABLE orders (id INTEGER, total REAL, customer TEXT);
    INSERT INTO orders VALUES (1, 20, 'Ann'), (2, 5, 'Bob'), (3, 70, 'Cy')`)
  const body = `${program.replaceAll(/^import .*\n/gm, '')}\nreturn orders`
  // oxlint-disable-next-line typescript/no-implied-eval, no-new-func -- the text of our own README, run as it stands
  const run = new Function('DatabaseSync', 'comparisonsOf', 'defineTable', body)
  const orders = run(
    function Shop() {
      return db
    },
    comparisonsOf,
    defineTable,
  ) as Table
  const engine = createEngine({ tables: { orders }, lint: 'off' })
  const result = engine.query('total:>10 | fields customer | limit 5')
  expect(`${printExplainTree(result.explain())}\n`).toBe(shown)
  expect(await result.toArray()).toEqual([{ customer: 'Ann' }, { customer: 'Cy' }])
})
