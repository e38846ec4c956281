import { setImmediate as round } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { HttpFault } from '../../src/server/http-fault.ts'
import { Turns } from '../../src/server/turns.ts'

test('one request begins in each round of the event loop, and keys take turns', async () => {
  const turns = new Turns(10)
  const begun: string[] = []
  const take = async (key: string): Promise<void> => {
    await turns.take(key)
    begun.push(key)
  }
  const all = ['a', 'a', 'a', 'a', 'a', 'b', 'c'].map(take)
  expect(begun).toEqual([])
  const counts: number[] = []
  while (begun.length < 7) {
    await round()
    counts.push(begun.length)
  }
  await Promise.all(all)
  expect(Math.max(...counts.map((count, i) => count - (counts[i - 1] ?? 0)))).toBe(1)
  expect(begun.indexOf('b')).toBeLessThan(3)
  expect(begun.indexOf('c')).toBeLessThan(4)
  expect(begun.toSorted().join('')).toBe('aaaaabc')
})

test('a key has a bounded number in line, others have theirs', async () => {
  const turns = new Turns(2)
  const first = [turns.take('a'), turns.take('a')]
  expect(() => turns.take('a')).toThrow(HttpFault)
  await Promise.all([...first, turns.take('b')])
  await turns.take('a')
})
