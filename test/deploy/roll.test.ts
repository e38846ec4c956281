// @module-tag slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { errorCode } from '../../src/base/index.ts'
import { certificate } from '../harness/certificate.ts'
import { authorized, startServer, type ServerProcess } from '../harness/server-process.ts'

/** Senders, each with a batch in flight at almost any time. */
const SENDERS = 16
/** Batches that must be acknowledged before a server is told to stop. */
const BEFORE = 100

let folder: string
let server: ServerProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-roll-'))
})

afterEach(async () => {
  await server?.kill()
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

/** A load of small batches over kept connections, as collectors send them: each batch is sent until it is acknowledged. */
class Load {
  /** Ids of batches that were answered with 200. */
  readonly acknowledged: string[] = []
  /** Errors of requests whose bytes a server had taken: connections that ended without an answer. */
  readonly broken: string[] = []
  /** Connections that nobody accepted. */
  refused = 0
  /** Where batches go now. */
  address: string
  isOver = false
  readonly #agent: PlainAgent
  readonly #isTls: boolean
  #next = 0

  constructor(address: string) {
    this.address = address
    this.#isTls = address.startsWith('https:')
    this.#agent = this.#isTls
      ? new Agent({ keepAlive: true, ca: certificate.cert, servername: 'localhost' })
      : new PlainAgent({ keepAlive: true })
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: SENDERS }, () => this.#sender()))
    this.#agent.destroy()
  }

  async #sender(): Promise<void> {
    while (!this.isOver) {
      const id = `batch-${this.#next++}`
      while (!(await this.#isTaken(id))) if (this.isOver) return
      this.acknowledged.push(id)
    }
  }

  /** Sends a batch; false if it has to be sent again. */
  async #isTaken(id: string): Promise<boolean> {
    try {
      return (await this.#send(`${JSON.stringify({ content: id, id })}\n`)) === 200
    } catch (error) {
      // No server is there: a sender waits before it tries again.
      if (errorCode(error) === 'ECONNREFUSED') {
        this.refused++
        await new Promise((resolve) => setTimeout(resolve, 20))
      } else this.broken.push(`${id}: ${errorCode(error)}`)
      return false
    }
  }

  #send(body: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = (this.#isTls ? request : plainRequest)(`${this.address}/api/ingest/logs`, {
        agent: this.#agent,
        method: 'POST',
        headers: authorized({ 'Content-Type': 'application/x-ndjson', 'Content-Length': String(body.length) }),
      })
      sent.once('error', reject).once('response', (response: IncomingMessage) => {
        text(response).then(() => resolve(response.statusCode), reject)
      })
      sent.end(body)
    })
  }
}

/** Ids of all stored rows, sorted; one that is there twice is listed twice. */
async function storedIds(address: string): Promise<readonly string[]> {
  const answer = await fetch(`${address}/api/logs/v2/search`, {
    method: 'POST',
    headers: authorized({ 'Content-Type': 'application/json', Accept: 'application/x-ndjson' }),
    body: JSON.stringify({
      start: '2020-01-01T00:00:00Z',
      end: '2100-01-01T00:00:00Z',
      query: '* | fields id',
      enableStream: true,
    }),
  })
  const lines = (await answer.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => (JSON.parse(line) as { readonly id: string }).id).toSorted()
}

test.each([
  ['HTTP', []],
  ['TLS', ['--tls-cert', 'tls.crt', '--tls-key', 'tls.key']],
])('a roll under a load over %s loses no acknowledged batch and resets no accepted request', async (_, options) => {
  for (const [name, pem] of [
    ['tls.crt', certificate.cert],
    ['tls.key', certificate.key],
  ] as const)
    writeFileSync(join(folder, name), pem)
  const tls = options.map((option) => (option.startsWith('--') ? option : join(folder, option)))
  const args = ['--data', join(folder, 'data'), '--workers', '1']
  server = await startServer([...args, ...tls])
  const load = new Load(server.address)
  const ended = load.run()
  await expect.poll(() => load.acknowledged.length).toBeGreaterThan(BEFORE)
  expect(await server.stop()).toBe(0)
  const before = load.acknowledged.length
  server = await startServer([...args, ...tls])
  load.address = server.address
  await expect.poll(() => load.acknowledged.length).toBeGreaterThan(before + BEFORE)
  // The second stop is as the first one.
  const stopped = server.stop()
  expect(await stopped).toBe(0)
  load.isOver = true
  await ended
  expect(load.broken).toEqual([])
  expect(load.refused).toBeGreaterThan(0)
  // Without TLS, since `fetch` does not trust the certificate of the tests.
  server = await startServer(args)
  const stored = await storedIds(server.address)
  const lost = load.acknowledged.filter((id) => !stored.includes(id))
  expect(lost).toEqual([])
  // A batch is sent again only if nobody took it.
  expect(stored.length).toBe(new Set(stored).size)
})
