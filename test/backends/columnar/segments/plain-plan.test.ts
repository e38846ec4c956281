import { expect, test } from 'vitest'
import { nowhere } from '../../../../src/base/index.ts'
import { ofPlain, plainOf } from '../../../../src/backends/columnar/segments/plain-plan.ts'
import { Instant, JsonText } from '../../../../src/data/index.ts'
import { Registry, standardFunctions, type Functions } from '../../../../src/functions/index.ts'
import { call, column, literal, test as testOf, type Expr } from '../../../../src/plan/index.ts'

test('a part of a plan comes out as it went in', () => {
  const parts = {
    time: testOf(column('_time'), { kind: 'equals', value: new Instant(5n), isFolded: false, isTyped: true }),
    guard: testOf(column('env'), { kind: 'in', values: ['a', 2n ** 70n, NaN, null], isFolded: true, isTyped: false }),
    json: literal(new JsonText('[1]')),
    absent: undefined,
    range: { startNs: -1n, endNs: 2n ** 80n },
  }
  const plain = plainOf(parts, standardFunctions)
  expect(structuredClone(plain)).toEqual(plain)
  expect(ofPlain(structuredClone(plain) ?? {})).toEqual(parts)
})

test('functions that another thread does not have cannot be sent to it', () => {
  const [upper] = standardFunctions.scalar.all
  const name = upper?.name ?? ''
  const calling: { readonly expr: Expr } = { expr: call(name, [column('level')], nowhere) }
  expect(plainOf(calling, standardFunctions)).toEqual(calling)
  const own: Functions = {
    ...standardFunctions,
    scalar: new Registry(standardFunctions.scalar.all.map((each) => (each === upper ? { ...each } : each))),
  }
  expect(plainOf(calling, own)).toBeUndefined()
  expect(plainOf({ made: new Map([[1, 2]]) }, standardFunctions)).toBeUndefined()
  expect(plainOf({ made: () => 1 }, standardFunctions)).toBeUndefined()
})
