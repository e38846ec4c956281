/** One engine over files in a process of its own, which loads, opens, queries and closes as messages tell it. */
import { duckdbPeer } from '../../peers/duckdb.ts'
import { folderPeer } from '../../peers/folder.ts'
import type { AnswerRow, Asked, BoundQuestion, MakePeer, Peer, PeerOptions } from '../../peers/peer.ts'
import { sqliteByHandPeer } from '../../peers/sqlite-by-hand.ts'

export const enginesOverFiles = { sluice: folderPeer, duckdb: duckdbPeer, sqlite: sqliteByHandPeer } as const

export type EngineOverFiles = keyof typeof enginesOverFiles

export type ToEngine =
  | { readonly kind: 'open'; readonly options: PeerOptions }
  | { readonly kind: 'ask'; readonly bound: BoundQuestion }
  | { readonly kind: 'time'; readonly budgetMs: number }
  | { readonly kind: 'close' }

export type FromEngine =
  | { readonly kind: 'opened'; readonly loadSeconds: number; readonly openMs: number; readonly diskBytes: number }
  | {
      readonly kind: 'answered'
      readonly rows: readonly AnswerRow[]
      readonly milliseconds: number
      /** Processor milliseconds of all threads, in user and system mode. */
      readonly cpuMs: number
    }
  | { readonly kind: 'timed'; readonly milliseconds: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly message: string }

let peer: Peer | undefined
let last: Asked | undefined

async function answer(make: MakePeer, told: ToEngine): Promise<FromEngine> {
  switch (told.kind) {
    case 'open': {
      const startMs = performance.now()
      peer = await make(told.options)
      const loadSeconds = await peer.load()
      const openMs = performance.now() - startMs
      return { kind: 'opened', loadSeconds, openMs, diskBytes: (await peer.bytes()).diskBytes ?? 0 }
    }
    case 'ask': {
      const cpu = process.cpuUsage()
      last = await peer?.ask(told.bound)
      const { user, system } = process.cpuUsage(cpu)
      if (last === undefined) return { kind: 'failed', message: 'it has no such question' }
      return { kind: 'answered', rows: last.rows, milliseconds: last.firstMs, cpuMs: (user + system) / 1000 }
    }
    case 'time':
      return { kind: 'timed', milliseconds: (await last?.medianMs(told.budgetMs)) ?? NaN }
    case 'close':
      last = undefined
      await peer?.close()
      peer = undefined
      return { kind: 'closed' }
  }
}

if (import.meta.main) {
  const { engine } = JSON.parse(process.argv[2] ?? '{}') as { readonly engine: EngineOverFiles }
  process.on('message', (message) => {
    void answer(enginesOverFiles[engine], message as ToEngine)
      .catch((error: unknown): FromEngine => ({ kind: 'failed', message: String(error) }))
      .then((said) => process.send?.(said))
  })
  process.on('disconnect', () => process.exit(0))
}
