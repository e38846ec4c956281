import { expect, test } from 'vitest'
import { createEngine, definePipe } from '../../../../src/entries/sluice.ts'

/** Time in ms after which an operator returns its rows in smaller batches. */
const LONG_MS = 6
/**
 * Rows of one input batch. Each of three calls receives an eighth of it at a time, and an eighth is not a whole number
 * of rows.
 */
const BATCH_ROWS = 100_001
/** Index of the last row of the first eighth. */
const GREATEST = Math.floor(BATCH_ROWS / 8)

const later = definePipe({
  name: 'later',
  columns: () => ({ n: 'number', m: 'number' }),
  tables: () => (rows) => {
    const endMs = performance.now() + LONG_MS
    while (performance.now() < endMs);
    return rows
  },
  doc: { summary: 'The same rows, after a while.' },
})

test('no row is lost where a batch is no multiple of eight rows', async () => {
  const numbers = Array.from({ length: 2 * GREATEST }, (_, i) => ({ n: i === GREATEST ? 1_000_000 : i, m: -i }))
  const engine = createEngine({ tables: { numbers }, limits: { batchRows: BATCH_ROWS }, extend: { pipes: [later] } })
  const answer = engine.query('* | later | stats max(n, m) as high, min(n, m) as low, row_max(n, m) as row')
  expect(await answer.toArray()).toMatchObject([{ high: 1_000_000 }])
})
