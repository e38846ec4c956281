// @module-tag slow
import { describe, expect, test } from 'vitest'
import { always, present, seededRandom } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { foreignTables, type TableMapping } from '../../../src/backends/sql/index.ts'
import { PlanEngine, readRows } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { fuzzBaseNs } from '../../../src/fuzz/dataset.ts'
import { testbeds } from '../../../src/fuzz/foreign/index.ts'
import type { PhysicalColumn, StoredValue } from '../../../src/fuzz/foreign/testbed.ts'
import { attackText } from './payloads.ts'

const NAMES = 150
const random = seededRandom(11)
/** Member names that a JSON path could interpret as more than a name, and attack strings. */
const names = [
  ...new Set([
    'a"."b',
    '*',
    '$',
    '$.a',
    '[0]',
    '/a/b',
    '~0',
    'a~1b',
    ...Array.from({ length: NAMES }, () => attackText(random)),
  ]),
].filter((name) => !name.includes('\0') && name.isWellFormed())

const columns = (kind: 'json' | 'map'): readonly PhysicalColumn[] => [
  { name: 'at', kind: 'time-ns', isNullable: false },
  { name: 'members', kind, isNullable: false },
  { name: 'seq', kind: 'integer', isNullable: false },
]

for (const { name: engineName, types, open, advice } of testbeds) {
  const testbed = await open()
  const kinds = (['json', 'map'] as const).filter((kind) => types[kind] !== undefined)
  describe.skipIf(testbed === undefined)(
    `names of members in ${engineName}${testbed === undefined ? ` (skipped: it ${advice})` : ''}`,
    () => {
      test.each(kinds)('are never interpreted as paths in a column of type %s', async (kind) => {
        const opened = present(testbed)
        // A query that interprets the name as a path would find this decoy.
        const decoy = kind === 'json' ? '{"a":{"b":"found"},"x":"found"}' : '{"a":"found","x":"found"}'
        const rows = [decoy, ...names.map((name) => JSON.stringify({ [name]: 'found' }))].map(
          (members, i): readonly StoredValue[] => [fuzzBaseNs, members, BigInt(i)],
        )
        const { engine, source } = await opened.create({ name: 'members', columns: columns(kind), rows })
        const nativeTypes = new Map((await engine.describe(source)).map((each) => [each.name, each.type]))
        const mapping: TableMapping = {
          name: 'logs',
          source,
          time: {
            field: '_time',
            column: 'at',
            nativeType: present(nativeTypes.get('at')),
            isNullable: false,
            unit: 'ns',
          },
          textField: undefined,
          streamFields: [],
          fields: [
            {
              name: 'seq',
              column: 'seq',
              path: [],
              type: 'integer',
              nativeType: present(nativeTypes.get('seq')),
              isNullable: false,
              aliases: [],
            },
          ],
          attributes: [{ kind, column: 'members', prefix: '' }],
          tieBreak: ['seq'],
          domain: 'logs',
          words: undefined,
        }
        const { backend, definitions } = foreignTables(engine, [mapping])
        const catalog = { tables: new Map([['logs', present(definitions[0])]]), defaultTable: 'logs' }
        const upper = columnarBackend({ tables: new Map() }, standardFunctions)
        const over = new PlanEngine({ catalog, backends: [backend], upper, lint: 'off' })
        const wrong: string[] = []
        for (const [i, name] of names.entries()) {
          const asked = `${JSON.stringify(name)}:="found" | fields seq`
          const result = over.query(asked, { range: always, lint: 'off' })
          const found: unknown[] = []
          for await (const row of readRows(result.batches())) found.push(row.get('seq'))
          if (found.length !== 1 || found[0] !== i + 1) wrong.push(`${asked}: ${found.join()}`)
        }
        expect(wrong).toEqual([])
        if (kind === kinds.at(-1)) await opened.close()
      })
    },
  )
}
