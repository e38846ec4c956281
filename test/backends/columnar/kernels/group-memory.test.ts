import { expect, test } from 'vitest'
import { present } from '../../../../src/base/index.ts'
import { ExactSums } from '../../../../src/backends/columnar/group/exact-sums.ts'
import { GroupMemory } from '../../../../src/backends/columnar/kernels/group-memory.ts'
import { Draw } from '../random-plans.ts'

const draw = new Draw(7)

function drawn<T>(length: number, make: () => T): T[] {
  return Array.from({ length }, make)
}

test.each([1, 8191, 8192, 8193, 65_536])('pairs of %i rows are numbered in order of appearance', (length) => {
  const memory = new GroupMemory()
  const left = Uint32Array.from(drawn(length, () => draw.below(30)))
  const right = Uint32Array.from(drawn(length, () => draw.below(400)))
  const room = present(memory.room(30 * 400 * 4))
  new Uint32Array(room.buffer, room.at)[3 * 400 + 5] = 1
  const pairs = [3 * 400 + 5]
  const numbers = new Map([[3 * 400 + 5, 0]])
  const expected = Array.from(left, (own, i) => {
    const pair = own * 400 + present(right[i])
    if (!numbers.has(pair)) numbers.set(pair, numbers.size)
    return numbers.get(pair)
  })
  // In the second round every pair is already known.
  for (let time = 0; time < 2; time++) {
    memory.groups.set(left)
    memory.numberPairs(right, { at: room.at, size: 400, count: pairs.length }, (added) => pairs.push(...added))
    expect(Array.from(memory.groups.subarray(0, length))).toEqual(expected)
  }
  expect(pairs).toEqual([...numbers.keys()])
  memory.release()
})

/** Expects that `ExactSums` returns the same sums with kernels and without. */
function expectSameSums(memory: GroupMemory, values: Float64Array, groupCount: number, magnitude: number): void {
  const { length } = values
  memory.groups.set(drawn(length, () => draw.below(groupCount)))
  const rows = Uint32Array.from(drawn(length >> 1, () => draw.below(length)))
  const own = new ExactSums(magnitude, memory)
  const other = new ExactSums(magnitude)
  const groups = memory.groups.slice(0, length)
  for (const bound of [Math.min(groupCount, 3), groupCount]) {
    own.reserve(bound)
    other.reserve(bound)
  }
  for (const listed of [undefined, rows]) {
    own.addAll(values, listed, memory.groups, listed?.length ?? length)
    other.addAll(values, listed, groups, listed?.length ?? length)
  }
  for (let group = 0; group < groupCount; group++) {
    expect(own.sum(group)).toBe(other.sum(group))
    expect(own.mean(group)).toBe(other.mean(group))
  }
}

test('kernels add up what the loops do', () => {
  const memory = new GroupMemory()
  const kinds: readonly (() => number)[] = [
    () => draw.below(1e6) / 1000,
    () => draw.pick([1.5, NaN, -2, Infinity, 0, -0, 1e300, -1e-300]),
    () => (draw.below(2 ** 31) - 2 ** 30) * 2 ** (draw.below(80) - 40),
  ]
  for (const make of kinds) {
    for (const length of [1, 100, 20_000]) {
      expectSameSums(memory, Float64Array.from(drawn(length, make)), 1 + draw.below(200), 1000)
    }
  }
  memory.release()
})

test('groups that exceed the kernel memory are summed outside of it', () => {
  const memory = new GroupMemory()
  const values = Float64Array.from(drawn(1000, () => draw.below(1e6) / 8))
  const sums = new ExactSums(2 ** 20, memory)
  sums.reserve(10)
  memory.groups.set(values.map((_, i) => i % 10))
  sums.addAll(values, undefined, memory.groups, 1000)
  sums.reserve(2_000_000)
  expect(memory.room(32 * 1024 * 1024)).toBeUndefined()
  sums.addAll(values, undefined, memory.groups, 1000)
  for (let group = 0; group < 10; group++) {
    const sum = values.filter((_, i) => i % 10 === group).reduce((a, b) => a + b, 0)
    expect(sums.sum(group)).toBe(2 * sum)
  }
  expect(sums.sum(1_999_999)).toBeNaN()
  memory.release()
})

test('without memory for kernels the loops do their work', () => {
  const used = Array.from({ length: 3 }, () => new GroupMemory())
  // Takes the spare memory block that an earlier test may have left, so that the next aggregate must allocate.
  for (const memory of used) memory.room(1)
  const memory = new GroupMemory(() => {
    throw new RangeError('could not allocate memory')
  })
  expect(memory.room(64)).toBeUndefined()
  expect(memory.groups).toBe(memory.groups)
  expectSameSums(memory, Float64Array.from(drawn(5000, () => draw.below(1e6) / 1000)), 20, 1000)
  memory.release()
  for (const one of used) one.release()
})

test('a memory that was used gives rooms of zeros, and nothing after its end', () => {
  const first = new GroupMemory()
  const room = present(first.room(1000))
  new Uint8Array(room.buffer, room.at, 1000).fill(255)
  first.release()
  const second = new GroupMemory()
  for (const bytes of [10, 100, 5000]) {
    const next = present(second.room(bytes))
    expect(new Uint8Array(next.buffer, next.at, bytes).every((byte) => byte === 0)).toBe(true)
  }
  second.release()
  expect(() => second.groups).toThrow('after its end')
})
