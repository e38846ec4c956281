// @module-tag slow
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createServer, defaultServerLimits, newTarget, type SluiceServer } from '../../../src/server/index.ts'
import { SEARCH } from '../harness.ts'

const target = newTarget()
const startNs = 1_773_100_800_000_000_000n
target.store.table('logs').appendRows(
  Array.from({ length: 20_000 }, (_, i) => ({
    timeNs: startNs + BigInt(i),
    row: new Map([
      ['content', `request ${i} of user ${i % 977} took ${i % 83} ms and ${'some more words '.repeat(4)}`],
    ]),
  })),
)
target.store.table('logs').seal()
/** Takes many seconds. */
const slow = Array.from({ length: 4000 }, (_, i) => `*abc${i}xyz*`).join(' or ')

let server: SluiceServer | undefined
afterEach(() => server?.close())

async function start(workers: number, drainMs: number): Promise<(body: object) => Promise<Response>> {
  const limits = { ...defaultServerLimits, drainMs }
  server = await createServer({ store: target.store, samples: target.samples, keys: ['secret'], workers, limits })
  const { address } = await server.listen()
  return (body) =>
    fetch(`${address}${SEARCH}`, {
      method: 'POST',
      headers: { Authorization: 'secret', 'Content-Type': 'application/json', Accept: 'application/x-ndjson' },
      body: JSON.stringify({ start: '2026-03-10T00:00:00Z', end: '2026-03-11T00:00:00Z', ...body }),
    })
}

test.each([0, 1])(
  'what was accepted before the end is answered whole, streams too, with %i workers',
  async (workers) => {
    const send = await start(workers, 10_000)
    const stream = await send({ query: '*', enableStream: true })
    const answers = Array.from({ length: 5 }, () => send({ query: '* | stats by (content) count() n | limit 3' }))
    await sleep(20)
    const closed = server?.close()
    for (const answer of await Promise.all(answers)) {
      expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
      expect(await answer.json()).toHaveLength(3)
    }
    const lines = (await stream.text()).trimEnd().split('\n')
    expect(lines).toHaveLength(20_000)
    await closed
    await expect(send({ query: '*' })).rejects.toThrow('fetch failed')
  },
)

test('what takes longer than it is given gets 503', async () => {
  const send = await start(1, 200)
  const answers = [send({ query: slow }), send({ query: `${slow} or later` })]
  await sleep(500)
  const closed = server?.close()
  for (const answer of await Promise.all(answers)) {
    expect([answer.status, answer.headers.get('connection')]).toEqual([503, 'close'])
    expect(await answer.json()).toMatchObject({ code: 'server/stopping' })
  }
  await closed
})
