import { Agent, request } from 'node:http'
import { authorized } from '../../../test/harness/server-process.ts'
import { jsonLine, logRecords } from '../../datasets.ts'

export interface IngestLoad {
  readonly rows: number
  readonly writers: number
  readonly batchRows: number
  /** The number of different batches. They are sent again and again, so that the sender costs little. */
  readonly differentBatches: number
}

export interface IngestReport {
  readonly rows: number
  readonly seconds: number
  /** Milliseconds in ascending order. */
  readonly latenciesMs: readonly number[]
}

function makeBatches({ rows, batchRows, differentBatches }: IngestLoad): readonly Buffer[] {
  const batches: Buffer[] = []
  let lines: string[] = []
  for (const record of logRecords({ rows: Math.min(rows, differentBatches * batchRows), seed: 1 })) {
    lines.push(jsonLine(record))
    if (lines.length < batchRows) continue
    batches.push(Buffer.from(lines.join('\n')))
    lines = []
  }
  return batches
}

function send(address: string, body: Buffer, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = authorized({ 'Content-Type': 'application/x-ndjson', 'Content-Length': String(body.length) })
    const sent = request(`${address}/api/ingest/logs`, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
      else response.once('end', resolve)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Sends the rows in whole batches by several writers at a time. Each writer waits for its acknowledgement. */
export async function sendLoad(address: string, load: IngestLoad): Promise<IngestReport> {
  const batches = makeBatches(load)
  const agent = new Agent({ keepAlive: true, maxSockets: load.writers })
  const total = Math.floor(load.rows / load.batchRows)
  const latenciesMs: number[] = []
  let next = 0
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: load.writers }, async () => {
      for (let i = next++; i < total; i = next++) {
        const sentMs = performance.now()
        await send(address, batches[i % batches.length], agent)
        latenciesMs.push(performance.now() - sentMs)
      }
    }),
  )
  const seconds = (performance.now() - startedMs) / 1000
  agent.destroy()
  return { rows: total * load.batchRows, seconds, latenciesMs: latenciesMs.toSorted((a, b) => a - b) }
}
