import { spawn, type ChildProcess } from 'node:child_process'
import { Agent, request as send } from 'node:http'
import { fileURLToPath } from 'node:url'
import { findAll, idIn, kinds, LAST_STEP, requestOf, type Found, type Kind, type Request } from './kill-documents.ts'

const SERVER = fileURLToPath(new URL('kill-server.ts', import.meta.url))
const KEY = 'key-of-the-kill-loop-0123456789'

/** State of one document as the client knows it. */
export interface Entry {
  readonly kind: Kind
  readonly name: string
  id: string | undefined
  /** Last acknowledged step; -1 before the first. */
  acknowledged: number
  /** True if the next step has been sent and has no answer yet. */
  isPending: boolean
}

/** A running server, and a client that changes documents on it. */
export class KillClient {
  readonly #child: ChildProcess
  readonly #agent: Agent
  readonly #port: number
  #pending = 0

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.#port = port
    this.#agent = new Agent({ keepAlive: true })
  }

  /** Starts a server over the data folder `path`. `cache` is the folder for compiled code. */
  static async start(path: string, cache: string): Promise<KillClient> {
    const child = spawn(process.execPath, [SERVER, path, KEY], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: cache },
    })
    const port = await new Promise<number>((resolve, reject) => {
      child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(Number(text)))
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    })
    return new KillClient(child, port)
  }

  /** Kills the server. Returns the number of changes that were in flight. */
  async kill(): Promise<number> {
    const gone = new Promise((resolve) => this.#child.once('close', resolve))
    this.#child.kill('SIGKILL')
    const pending = this.#pending
    await gone
    this.#agent.destroy()
    return pending
  }

  /**
   * Sends a request. Resolves with the text of the answer. Rejects without a complete answer, and with
   * `UnexpectedAnswer` for another status than expected.
   */
  #send({ method, path, body, status }: Request): Promise<string> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const type =
        text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
      const headers = { Authorization: `Bearer ${KEY}`, ...type }
      const request = send(
        { host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path, headers },
        (response) => {
          let answer = ''
          response.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk))
          response.once('error', reject)
          response.once('close', () => reject(new Error('no whole answer')))
          response.once('end', () => {
            // `end` is also emitted for an answer that was cut off.
            if (!response.complete) reject(new Error('no whole answer'))
            else if (response.statusCode === status) resolve(answer)
            else reject(new UnexpectedAnswer(`${method} ${path}: ${response.statusCode} ${answer.slice(0, 200)}`))
          })
        },
      )
      request.once('error', reject)
      request.end(text)
    })
  }

  /** Returns all documents on the server. Monitors are left out unless `isWanted` accepts their name. */
  async findAll(isWanted: (name: string) => boolean): Promise<ReadonlyMap<Kind, readonly Found[]>> {
    const found = await Promise.all(kinds.map((kind) => findAll(kind, (request) => this.#send(request), isWanted)))
    return new Map(kinds.map((kind, i) => [kind, found[i] ?? []]))
  }

  /** Moves a document to its next step. Resolves with false if there was no answer. */
  async advance(entry: Entry): Promise<boolean> {
    const step = entry.acknowledged + 1
    entry.isPending = true
    this.#pending++
    try {
      const answer = await this.#send(requestOf(entry.kind, entry.name, step, entry.id))
      if (step === 0) entry.id = idIn(entry.kind, JSON.parse(answer) as Readonly<Record<string, unknown>>)
      entry.acknowledged = step
      entry.isPending = false
      return true
    } catch (error) {
      if (error instanceof UnexpectedAnswer) throw error
      return false
    } finally {
      this.#pending--
    }
  }
}

export class UnexpectedAnswer extends Error {}

/** True if the document exists after the step. */
export function isThere(step: number): boolean {
  return step >= 0 && step < LAST_STEP
}
