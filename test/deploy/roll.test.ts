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
/** Number of batches that must be acknowledged before a server is stopped. */
const BEFORE = 100
/** Pause of a sender that finds no server, ms. */
const PAUSE_MS = 20

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
  /** Requests of accepted connections that ended without an answer. */
  readonly broken: string[] = []
  /** Connections that no server accepted: refused, or reset while the port closed. Nothing of their batches is stored. */
  turnedAway = 0
  isOver = false
  readonly #agent: PlainAgent
  readonly #isTls: boolean
  #address: string
  #next = 0
  /** Time of the last SIGTERM. */
  #stopMs = Infinity

  constructor(address: string) {
    this.#address = address
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

  /** Makes later batches go to another server. */
  moveTo(address: string): void {
    this.#address = address
    this.#stopMs = Infinity
  }

  /** Stops a server. From now on it may refuse new connections, which then is no fault. */
  stop(stopped: ServerProcess): Promise<number | null> {
    this.#stopMs = performance.now()
    return stopped.stop()
  }

  /** Sends a batch; false if it has to be sent again. */
  #isTaken(id: string): Promise<boolean> {
    const beganMs = performance.now()
    const body = `${JSON.stringify({ content: id, id })}\n`
    return new Promise((resolve) => {
      const sent = (this.#isTls ? request : plainRequest)(`${this.#address}/api/ingest/logs`, {
        agent: this.#agent,
        method: 'POST',
        headers: authorized({ 'Content-Type': 'application/x-ndjson', 'Content-Length': String(body.length) }),
      })
      const fail = (error: Error): void => {
        const code = errorCode(error)
        // A reused connection had been accepted, and so had one that was opened before the server was told to stop.
        const isAccepted = code !== 'ECONNREFUSED' && (sent.reusedSocket || beganMs < this.#stopMs)
        if (isAccepted) this.broken.push(`${id}: ${code}`)
        else this.turnedAway++
        // No server is there: a sender waits before it tries again.
        setTimeout(() => resolve(false), PAUSE_MS)
      }
      sent.once('error', fail).once('response', (response: IncomingMessage) => {
        text(response).then(() => resolve(response.statusCode === 200), fail)
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
  expect(await load.stop(server)).toBe(0)
  const before = load.acknowledged.length
  server = await startServer([...args, ...tls])
  load.moveTo(server.address)
  await expect.poll(() => load.acknowledged.length).toBeGreaterThan(before + BEFORE)
  expect(await load.stop(server)).toBe(0)
  load.isOver = true
  await ended
  expect(load.broken).toEqual([])
  expect(load.turnedAway).toBeGreaterThan(0)
  // Without TLS, since `fetch` does not trust the certificate of the tests.
  server = await startServer(args)
  const stored = await storedIds(server.address)
  const lost = load.acknowledged.filter((id) => !stored.includes(id))
  expect(lost).toEqual([])
  // A batch that was sent again was in no server before.
  expect(stored.length).toBe(new Set(stored).size)
})
