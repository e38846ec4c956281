import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../../test/harness/server-process.ts'
import { Child } from '../../child-process.ts'
import { threadSeconds, type ThreadSeconds } from '../../thread-seconds.ts'
import type { Protocol } from './bodies.ts'
import type { SenderNews, SenderOptions, SendRequest } from './sender.ts'

/** Connections of the sender, with a body under way on each. */
const CONNECTIONS = 4

export interface ServedOptions {
  readonly protocol: Protocol
  /** Bodies that are measured, and those before them that are not. */
  readonly rounds: number
  readonly warmUp: number
  readonly gzip: boolean
}

export interface ServedRate extends SenderNews {
  /** Processor time of the server between the first body and the last, by thread, most first, seconds; empty where the system does not tell. */
  readonly threads: ThreadSeconds
  readonly mainId: string
}

/** Sends bodies that were made before, from a process of its own, to a server with a data folder, which acknowledges each. */
export async function servedRate({ protocol, rounds, warmUp, gzip }: ServedOptions): Promise<ServedRate> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-protocols-bench-'))
  const server = await startServer(['--data', folder])
  const sending: SenderOptions = {
    address: server.address,
    protocol: protocol.name,
    rounds: warmUp + rounds,
    connections: protocol.isOrdered === true ? 1 : CONNECTIONS,
    gzip,
  }
  const sender = new Child<SenderNews>(join(import.meta.dirname, 'sender.ts'), sending)
  const sendTo = async (toRound: number): Promise<SenderNews> => {
    const news = await sender.ask({ toRound } satisfies SendRequest)
    if ('kind' in news) throw new Error(`${protocol.name}: the sender ended, ${news.how}\n${server.errors()}`)
    return news
  }
  try {
    await sender.next()
    await sendTo(warmUp)
    const before = threadSeconds(server.child.pid)
    const news = await sendTo(warmUp + rounds)
    const threads = threadSeconds(server.child.pid)
      .map(([id, seconds]) => [id, seconds - (before.find(([other]) => other === id)?.[1] ?? 0)] as const)
      .toSorted(([, a], [, b]) => b - a)
    if (news.refusals.length > 0) process.stderr.write(server.errors())
    return { ...news, threads, mainId: String(server.child.pid) }
  } finally {
    await sender.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
