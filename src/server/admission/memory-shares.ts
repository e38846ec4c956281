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

/** Code, stacks and connections: an idle server without other threads is about this large. */
const PROCESS_BYTES = 128 * MIB
/** Code and stack of a thread, beside its heap. */
const THREAD_BYTES = 32 * MIB

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
  const { storeBytes, workers } = options
  const leastBytes = leastFor(Math.min(1, workers), options)
  const usualBytes = Math.floor((options.availableBytes ?? availableBytes()) * DEFAULT_PART)
  const totalBytes = options.memoryBytes ?? Math.max(usualBytes, leastBytes)
  if (totalBytes < leastBytes)
    throw new SluiceError([setupDiagnostic('memory', { givenBytes: totalBytes, leastBytes, storeBytes }, nowhere)])
  // All that were asked for and the reserved one; fewer where each would have too little.
  let staying = workers === 0 ? 0 : workers + 1
  while (staying > 1 && leastFor(staying, options) > totalBytes) staying--
  const shares = sharesOf(totalBytes, staying, options)
  const bytes = Math.min(shares.heaps, shares.queries)
  const growth = Math.min(WORKERS_PER_CORE * cores(), Math.floor(bytes / GROWTH_WORKER_BYTES))
  const maxWorkers = Math.max(1, staying, growth)
  const workerBytes = Math.floor(bytes / maxWorkers)
  return {
    totalBytes,
    shares,
    workers: Math.min(workers, Math.max(1, staying - 1)),
    hasReserved: staying > 1,
    maxWorkers,
    workerBytes,
    ...partsOf(workerBytes),
  }
}

/** Bytes that the shares of fixed size take; the others divide the rest. */
function fixedBytes(staying: number, { storeBytes }: MemoryBudgetOptions): number {
  return processBytes(staying) + (storeBytes ?? 0)
}

/** Query workers come with a thread that stores. */
function processBytes(staying: number): number {
  return PROCESS_BYTES + (staying === 0 ? 0 : staying + 1) * THREAD_BYTES
}

/** Memory of a process with so many query workers, bytes at least. */
function leastFor(staying: number, options: MemoryBudgetOptions): number {
  const ofHeaps = LEAST_WORKER_BYTES * Math.max(1, staying)
  const { heaps } = partsFor(options)
  return fixedBytes(staying, options) + Math.ceil((ofHeaps * allPartsFor(options)) / heaps)
}

function partsFor({ hasFiles }: MemoryBudgetOptions): Readonly<Record<Divided, number>> {
  return parts[hasFiles ? 'files' : 'memory']
}

function allPartsFor(options: MemoryBudgetOptions): number {
  return ALL_PARTS - (options.storeBytes === undefined ? 0 : partsFor(options).store)
}

function sharesOf(
  totalBytes: number,
  staying: number,
  options: MemoryBudgetOptions,
): Readonly<Record<MemoryShare, number>> {
  const rest = totalBytes - fixedBytes(staying, options)
  const share = (name: Divided): number => Math.floor((rest * partsFor(options)[name]) / allPartsFor(options))
  return {
    process: processBytes(staying),
    store: options.storeBytes ?? share('store'),
    cache: share('cache'),
    queries: share('queries'),
    heaps: share('heaps'),
    bodies: share('bodies'),
    answers: share('answers'),
  }
}

function partsOf(workerBytes: number): Pick<MemoryBudget, 'queryBytes' | 'copyBytes'> {
  return { queryBytes: Math.floor(workerBytes * QUERY_PART), copyBytes: Math.floor(workerBytes * COPY_PART) }
}
