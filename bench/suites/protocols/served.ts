import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../../test/harness/server-process.ts'
import { Child } from '../../child-process.ts'
import { threadSeconds, type ThreadSeconds } from '../../thread-seconds.ts'
import type { Protocol } from './bodies.ts'
import type { SenderNews, SenderOptions, SendRequest } from './sender.ts'

/** The sender's connections, each with one body in flight. */
const CONNECTIONS = 4

export interface ServedOptions {
  readonly protocol: Protocol
  /** The number of measured bodies, and of the bodies before them. */
  readonly rounds: number
  readonly warmUp: number
  readonly gzip: boolean
}

export interface ServedRate extends SenderNews {
  /**
   * Processor seconds of the server's threads between the first body and the last, in descending order; empty where the
   * system does not report them.
   */
  readonly threads: ThreadSeconds
  readonly mainId: string
}

/** Sends prepared bodies from a process of its own to a server with a data folder, which acknowledges each. */
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
