import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, type Random } from '../../../src/base/index.ts'
import { logSearchBody } from '../attacks/attack.ts'
import { PATIENCE_MS } from '../../harness/patience.ts'
import type { Rounds } from '../run.ts'
import { SentBatches } from '../kill-ingest/sent-batches.ts'
import { PROCESS_KEY, authorized, startServer, type ServerProcess } from '../../harness/server-process.ts'

export interface SigtermOptions {
  readonly more: Rounds
  readonly seed: number
  /** Number of clients; each always has one request in flight. */
  readonly clients: number
  readonly print?: (line: string) => void
}

export interface SigtermReport {
  restarts: number
  answered: number
  /** Number of requests that were sent completely before a signal and had no answer yet. */
  inFlight: number
  /** Number of requests that were incomplete at a signal and then failed. The server had not accepted them. */
  turnedAway: number
  /** Descriptions of accepted requests without a complete answer, unclean exits, and lost rows. */
  readonly faults: string[]
}

const LOAD_MS = 300

/** One server process under load, from its start to its end. */
class Life {
  readonly #server: ServerProcess
  readonly #report: SigtermReport
  readonly #agent = new Agent({ keepAlive: true })
  isEnding = false
  #inFlight = 0
  answered = 0

  constructor(server: ServerProcess, report: SigtermReport) {
    this.#server = server
    this.#report = report
  }

  /** Sends searches, streams and long queries until the server is being stopped. */
  async client(random: Random): Promise<void> {
    while (!this.isEnding) {
      const kind = random.below(3)
      const query = ['* | stats by (level) count() as n', '* | limit 2000', '*'][kind] ?? '*'
      const body = { ...(JSON.parse(logSearchBody(query)) as object), enableStream: kind === 2 }
      const range = { start: '2020-01-01T00:00:00Z', end: '2040-01-01T00:00:00Z' }
      await this.#send(JSON.stringify({ ...body, ...range }))
    }
  }

  async end(): Promise<void> {
    this.#report.inFlight += this.#inFlight
    this.isEnding = true
    const code = await this.#server.stop()
    if (code !== 0) this.#report.faults.push(`the process ended with ${code}`)
  }

  close(): void {
    this.#agent.destroy()
  }

  #send(body: string): Promise<void> {
    return new Promise((resolve) => {
      let isAccepted = false
      const done = (status: string): void => {
        if (isAccepted) this.#inFlight--
        if (status === '200') {
          this.answered++
          this.#report.answered++
        } else if (!isAccepted) this.#report.turnedAway++
        else this.#report.faults.push(`a request that was sent before the signal: ${status}`)
        resolve()
      }
      const headers = authorized({ 'Content-Type': 'application/json', Accept: 'application/x-ndjson' })
      const url = new URL('/api/logs/v2/search', this.#server.address)
      const outgoing = request(url, { method: 'POST', headers, agent: this.#agent }, (answer) => {
        answer.resume()
        answer.once('error', (error) => done(`cut after its head: ${error.message}`))
        answer.once('end', () => done(answer.complete ? `${answer.statusCode}` : 'cut'))
      })
      outgoing.once('error', (error) => done(error.message))
      outgoing.once('finish', () => {
        isAccepted = !this.isEnding
        if (isAccepted) this.#inFlight++
      })
      outgoing.end(body)
    })
  }
}

/**
 * Ends servers with SIGTERM under load, restarts them over the same folder, and checks that every accepted request was
 * answered and no row was lost.
 */
export async function sigtermLoop({ more, seed, clients, print }: SigtermOptions): Promise<SigtermReport> {
  const report: SigtermReport = { restarts: 0, answered: 0, inFlight: 0, turnedAway: 0, faults: [] }
  const random = seededRandom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sigterm-'))
  const sent = new SentBatches()
  try {
    for (let life = 0; report.faults.length < 20; life++) {
      const server = await startServer(['--data', join(folder, 'data'), '--workers', `${random.below(3)}`], [], {
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
      })
      report.faults.push(...(await sent.check(server.address)))
      if (!more(life)) {
        await server.kill()
        break
      }
      const living = new Life(server, report)
      const writer = async (name: string): Promise<void> => {
        for (let i = 0; !living.isEnding; i++) {
          const status = await sent.send(server.address, PROCESS_KEY, `${life}-${name}-${i}`, 1 + random.below(20))
          if (status === 200) continue
          if (living.isEnding) report.turnedAway++
          else report.faults.push(`a batch that was sent before the signal: ${status ?? 'cut'}`)
        }
      }
      const working = [
        ...Array.from({ length: clients }, (_, i) => living.client(seededRandom(seed * 1009 + life * 97 + i))),
        ...Array.from({ length: 4 }, (_, i) => writer(`${i}`)),
      ]
      for (let waitedMs = 0; waitedMs < PATIENCE_MS && living.answered === 0; waitedMs += 5) await sleep(5)
      await sleep(random.below(LOAD_MS))
      const ended = living.end()
      await Promise.all([ended, ...working])
      living.close()
      report.restarts++
      print?.(
        `restart ${report.restarts}: ${report.answered} answered, ${report.inFlight} under way at signals, ${report.faults.length} faults`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return report
}
