import { expect, test } from 'vitest'
import { FairQueue } from '../../src/workers/fair-queue.ts'

interface Named {
  readonly key: string
  readonly name: string
}

const job = (key: string, name: string): Named => ({ key, name })
const any = (): boolean => true

test('the hundredth of one key waits behind the first of another', () => {
  const queue = new FairQueue<Named>()
  for (let i = 0; i < 100; i++) queue.push(job('a', `a${i}`))
  expect(queue.take(any)?.name).toBe('a0')
  queue.used('a', 4)
  queue.push(job('b', 'b0'))
  queue.push(job('b', 'b1'))
  const names = Array.from({ length: 4 }, () => {
    const taken = queue.take(any)
    if (taken !== undefined) queue.used(taken.key, 3)
    return taken?.name
  })
  expect(names).toEqual(['b0', 'b1', 'a1', 'b2'].slice(0, 2).concat(['a1', 'a2']))
  expect(queue.size).toBe(97)
})

test('work counts, not the number of jobs', () => {
  const queue = new FairQueue<Named>()
  for (let i = 0; i < 10; i++) for (const key of ['heavy', 'light']) queue.push(job(key, key))
  let light = 0
  for (let i = 0; i < 10; i++) {
    const taken = queue.take(any)
    if (taken?.key === 'light') light++
    queue.used(taken?.key ?? '', taken?.key === 'heavy' ? 100 : 1)
  }
  expect(light).toBe(9)
})

test('a job without a place leaves the turn to the next key, and keeps its own', () => {
  const queue = new FairQueue<Named>()
  queue.push(job('a', 'a0'))
  queue.push(job('b', 'b0'))
  expect(queue.take(({ key }) => key === 'b')?.name).toBe('b0')
  expect(queue.take(({ key }) => key === 'b')).toBeUndefined()
  expect(queue.take(any)?.name).toBe('a0')
})

test('a job that is put back is first in its queue; a removed job is gone', () => {
  const queue = new FairQueue<Named>()
  const first = job('a', 'first')
  const second = job('a', 'second')
  queue.push(first)
  queue.push(second)
  expect(queue.take(any)).toBe(first)
  queue.pushFirst(first)
  queue.end('a')
  expect(queue.toArray()).toEqual([first, second])
  expect(queue.remove(first)).toBe(true)
  expect(queue.remove(first)).toBe(false)
  expect(queue.take(any)).toBe(second)
  expect(queue.size).toBe(0)
})

test('an idle caller gains no credit', () => {
  const queue = new FairQueue<Named>()
  queue.push(job('a', 'a'))
  queue.take(any)
  queue.used('a', 1000)
  queue.push(job('a', 'a'))
  queue.take(any)
  queue.push(job('late', 'late'))
  queue.take(any)
  queue.used('late', 50)
  for (const key of ['a', 'late']) queue.push(job(key, key))
  expect(queue.take(any)?.name).toBe('a')
})
