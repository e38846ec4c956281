import { expect, test } from 'vitest'
import { nowhere, present } from '../../../../src/base/index.ts'
import { ExprCompiler } from '../../../../src/backends/columnar/expr/compile.ts'
import { Frame } from '../../../../src/backends/columnar/frame.ts'
import { frameCall } from '../../../../src/backends/columnar/group/frame-calls.ts'
import { GroupMemory } from '../../../../src/backends/columnar/kernels/group-memory.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'

const GROUPS = 3

function sumsOf(lengths: readonly number[]): { readonly sums: readonly unknown[]; readonly isOpen: boolean } {
  const memory = new GroupMemory()
  const fn = present(standardFunctions.stats.get('sum'))
  const origin = nowhere
  const args = [{ kind: 'column', name: 'n', origin } as const]
  const call = { fn: 'sum', args, params: [], limit: undefined, orderBy: [], filter: undefined, origin }
  const sum = present(frameCall(fn, call, new ExprCompiler(standardFunctions), memory))
  let next = 0
  for (const length of lengths) {
    const values = Float64Array.from({ length }, () => next++ + 0.5)
    const of = Uint32Array.from({ length }, (_, row) => row % GROUPS)
    // As whoever groups frames does: kernels find groups in their memory once it is there.
    if (memory.isOpen) memory.groups.set(of)
    const frame = new Frame(length, new Map([['n', { kind: 'float64', length, values, validity: undefined } as const]]))
    sum.add(frame, { of: memory.isOpen ? memory.groups : of, bound: GROUPS })
  }
  const { isOpen } = memory
  const meter = { charge: () => undefined, release: () => undefined }
  const sums = Array.from({ length: GROUPS }, (_, group) => sum.finish(group, meter as never))
  memory.release()
  return { sums, isOpen }
}

test('a short first frame does not keep kernels from those that follow', () => {
  const lengths = [300, 600, 9000, 300]
  const expected = Array.from({ length: GROUPS }, () => 0)
  let next = 0
  for (const length of lengths)
    for (let row = 0; row < length; row++) expected[row % GROUPS] = present(expected[row % GROUPS]) + next++ + 0.5
  expect(sumsOf(lengths)).toEqual({ sums: expected, isOpen: true })
})

test('few rows take no memory for kernels', () => {
  expect(sumsOf([300, 600]).isOpen).toBe(false)
})
