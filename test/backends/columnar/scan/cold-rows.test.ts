import { afterEach, describe, expect, test, vi } from 'vitest'
import { columnarBackend } from '../../../../src/backends/columnar/index.ts'
import { present } from '../../../../src/base/index.ts'
import { valueAt } from '../../../../src/data/index.ts'
import { createEngine } from '../../../../src/engine/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import { MemoryTable, standardCatalog } from '../../../../src/store/index.ts'
import { BlockCache } from '../../../../src/store/segments/index.ts'
import { fileOf, opened, sealedTable, sourceOf } from '../../../store/segments/read-all.ts'

const SECOND = 1_000_000_000n
const ROWS = 600
/** Number of segments with a single matching row. The one older segment has `DENSE_ROWS` consecutive matches. */
const SPARSE = 20
const DENSE_ROWS = 100

/**
 * Returns an incompressible string, so that rows are stored far from the bytes that are read together with the
 * contents.
 */
const noise = (seed: number): string =>
  Array.from({ length: 12 }, (_, i) => Math.imul(seed * 12 + i + 1, 0x9e3779b1).toString(36)).join(' ')

const passing: string[] = []

/** Returns a table whose segments are in files, with no block read yet. */
function coldTable(): MemoryTable {
  const cache = new BlockCache(1 << 24)
  passing.length = 0
  const segments = Array.from({ length: SPARSE + 1 }, (_, number) => {
    const count = number === 0 ? DENSE_ROWS : 1
    const table = sealedTable(
      Array.from({ length: ROWS }, (_, row) => {
        const content = `${row < count ? 'needle' : 'hay'} ${number}-${row} ${noise(number * ROWS + row)}`
        if (row < count) passing.unshift(content)
        return [BigInt(number * ROWS + row) * SECOND, [['content', content]]]
      }),
    )
    const { file, summary } = fileOf(table, present(table.view.snapshot()[0]))
    return opened(table, sourceOf(file), summary, cache)
  })
  const cold = new MemoryTable(present(standardCatalog.tables.get('logs')))
  cold.segments.add(segments)
  return cold
}

afterEach(() => vi.restoreAllMocks())

describe('rows out of many files of which nothing was read', () => {
  test('come in order, few of them in a frame', async () => {
    const tables = new Map([['logs', coldTable().view]])
    const engine = createEngine({ backends: [columnarBackend({ tables }, standardFunctions)], lint: 'off' })
    const asked = async (): Promise<{ readonly contents: unknown[]; readonly frames: readonly number[] }> => {
      const contents: unknown[] = []
      const frames: number[] = []
      for await (const batch of engine.query('needle | sort by (_time desc) | limit 110').batches()) {
        frames.push(batch.rowCount)
        const column = present(batch.columns[batch.schema.fields.findIndex(({ name }) => name === 'content')])
        for (let row = 0; row < batch.rowCount; row++) contents.push(valueAt(column, row))
      }
      return { contents, frames }
    }
    // With a stopped clock, neither the speed of the scan nor waiting changes the batches.
    vi.spyOn(performance, 'now').mockReturnValue(0)
    const cold = await asked()
    expect(cold.contents).toEqual(passing.slice(0, 110))
    expect(cold.frames).toEqual([8, 8, 4, 110 - SPARSE])
    expect((await asked()).contents).toEqual(cold.contents)
  })
})
