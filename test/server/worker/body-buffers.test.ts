import { expect, test } from 'vitest'
import { BodyBuffers, isUsedAgain } from '../../../src/server/worker/body-buffers.ts'

test('memory of a body is given out again, for others of its size', () => {
  const buffers = new BodyBuffers()
  const first = buffers.take(100_000)
  expect(first.byteLength).toBe(100_000)
  const { buffer } = first
  expect(buffers.take(100_000).buffer).not.toBe(buffer)
  buffers.giveBack(buffer)
  expect(buffers.take(200_000).buffer).not.toBe(buffer)
  const again = buffers.take(70_000)
  expect([again.byteLength, again.byteOffset]).toEqual([70_000, 0])
  expect(again.buffer).toBe(buffer)
  expect(buffers.take(70_000).buffer).not.toBe(buffer)
})

test('short bodies get memory of their own, which is not reused', () => {
  const buffers = new BodyBuffers()
  const short = buffers.take(10)
  expect(short.buffer.byteLength).toBe(10)
  expect(isUsedAgain(short.buffer)).toBe(false)
  buffers.giveBack(short.buffer)
  expect(buffers.take(10).buffer).not.toBe(short.buffer)
  expect(isUsedAgain(buffers.take(40_000).buffer)).toBe(true)
})

test('16 MiB are kept at most', () => {
  const buffers = new BodyBuffers()
  const taken = Array.from({ length: 20 }, () => buffers.take(2 ** 20).buffer)
  for (const buffer of taken) buffers.giveBack(buffer)
  const known = new Set(taken)
  const kept = Array.from({ length: 20 }, () => buffers.take(2 ** 20).buffer).filter((buffer) => known.has(buffer))
  expect(kept).toHaveLength(16)
})
