// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foreignTables, type TableMapping } from '../../../../src/backends/sql/index.ts'
import { createEngine, type Engine } from '../../../../src/engine/index.ts'
import { testbeds } from '../../../../src/fuzz/foreign/index.ts'
import type { OpenTestbed } from '../../../../src/fuzz/foreign/testbed.ts'

async function engineOver(open: OpenTestbed): Promise<Engine> {
  const rows = [
    [1n, 'a', 3n],
    [2n, 'b', 1n],
    [3n, 'a', 5n],
    [4n, 'c', 1n],
  ]
  const { engine, source } = await open.create({
    name: 'names',
    columns: [
      { name: 'at', kind: 'time-ns', isNullable: false },
      { name: 'name', kind: 'text', isNullable: false },
      { name: 'x', kind: 'integer', isNullable: false },
    ],
    rows,
  })
  const types = new Map((await engine.describe(source)).map(({ name, type }) => [name, type]))
  const mapping: TableMapping = {
    name: 'names',
    source,
    time: { field: '_time', column: 'at', nativeType: types.get('at') ?? '', isNullable: false, unit: 'ns' },
    textField: 'name',
    streamFields: [],
    fields: (['name', 'x'] as const).map((name) => ({
      name,
      column: name,
      path: [],
      type: name === 'x' ? 'integer' : 'string',
      nativeType: types.get(name) ?? '',
      isNullable: false,
      aliases: [],
    })),
    attributes: [],
    tieBreak: [],
    domain: undefined,
    words: undefined,
  }
  const { backend, definitions } = foreignTables(engine, [mapping])
  const catalog = { tables: new Map(definitions.map((each) => [each.name, each])), defaultTable: 'names' }
  return createEngine({ backends: [backend], catalog, lint: 'off' })
}

/** Result names that a database could confuse with a column, a source or another name. */
const names = ['x', 'X', 'at', 't0', 't0.x', 'name x', '"', "'", 'c0', 'C1', 'select', 'ä😀', 'l'.repeat(64)]

for (const testbed of testbeds) {
  const open = await testbed.open()
  describe.skipIf(open === undefined)(`names of result columns over ${testbed.name}`, () => {
    let engine: Engine
    beforeAll(async () => {
      if (open !== undefined) engine = await engineOver(open)
    })
    afterAll(() => open?.close())

    test.each(names)('change no answer, nor what rows are sorted by: %s', async (name) => {
      const quoted = JSON.stringify(name)
      const query = `x:>0 | stats by (name) max(x) as ${quoted}, count() as "c2" | sort by (${quoted} desc, name)`
      expect(await engine.query(query).toArray()).toEqual([
        { name: 'a', [name]: 5, c2: 2 },
        { name: 'b', [name]: 1, c2: 1 },
        { name: 'c', [name]: 1, c2: 1 },
      ])
    })

    test('are those of one statement together', async () => {
      const calls = names.map((name, i) => `sum(x) if (x:>${i}) as ${JSON.stringify(name)}`)
      const [row] = await engine.query(`* | stats ${calls.join(', ')}`).toArray()
      const sums = names.map((name, i) => [name, [3, 1, 5, 1].filter((x) => x > i).reduce((sum, x) => sum + x, 0)])
      for (const [name, sum] of sums) expect(Number(row?.[String(name)]) || 0, String(name)).toBe(sum)
    })
  })
}
