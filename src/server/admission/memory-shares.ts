import { MIB, SluiceError, nowhere } from '../../base/index.ts'
import { availableBytes } from '../../system/index.ts'
import { cores } from '../../workers/index.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'

/** The shares that the memory of the process is divided into; `/metrics` shows each. */
export const memoryShares = ['process', 'store', 'cache', 'queries', 'heaps', 'bodies', 'answers'] as const
export type MemoryShare = (typeof memoryShares)[number]
type Divided = Exclude<MemoryShare, 'process'>

/** Part of the machine's memory that the process takes unless told otherwise; the rest is the system's cache of files, and room for what no share counts. */
const DEFAULT_PART = 0.75

/** Code, stacks and connections: an idle server with one query worker is about this large. */
const PROCESS_BYTES = 128 * MIB

/** Sixteenths of what remains. Data in files need a cache of blocks, data in memory alone need room for rows. */
const parts: Readonly<Record<'files' | 'memory', Readonly<Record<Divided, number>>>> = {
  files: {
    // Tails wait for their segments, dictionaries stay: where this is full, senders wait.
    store: 4,
    // Blocks that are not here are read and decoded again.
    cache: 4,
    // Buffers of the workers: half of each for one query, a quarter for copies of blocks; freed buffers stay until they are collected.
    queries: 3,
    // JavaScript heaps of the workers. Strings and maps of a query lie here, as much as its buffers at most.
    heaps: 3,
    // A body is held until it is stored; a sender that gets 503 sends it again.
    bodies: 1,
    // An answer is held until its reader has taken it.
    answers: 1,
  },
  // Nothing but packed samples is decoded into the cache.
  memory: { store: 7, cache: 1, queries: 3, heaps: 3, bodies: 1, answers: 1 },
}
const ALL_PARTS = 16

/** Heap of a worker, and its buffers beside that: with less, it has no room for a query beside its code. */
const LEAST_WORKER_BYTES = 64 * MIB
/** A worker beyond those that stay is started only where every worker has this much of both. */
const GROWTH_WORKER_BYTES = 512 * MIB
const WORKERS_PER_CORE = 4
/** Parts of a worker's buffers that one query may hold, and copies of blocks. */
const QUERY_PART = 1 / 2
const COPY_PART = 1 / 4

export interface MemoryBudgetOptions {
  /** For the whole process, bytes; three quarters of what there is unless given. */
  readonly memoryBytes?: number | undefined
  /** Bytes of the share `store`, where it is not to be the usual one. */
  readonly storeBytes?: number | undefined
  /** Whether rows lie in files. */
  readonly hasFiles: boolean
  /** Query workers that are to stay, without the reserved one; 0 where the caller's thread runs queries. */
  readonly workers: number
  /** Memory of the machine, or of the control group of the process, bytes; the system is asked unless given. */
  readonly availableBytes?: number
}

export interface MemoryBudget {
  readonly totalBytes: number
  /** Limit of each share, bytes. They add up to `totalBytes` at most. */
  readonly shares: Readonly<Record<MemoryShare, number>>
  /** Query workers that stay, without the reserved one. */
  readonly workers: number
  readonly hasReserved: boolean
  readonly maxWorkers: number
  /** Limit of a worker's heap, and of its buffers, bytes. */
  readonly workerBytes: number
  /** Limit of one query, bytes. */
  readonly queryBytes: number
  /** Limit of the blocks that one worker keeps in its own memory, bytes. */
  readonly copyBytes: number
}

/** Divides the memory of the process. Throws SluiceError `setup/memory` where it is too little for one worker. */
export function divideMemory(options: MemoryBudgetOptions): MemoryBudget {
  const divided = parts[options.hasFiles ? 'files' : 'memory']
  const { storeBytes } = options
  const fixedBytes = PROCESS_BYTES + (storeBytes ?? 0)
  const allParts = ALL_PARTS - (storeBytes === undefined ? 0 : divided.store)
  const leastBytes = fixedBytes + Math.ceil((LEAST_WORKER_BYTES * allParts) / divided.heaps)
  const usualBytes = Math.floor((options.availableBytes ?? availableBytes()) * DEFAULT_PART)
  const totalBytes = options.memoryBytes ?? Math.max(usualBytes, leastBytes)
  if (totalBytes < leastBytes)
    throw new SluiceError([setupDiagnostic('memory', { givenBytes: totalBytes, leastBytes, storeBytes }, nowhere)])
  const share = (name: Divided): number => Math.floor(((totalBytes - fixedBytes) * divided[name]) / allParts)
  const shares = {
    process: PROCESS_BYTES,
    store: storeBytes ?? share('store'),
    cache: share('cache'),
    queries: share('queries'),
    heaps: share('heaps'),
    bodies: share('bodies'),
    answers: share('answers'),
  }
  return { totalBytes, shares, ...workersWithin(Math.min(shares.heaps, shares.queries), options.workers) }
}

type Workers = Pick<MemoryBudget, 'workers' | 'hasReserved' | 'maxWorkers' | 'workerBytes' | 'queryBytes' | 'copyBytes'>

function workersWithin(bytes: number, asked: number): Workers {
  const most = Math.max(1, Math.floor(bytes / LEAST_WORKER_BYTES))
  const workers = Math.min(asked, Math.max(1, most - 1))
  const hasReserved = most > 1
  const staying = workers + (hasReserved ? 1 : 0)
  const growth = Math.min(WORKERS_PER_CORE * cores(), Math.floor(bytes / GROWTH_WORKER_BYTES))
  const maxWorkers = Math.max(1, staying, growth)
  const workerBytes = Math.floor(bytes / maxWorkers)
  return { workers, hasReserved, maxWorkers, workerBytes, ...partsOf(workerBytes) }
}

function partsOf(workerBytes: number): Pick<MemoryBudget, 'queryBytes' | 'copyBytes'> {
  return { queryBytes: Math.floor(workerBytes * QUERY_PART), copyBytes: Math.floor(workerBytes * COPY_PART) }
}
