// @module-tag slow
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { createServer, defaultServerLimits, newTarget, type SluiceServer } from '../../../src/server/index.ts'
import { SEARCH } from '../harness/harness.ts'

const target = newTarget()
const startNs = 1_773_100_800_000_000_000n
target.store.table('logs').writer.appendRows(
  Array.from({ length: 20_000 }, (_, i) => ({
    timeNs: startNs + BigInt(i),
    row: new Map([
      ['content', `request ${i} of user ${i % 977} took ${i % 83} ms and ${'some more words '.repeat(4)}`],
    ]),
  })),
)
target.store.table('logs').seal()
/** A query that takes many seconds. */
const slow = Array.from({ length: 4000 }, (_, i) => `*abc${i}xyz*`).join(' or ')

let server: SluiceServer | undefined
afterEach(() => server?.close())

interface Sent {
  /** Resolves when the operating system has accepted the whole request. */
  readonly written: Promise<unknown>
  readonly answer: Promise<IncomingMessage>
}

async function start(workers: number, drainMs: number): Promise<(body: object) => Sent> {
  // Six queries share the thread. On a busy machine the last one may wait longer than the default limit.
  const limits = { ...defaultServerLimits, waitMs: 600_000, queryMs: 600_000, drainMs }
  server = await createServer({ store: target.store, samples: target.samples, keys: ['secret'], workers, limits })
  const { address } = await server.listen()
  return (body) => {
    const headers = { Authorization: 'secret', 'Content-Type': 'application/json', Accept: 'application/x-ndjson' }
    const outgoing = request(address + SEARCH, { method: 'POST', headers, agent: false })
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve)
      outgoing.once('error', reject)
    })
    const written = new Promise((resolve) => outgoing.once('finish', resolve))
    outgoing.end(JSON.stringify({ start: '2026-03-10T00:00:00Z', end: '2026-03-11T00:00:00Z', ...body }))
    return { written, answer }
  }
}

test.each([0, 1])(
  'what was accepted before the end is answered whole, streams too, with %i workers',
  async (workers) => {
    const send = await start(workers, 600_000)
    const stream = await send({ query: '*', enableStream: true }).answer
    const sent = Array.from({ length: 5 }, () => send({ query: '* | stats by (content) count() n | limit 3' }))
    await Promise.all(sent.map(({ written }) => written))
    const closed = server?.close()
    for (const { answer } of sent) {
      const { statusCode } = await answer
      expect(statusCode).toBe(200)
      expect(JSON.parse(await text(await answer))).toHaveLength(3)
    }
    const lines = (await text(stream)).trimEnd().split('\n')
    expect(lines).toHaveLength(20_000)
    await closed
    await expect(send({ query: '*' }).answer).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  },
)

test('requests that exceed the drain time get 503', async () => {
  const send = await start(1, 200)
  const sent = [send({ query: slow }), send({ query: `${slow} or later` })]
  await Promise.all(sent.map(({ written }) => written))
  const closed = server?.close()
  for (const { answer } of sent) {
    const { statusCode, headers } = await answer
    expect([statusCode, headers.connection]).toEqual([503, 'close'])
    expect(JSON.parse(await text(await answer))).toMatchObject({ code: 'server/stopping' })
  }
  await closed
})
