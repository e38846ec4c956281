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

/** Number of senders, each of which nearly always has a batch in flight. */
const SENDERS = 16
/** Number of batches to acknowledge before a server is stopped. */
const BEFORE = 100
/** Pause in ms before a sender retries when no server accepts its connection. */
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

/**
 * Sends small batches over keep-alive connections, as collectors do. Each batch is repeated until it is acknowledged.
 */
class Load {
  /** Ids of batches that got the status 200. */
  readonly acknowledged: string[] = []
  /** Requests on accepted connections that ended without an answer. */
  readonly broken: string[] = []
  /**
   * Number of connections that no server accepted: refused, or reset while the port closed. Nothing of their batches is
   * stored.
   */
  turnedAway = 0
  isOver = false
  readonly #agent: PlainAgent
  readonly #isTls: boolean
  #address: string
  #next = 0
  /** Time of the last SIGTERM, in ms of `performance.now()`. */
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

  /** Sends later batches to another server. */
  moveTo(address: string): void {
    this.#address = address
    this.#stopMs = Infinity
  }

  /** Stops a server and returns its exit code. From now on refused connections do not count as faults. */
  stop(stopped: ServerProcess): Promise<number | null> {
    this.#stopMs = performance.now()
    return stopped.stop()
  }

  /** Sends a batch. Returns false if it must be sent again. */
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
        // The connection had been accepted if it was reused, or opened before the server was told to stop.
        const isAccepted = code !== 'ECONNREFUSED' && (sent.reusedSocket || beganMs < this.#stopMs)
        if (isAccepted) this.broken.push(`${id}: ${code}`)
        else this.turnedAway++
        // No server accepts connections: the sender pauses before it retries.
        setTimeout(() => resolve(false), PAUSE_MS)
      }
      sent.once('error', fail).once('response', (response: IncomingMessage) => {
        text(response).then(() => resolve(response.statusCode === 200), fail)
      })
      sent.end(body)
    })
  }
}

/** Returns the ids of all stored rows, sorted. An id that is stored twice is listed twice. */
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
  // No TLS here, because `fetch` does not trust the test certificate.
  server = await startServer(args)
  const stored = await storedIds(server.address)
  const lost = load.acknowledged.filter((id) => !stored.includes(id))
  expect(lost).toEqual([])
  // A batch that was sent again had not been stored before, so no id is stored twice.
  expect(stored.length).toBe(new Set(stored).size)
})
