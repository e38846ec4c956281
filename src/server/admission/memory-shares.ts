import { MIB, SluiceError, nowhere } from '../../base/index.ts'
import { availableBytes } from '../../system/index.ts'
import { cores } from '../../workers/index.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'

/** Shares of the process's memory, by their names in `/metrics`. */
export const memoryShares = ['process', 'store', 'cache', 'queries', 'heaps', 'bodies', 'answers'] as const
export type MemoryShare = (typeof memoryShares)[number]
type Divided = Exclude<MemoryShare, 'process'>

/**
 * Default fraction of the machine's memory. The remainder is for the system's file cache and for memory that no share
 * counts.
 */
const DEFAULT_PART = 0.75

/** Size of an idle server without additional threads, bytes: code, stacks and connections. */
const PROCESS_BYTES = 128 * MIB
/** Code and stack of a thread, without its heap, bytes. */
const THREAD_BYTES = 32 * MIB

/**
 * Sizes of the shares in sixteenths of the divisible memory. A server with files needs a block cache, one without files
 * needs memory for rows.
 */
const sixteenths: Readonly<Record<'files' | 'memory', Readonly<Record<Divided, number>>>> = {
  files: {
    // Unsealed tails (released by flushing) and dictionaries (never released). When this share is full, senders must
    // wait.
    store: 4,
    // Cached blocks. An evicted block is read and decoded again when it is needed.
    cache: 4,
    // Buffers of the workers, freed by garbage collection. Of each worker's buffers, half may serve a single query, and
    // a quarter copies of blocks.
    queries: 3,
    // JavaScript heaps of the workers, with the strings and maps of queries. The heap of a worker is at most as large
    // as its buffers.
    heaps: 3,
    // Received bodies until they are stored; senders that get 503 retry.
    bodies: 1,
    // Answers until their readers have received them.
    answers: 1,
  },
  // Without files, the cache only holds decoded samples.
  memory: { store: 7, cache: 1, queries: 3, heaps: 3, bodies: 1, answers: 1 },
}
const ALL_PARTS = 16

/** Minimum heap and minimum buffers of a worker, bytes. With less, loaded code leaves no memory for a query. */
const LEAST_WORKER_BYTES = 64 * MIB
/** Heap and buffers that every worker must have before an additional one is started, bytes. */
const GROWTH_WORKER_BYTES = 512 * MIB
const WORKERS_PER_CORE = 4
/** Fractions of a worker's buffers for a single query, and for copies of blocks. */
const QUERY_PART = 1 / 2
const COPY_PART = 1 / 4

export interface MemoryBudgetOptions {
  /** Memory of the process, bytes. Default: 3/4 of the machine. */
  readonly memoryBytes?: number | undefined
  /** Size of the share `store`, bytes. Default: computed. */
  readonly storeBytes?: number | undefined
  /** True if rows are stored in files. */
  readonly hasFiles: boolean
  /** Permanent query workers, without the reserved one; 0 if queries run in the caller's thread. */
  readonly workers: number
  /** Memory of the machine or control group, bytes. Default: reported by the system. */
  readonly availableBytes?: number
}

export interface MemoryBudget {
  readonly totalBytes: number
  /** Limit of each share, bytes; together at most `totalBytes`. */
  readonly shares: Readonly<Record<MemoryShare, number>>
  /** Permanent query workers, without the reserved one. */
  readonly workers: number
  readonly hasReserved: boolean
  readonly maxWorkers: number
  /** Limit of a worker's heap, and limit of its buffers, bytes. */
  readonly workerBytes: number
  /** Memory limit of a single query, bytes. */
  readonly queryBytes: number
  /** Limit of the block copies of a worker, bytes. */
  readonly copyBytes: number
}

/** Divides the memory of the process. Throws SluiceError `setup/memory` if the memory is too small for one worker. */
export function divideMemory(options: MemoryBudgetOptions): MemoryBudget {
  const { storeBytes, workers } = options
  const leastBytes = leastFor(Math.min(1, workers), options)
  const usualBytes = Math.floor((options.availableBytes ?? availableBytes()) * DEFAULT_PART)
  const totalBytes = options.memoryBytes ?? Math.max(usualBytes, leastBytes)
  if (totalBytes < leastBytes)
    throw new SluiceError([setupDiagnostic('memory', { givenBytes: totalBytes, leastBytes, storeBytes }, nowhere)])
  // Starts with all requested workers and the reserved one, and reduces their number until each has enough memory.
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
    ...perQueryBytes(workerBytes),
  }
}

/** Bytes of the shares with a fixed size; the other shares divide the remainder. */
function fixedBytes(staying: number, { storeBytes }: MemoryBudgetOptions): number {
  return processBytes(staying) + (storeBytes ?? 0)
}

/**
 * Returns the memory of code, stacks and connections, bytes. If there are query workers, a further thread stores data.
 */
function processBytes(staying: number): number {
  return PROCESS_BYTES + (staying === 0 ? 0 : staying + 1) * THREAD_BYTES
}

/** Returns the minimum memory of a process with this many query workers, bytes. */
function leastFor(staying: number, options: MemoryBudgetOptions): number {
  const ofHeaps = LEAST_WORKER_BYTES * Math.max(1, staying)
  const { heaps } = sixteenthsFor(options)
  return fixedBytes(staying, options) + Math.ceil((ofHeaps * allSixteenthsFor(options)) / heaps)
}

function sixteenthsFor({ hasFiles }: MemoryBudgetOptions): Readonly<Record<Divided, number>> {
  return sixteenths[hasFiles ? 'files' : 'memory']
}

function allSixteenthsFor(options: MemoryBudgetOptions): number {
  return ALL_PARTS - (options.storeBytes === undefined ? 0 : sixteenthsFor(options).store)
}

function sharesOf(
  totalBytes: number,
  staying: number,
  options: MemoryBudgetOptions,
): Readonly<Record<MemoryShare, number>> {
  const rest = totalBytes - fixedBytes(staying, options)
  const share = (name: Divided): number => Math.floor((rest * sixteenthsFor(options)[name]) / allSixteenthsFor(options))
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

function perQueryBytes(workerBytes: number): Pick<MemoryBudget, 'queryBytes' | 'copyBytes'> {
  return { queryBytes: Math.floor(workerBytes * QUERY_PART), copyBytes: Math.floor(workerBytes * COPY_PART) }
}
