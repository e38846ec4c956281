import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { MakePeer, PeerOptions } from './peer.ts'

interface PeerDefinition {
  /** The name in reports. */
  readonly title: string
  /** True if a run includes it when no peers are named. */
  isThere(options: Pick<PeerOptions, 'python' | 'logs'>): boolean
  make(): Promise<MakePeer>
}

/** Loads the ClickHouse package that `npm install --no-save --prefix test/clickhouse` has installed. */
export const requireChdb = createRequire(join(import.meta.dirname, '../../test/clickhouse/server.ts'))

function isChdbThere(): boolean {
  try {
    requireChdb.resolve('chdb')
    return true
  } catch {
    return false
  }
}

/** All peers, our own engine first, since ratios are to the first. */
export const peers = {
  columnar: {
    title: 'Sluice',
    isThere: () => true,
    make: async () => (await import('./columnar.ts')).columnarPeer,
  },
  sqlite: {
    title: 'Sluice on SQLite',
    isThere: () => false,
    make: async () => (await import('./sqlite.ts')).sqlitePeer,
  },
  duckdb: {
    title: 'DuckDB',
    isThere: () => true,
    make: async () => (await import('./duckdb.ts')).duckdbPeer,
  },
  'sqlite-by-hand': {
    title: 'SQLite',
    isThere: () => true,
    make: async () => (await import('./sqlite-by-hand.ts')).sqliteByHandPeer,
  },
  chdb: {
    title: 'chdb',
    isThere: isChdbThere,
    make: async () => (await import('./chdb.ts')).chdbPeer,
  },
  polars: {
    title: 'polars',
    isThere: ({ python }) => python !== undefined,
    make: async () => (await import('./polars.ts')).polarsPeer,
  },
  victorialogs: {
    title: 'VictoriaLogs',
    isThere: ({ logs }) => logs !== undefined,
    make: async () => (await import('./victorialogs.ts')).victoriaLogsPeer,
  },
} as const satisfies Readonly<Record<string, PeerDefinition>>

export type PeerName = keyof typeof peers

export function isPeerName(name: string): name is PeerName {
  return Object.hasOwn(peers, name)
}

export const peerNames = Object.keys(peers).filter(isPeerName)
