import { Agent, request } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authorized, startServer } from '../../../test/ingest/server-process.ts'
import type { Protocol } from './bodies.ts'

/** Bodies under way at a time: what comes in while one is stored. */
const WRITERS = 4

export interface ServedRate {
  /** Records a second, acknowledged durably. */
  readonly perSecond: number
  /** Of the server on all its threads, microseconds a record. */
  readonly processorUs: number
}

function send(address: string, { path, headers }: Protocol, body: Uint8Array, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const own = authorized({ ...headers, 'Content-Length': String(body.length) })
    const sent = request(`${address}${path}`, { method: 'POST', agent, headers: own }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.once('end', () => {
        if ((response.statusCode ?? 500) < 300) resolve()
        else reject(new Error(`answered ${response.statusCode}: ${text}`))
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

async function processorSeconds(address: string): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text()
  return Number(/^\w*process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1] ?? NaN)
}

/** Sends bodies that were made before to a server with a data folder; the first ones warm it up. */
export async function servedRate(protocol: Protocol, rounds: number): Promise<ServedRate> {
  const warmUp = Math.ceil(rounds / 4)
  const bodies = Array.from({ length: warmUp + rounds }, (_, round) => protocol.body(round))
  const folder = mkdtempSync(join(tmpdir(), 'sluice-protocols-bench-'))
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS })
  try {
    const server = await startServer(['--data', folder])
    let next = 0
    const sendTo = async (end: number): Promise<void> => {
      const write = async (): Promise<void> => {
        for (let i = next++; i < end; i = next++) await send(server.address, protocol, bodies[i], agent)
      }
      await Promise.all(Array.from({ length: WRITERS }, write))
      next = end
    }
    await sendTo(warmUp)
    const beforeSeconds = await processorSeconds(server.address)
    const startedMs = performance.now()
    await sendTo(bodies.length)
    const seconds = (performance.now() - startedMs) / 1000
    const usedSeconds = (await processorSeconds(server.address)) - beforeSeconds
    await server.stop()
    const records = rounds * protocol.count
    return { perSecond: records / seconds, processorUs: (usedSeconds * 1e6) / records }
  } finally {
    agent.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}
