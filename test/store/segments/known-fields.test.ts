import { expect, test } from 'vitest'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import type { Value } from '../../../src/data/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { PATIENCE_MS } from '../../harness/patience.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { MemoryTable } from '../../../src/store/index.ts'
import { BlockCache } from '../../../src/store/segments/index.ts'
import { fileOf, opened, sealedTable, sourceOf } from './read-all.ts'

const FILES = 40
const table = new MemoryTable(sealedTable([]).definition)
for (let i = 0; i < FILES; i++) {
  const fields: [string, Value][] = [
    ['content', `text ${i}`],
    ['level', i === 0 ? 'fatal' : 'info'],
  ]
  if (i === 0) fields.push(['region', 'north'])
  table.writer.appendRows([{ timeNs: BigInt(i) * 1_000_000_000n, row: new Map(fields) }])
  table.seal()
}

/** Returns the same segments in files, and the numbers of those that were read. */
function inFiles() {
  const read = new Set<number>()
  const disk = new MemoryTable(table.definition)
  const cache = new BlockCache(1 << 20)
  const segments = table.view.snapshot().map((segment, i) => {
    const { file, summary } = fileOf(table, segment)
    const source = sourceOf(file)
    const noting = {
      ...source,
      read: (into: Uint8Array, at: number) => {
        read.add(i)
        return source.read(into, at)
      },
    }
    return opened(table, noting, summary, cache)
  })
  disk.segments.add(segments)
  return { disk, read }
}

test('fields and values are known of the newest files, and of no more', () => {
  const { disk, read } = inFiles()
  const known = disk.view.knownFields()
  expect([known.isWhole, known.rows]).toEqual([false, 16])
  expect([known.has('region'), known.has('level'), known.texts('level')]).toEqual([
    false,
    true,
    new Map([['info', 16]]),
  ])
  expect([...read].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, i) => FILES - 16 + i))
})

test('all fields are known if there are few files', () => {
  const known = table.view.knownFields()
  expect([known.isWhole, known.rows, known.has('region')]).toEqual([true, FILES, true])
})

test('older files are searched before a field is reported as missing', async () => {
  const { disk } = inFiles()
  const backends = [columnarBackend({ tables: new Map([['logs', disk.view]]) }, standardFunctions)]
  const engine = createEngine({ backends, limits: { adviceMs: PATIENCE_MS } })
  const told = async (query: string): Promise<readonly string[]> => {
    const result = engine.query(query)
    for await (const batch of result.batches()) void batch
    return (await result.advice()).map(({ message }) => message)
  }
  expect(await told('level:fatal region:north | stats count() n')).toEqual([])
  const [field] = await told('regino:north | stats count() n')
  expect(field).toContain('No row has the field `regino`')
  const [value] = await told('level:ifno | stats count() n')
  expect(value).toContain('No row has `ifno` as `level`')
  expect(value).toContain('info')
})
