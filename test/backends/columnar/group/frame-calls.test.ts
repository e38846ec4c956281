import { expect, test } from 'vitest'
import { nowhere, present } from '../../../../src/base/index.ts'
import { ExprCompiler } from '../../../../src/backends/columnar/expr/compile.ts'
import { Frame } from '../../../../src/backends/columnar/frame.ts'
import { frameCall } from '../../../../src/backends/columnar/group/frame-calls.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'

const GROUPS = 3

test('sums of frames of any length are exact', () => {
  const fn = present(standardFunctions.stats.get('sum'))
  const origin = nowhere
  const args = [{ kind: 'column', name: 'n', origin } as const]
  const call = { fn: 'sum', args, params: [], limit: undefined, orderBy: [], filter: undefined, origin }
  const sum = present(frameCall(fn, call, new ExprCompiler(standardFunctions)))
  const expected = Array.from({ length: GROUPS }, () => 0)
  let next = 0
  for (const length of [300, 600, 200_000, 300]) {
    const values = Float64Array.from({ length }, () => next++ + 0.5)
    const of = Uint32Array.from({ length }, (_, row) => row % GROUPS)
    for (const [row, value] of values.entries()) expected[row % GROUPS] = present(expected[row % GROUPS]) + value
    const frame = new Frame(length, new Map([['n', { kind: 'float64', length, values, validity: undefined } as const]]))
    sum.add(frame, { of, bound: GROUPS })
  }
  const meter = { charge: () => undefined, release: () => undefined }
  expect(Array.from({ length: GROUPS }, (_, group) => sum.finish(group, meter as never))).toEqual(expected)
})
