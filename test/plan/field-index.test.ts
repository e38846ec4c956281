import { describe, expect, test } from 'vitest'
import { nowhere, seededRandom } from '../../src/base/index.ts'
import { field, type Field, type Schema } from '../../src/data/index.ts'
import { GrowingSchema, declaredField, fieldPattern, schemaOf, type LogicalPlan } from '../../src/plan/index.ts'

const wide: Schema = { fields: Array.from({ length: 100 }, (_, i) => field(`f${i}`)), isOpen: false }

function renamedNames(names: readonly string[], steps: readonly (readonly [string, string])[], isCopy = false): string {
  const input: LogicalPlan = {
    kind: 'values',
    outputSchema: { fields: names.map((name) => field(name)), isOpen: false },
    rows: [],
    origin: nowhere,
  }
  const plan: LogicalPlan = {
    kind: 'rename',
    input,
    steps: steps.map(([from, to]) => ({ from: fieldPattern(...from.split('*')), to: fieldPattern(...to.split('*')) })),
    isCopy,
    origin: nowhere,
  }
  return schemaOf(plan)
    .fields.map(({ name }) => name)
    .join(' ')
}

/** Reference implementation: applies a rename or copy of plain names to a list of names. */
function byHand(names: readonly string[], [from, to]: readonly [string, string], isCopy: boolean): readonly string[] {
  if (from === to) return names
  const without = names.filter((name) => name !== to)
  if (!names.includes(from)) return [...without, to]
  return without.flatMap((name) => (name === from ? (isCopy ? [from, to] : [to]) : [name]))
}

describe('fields by name', () => {
  test('are found in short and long schemas', () => {
    const short: Schema = { fields: wide.fields.slice(0, 3), isOpen: false }
    for (const schema of [short, wide]) {
      for (const each of schema.fields) expect(declaredField(schema, each.name)).toBe(each)
      expect(declaredField(schema, 'other')).toBeUndefined()
    }
  })

  test('a schema that grows has the newest field of a name, at the end', () => {
    const schema = new GrowingSchema(wide)
    const made: Field = { name: 'f3', type: 'number', presence: 'named' }
    expect(schema.fields).toHaveLength(100)
    schema.add(made)
    expect(declaredField(schema, 'f3')).toBe(made)
    expect(schema.fields).toHaveLength(100)
    expect(schema.fields.at(-1)).toBe(made)
    expect(declaredField(wide, 'f3')).toBe(wide.fields[3])
  })

  test('renames and copies stand where their source stood', () => {
    expect(renamedNames(['a', 'b', 'c'], [['a', 'x']])).toBe('x b c')
    expect(renamedNames(['a', 'b', 'c'], [['a', 'c']])).toBe('c b')
    expect(renamedNames(['a', 'b'], [['z', 'a']])).toBe('b a')
    expect(renamedNames(['a', 'b'], [['a', 'x']], true)).toBe('a x b')
    expect(
      renamedNames(
        ['k.a', 'b'],
        [
          ['b', 'k.b'],
          ['k.*', '*'],
          ['a', 'c'],
        ],
      ),
    ).toBe('c b')
  })

  test('as many steps as there may be give what they give one by one', () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    for (let seed = 0; seed < 500; seed++) {
      const random = seededRandom(seed)
      const isCopy = seed % 2 === 0
      const given = names.filter(() => random.below(2) === 0)
      const steps = Array.from({ length: random.below(8) }, () => [random.pick(names), random.pick(names)] as const)
      const expected = steps.reduce((list, step) => byHand(list, step, isCopy), given as readonly string[])
      expect(renamedNames(given, steps, isCopy), `seed ${seed}`).toBe(expected.join(' '))
    }
  })
})
