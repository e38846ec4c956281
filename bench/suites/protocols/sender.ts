/**
 * Sends bodies of a protocol over several connections from a process of its own, which makes them before it is asked to
 * send.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { authorized } from '../../../test/harness/server-process.ts'
import { protocols } from './bodies.ts'

export interface SenderOptions {
  readonly address: string
  readonly protocol: string
  readonly rounds: number
  readonly connections: number
  readonly gzip: boolean
}

/** Asks to send the bodies from one number up to another; all earlier ones have been sent. */
export interface SendRequest {
  readonly toRound: number
}

export interface SenderNews {
  /** The records of this request that were acknowledged. */
  readonly records: number
  readonly bytes: number
  readonly seconds: number
  /** The reasons why the server refused bodies; they were sent again. */
  readonly refusals: readonly string[]
  /** The server's response times in milliseconds, ascending. */
  readonly answersMs: readonly number[]
}

const options = JSON.parse(process.argv[2]) as SenderOptions
const protocol = protocols.find(({ name }) => name === options.protocol)
if (protocol === undefined) throw new Error(`no protocol ${options.protocol}`)
const { path, count } = protocol
const headers = authorized({ ...protocol.headers, ...(options.gzip ? { 'Content-Encoding': 'gzip' } : {}) })
const bodies = Array.from({ length: options.rounds }, (_, round) => {
  const body = protocol.body(round)
  return options.gzip ? gzipSync(body, { level: 1 }) : body
})
const agent = new Agent({ keepAlive: true, maxSockets: options.connections })

/** Resolves to the reason why a body must be sent again; `undefined` once all of it is stored. */
function send(body: Uint8Array): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const own = { ...headers, 'Content-Length': String(body.length) }
    const sent = request(`${options.address}${path}`, { method: 'POST', agent, headers: own }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.once('end', () => {
        const status = response.statusCode ?? 500
        const written = Number(response.headers['x-prometheus-remote-write-samples-written'] ?? count)
        // An OpenTelemetry export that was accepted as a whole is answered with an empty message.
        const isWhole = (text === '' || text === '{}' || !path.startsWith('/v1/')) && written === count
        if (status < 300 && isWhole) resolve(undefined)
        else if (status === 503 || status === 429) resolve(`${status}: ${text}`)
        else reject(new Error(`answered ${status} with ${written} of ${count} written: ${text}`))
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

let next = 0

async function sendTo(toRound: number): Promise<SenderNews> {
  const refusals: string[] = []
  const answersMs: number[] = []
  let bytes = 0
  const first = next
  const write = async (): Promise<void> => {
    for (let i = next++; i < toRound; i = next++) {
      for (;;) {
        const startedMs = performance.now()
        const refusal = await send(bodies[i])
        answersMs.push(performance.now() - startedMs)
        if (refusal === undefined) break
        refusals.push(refusal)
        await sleep(1000)
      }
      bytes += bodies[i].length
      bodies[i] = new Uint8Array(0)
    }
  }
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: options.connections }, write))
  next = toRound
  const seconds = (performance.now() - startedMs) / 1000
  answersMs.sort((a, b) => a - b)
  return { records: (toRound - first) * count, bytes, seconds, refusals, answersMs }
}

process.on('message', ({ toRound }: SendRequest) => {
  sendTo(toRound).then(
    (news) => process.send?.(news),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit())
process.send?.('made')
