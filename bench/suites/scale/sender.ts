/**
 * Sends generated lines over HTTP in a process of its own, each batch acknowledged, and reports its progress after each
 * tenth.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { LineMaker } from '../../line-maker.ts'

export interface SenderOptions {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly rows: number
  readonly seed: number
  readonly batchRows: number
  readonly writers: number
  /** The number of rows between two reports. */
  readonly toldRows: number
}

export interface SenderNews {
  /** Rows acknowledged so far. */
  readonly rows: number
  readonly bytes: number
  /** Seconds since the last report. */
  readonly seconds: number
  /** Number of times that the server asked to wait since the last report. */
  readonly refused: number
  /** Processor seconds of this process since the last report. */
  readonly cpuSeconds: number
}

const options = JSON.parse(process.argv[2]) as SenderOptions
const agent = new Agent({ keepAlive: true, maxSockets: options.writers })
const maker = new LineMaker(options)

/** Resolves to the status, and the seconds to wait when the server names them. */
function send(body: Buffer): Promise<readonly [number, number]> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...options.headers,
      'Content-Type': 'application/x-ndjson',
      'Content-Length': String(body.length),
    }
    const sent = request(`${options.address}/api/ingest/logs`, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.once('end', () => resolve([response.statusCode ?? 0, Number(response.headers['retry-after'] ?? 0)]))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

let next = 0
let acknowledged = 0
let bytes = 0
let refused = 0
let toldAt = 0
let toldMs = performance.now()
let toldCpu = process.cpuUsage()

function tell(): void {
  const nowMs = performance.now()
  const cpu = process.cpuUsage(toldCpu)
  const news: SenderNews = {
    rows: acknowledged,
    bytes,
    seconds: (nowMs - toldMs) / 1000,
    refused,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  }
  process.send?.(news)
  toldAt = acknowledged
  toldMs = nowMs
  toldCpu = process.cpuUsage()
  refused = 0
}

async function write(): Promise<void> {
  while (next < options.rows) {
    const from = next
    next = Math.min(options.rows, from + options.batchRows)
    const count = next - from
    const body = maker.lines(from, next)
    for (;;) {
      const [status, waitSeconds] = await send(body)
      if (status === 200) break
      if (status !== 503 && status !== 429) throw new Error(`answered ${status}`)
      refused++
      await sleep(waitSeconds * 1000)
    }
    acknowledged += count
    bytes += body.length
    if (acknowledged - toldAt >= options.toldRows || acknowledged === options.rows) tell()
  }
}

await Promise.all(Array.from({ length: options.writers }, write))
agent.destroy()
process.disconnect?.()
