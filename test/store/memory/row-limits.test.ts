import { describe, expect, test } from 'vitest'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function rowOf(names: readonly string[]): string {
  return `{${names.map((name, i) => `"${name}":${i}`).join(',')}}\n`
}

function names(count: number, prefix = 'f'): readonly string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`)
}

function loaded(text: string) {
  const store = createMemoryStore(standardCatalog)
  const report = store.table('logs').writer.appendJsonLines(bytesOf(text), { nowNs: 0n })
  const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })
  return { report, query: (query: string) => engine.query(query).toArray() }
}

describe('fields', () => {
  test('of a row are at most 4,096', () => {
    const { report } = loaded(rowOf(names(4096)) + rowOf(names(4097)))
    expect(report.rows).toBe(1)
    expect(report.examples).toMatchObject([{ lineNumber: 2, reason: 'more than 4096 fields' }])
  })

  test('of a table beyond 16,384 share one, in which they are found', async () => {
    const wide = Array.from({ length: 5 }, (_, i) => rowOf(names(4000, `w${i}_`))).join('')
    const { report, query } = loaded(`${wide}{"late":"needle","w0_1":7}\n{"late":12345678901234567890,"w0_2":8}\n`)
    expect(report).toMatchObject({ rows: 7, badLines: 0 })
    expect(await query('_other_fields:*needle* | fields w0_1, _other_fields')).toEqual([
      { w0_1: 7, _other_fields: { late: 'needle' } },
    ])
    expect(await query('w0_2:8 | unpack_json from _other_fields | fields late')).toEqual([
      { late: 12345678901234567890n },
    ])
  })
})

test.each(['', ', "b": {"c": 1}'])('an integer of a million digits is kept as the text that it is', async (rest) => {
  const digits = '9'.repeat(1_000_000)
  const { query } = loaded(`{"a": ${digits}${rest}}\n`)
  const [row] = await query('* | len(a) as n | fields n')
  expect(row).toEqual({ n: 1_000_000 })
})
