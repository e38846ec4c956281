import { expect, test } from 'vitest'
import { SharedWrite } from '../../../src/alerting/service/shared-write.ts'

/** Returns a shared write whose underlying writes end when the test resolves or rejects them through `ends`. */
function controlled() {
  const ends: PromiseWithResolvers<void>[] = []
  const shared = new SharedWrite(() => {
    const end = Promise.withResolvers<void>()
    ends.push(end)
    return end.promise
  })
  return { shared, ends }
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(done))

test('calls of one turn share a write, calls during it share the next', async () => {
  const { shared, ends } = controlled()
  const first = [shared.run(), shared.run()]
  await turn()
  expect(ends).toHaveLength(1)
  const second = [shared.run(), shared.run()]
  await turn()
  expect(ends).toHaveLength(1)
  ends[0]?.resolve()
  await Promise.all(first)
  await turn()
  expect(ends).toHaveLength(2)
  ends[1]?.resolve()
  await Promise.all(second)
  await shared.idle()
})

test('a write that fails rejects its own callers alone', async () => {
  const { shared, ends } = controlled()
  const first = shared.run()
  await turn()
  const second = shared.run()
  ends[0]?.reject(new Error('the disk is full'))
  await expect(first).rejects.toThrow('the disk is full')
  await turn()
  ends[1]?.resolve()
  await expect(second).resolves.toBeUndefined()
})
