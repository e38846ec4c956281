import { expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/index.ts'
import { Admission } from '../../../src/server/admission/admission.ts'
import { HttpFault } from '../../../src/server/index.ts'

const signal = new AbortController().signal
const limits = { runningQueries: 4, waitingQueries: 6, queriesPerKey: 8, waitMs: 10_000 }

async function refusal(entering: Promise<unknown>): Promise<unknown> {
  const error: unknown = await entering.then(
    () => 'let in',
    (thrown: unknown) => thrown,
  )
  return error instanceof HttpFault && error instanceof SluiceError
    ? [error.status, error.code, error.headers['Retry-After']]
    : error
}

test('one key may run three of four queries; another key is admitted at once', async () => {
  const admission = new Admission(limits)
  const first = await Promise.all(Array.from({ length: 3 }, () => admission.enter('a', signal)))
  let isIn = false
  const fourth = admission.enter('a', signal).then((leave) => {
    isIn = true
    return leave
  })
  const other = await admission.enter('b', signal)
  expect([isIn, admission.running, admission.waiting]).toEqual([false, 4, 1])
  first[0]?.()
  first[0]?.()
  const leave = await fourth
  expect([isIn, admission.running, admission.waiting]).toEqual([true, 4, 0])
  for (const end of [...first, leave, other]) end()
  expect([admission.running, admission.waiting]).toEqual([0, 0])
})

test('a key with one query overtakes the waiting queries of a key with many', async () => {
  const admission = new Admission({ ...limits, runningQueries: 1 })
  const order: string[] = []
  const run = async (key: string, name: string): Promise<void> => {
    const leave = await admission.enter(key, signal)
    order.push(name)
    await new Promise((resolve) => setTimeout(resolve, 5))
    leave()
  }
  const a = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name))
  await Promise.all([...a, run('b', 'b1')])
  expect(order.indexOf('b1')).toBeLessThan(3)
  expect(order.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3', 'a4'])
})

test('too many queries of one key, and queries beyond a full queue, are refused with 429', async () => {
  const admission = new Admission(limits)
  const controller = new AbortController()
  const entering = Array.from({ length: 8 }, () => admission.enter('a', controller.signal))
  expect(await refusal(admission.enter('a', signal))).toEqual([429, 'server/too-many-queries', '1'])
  const others = [admission.enter('b', signal), admission.enter('b', controller.signal)]
  expect([admission.running, admission.waiting]).toEqual([4, 6])
  expect(await refusal(admission.enter('c', signal))).toEqual([429, 'server/line-full', '1'])
  controller.abort()
  const settled = await Promise.allSettled([...entering, ...others])
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(6)
  expect(admission.waiting).toBe(0)
  for (const each of settled) if (each.status === 'fulfilled') each.value()
  expect(admission.running).toBe(0)
})

test('who waits too long gets 503', async () => {
  const admission = new Admission({ ...limits, runningQueries: 1, waitMs: 10 })
  const leave = await admission.enter('a', signal)
  expect(await refusal(admission.enter('b', signal))).toEqual([503, 'server/busy', '1'])
  leave()
  expect(await refusal(admission.enter('b', signal))).toBe('let in')
})
