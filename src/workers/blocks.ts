/** The size of a block in bytes. */
export const BLOCK_BYTES = 64 * 1024
const SLAB_BLOCKS = 16
/**
 * The number of counters of blocks by owner. Owners are hashed to counters, so among some hundred owners two may share
 * a counter and its limit.
 */
const OWNER_WORDS = 4096

/** The maximum number of empty slabs that a pool keeps for the next answers. */
const KEPT_SLABS = 4

/** Counters of allocated blocks, shared by all threads: the first word counts all blocks, the others count by owner. */
export type BlockCounts = Int32Array

export const newBlockCounts = (): BlockCounts => new Int32Array(new SharedArrayBuffer((1 + OWNER_WORDS) * 4))

function wordOf(owner: string): number {
  let hash = 0
  for (let i = 0; i < owner.length; i++) hash = (Math.imul(hash, 31) + owner.charCodeAt(i)) >>> 0
  return 1 + (hash % OWNER_WORDS)
}

/** Shared memory divided into blocks. The thread that has read a block marks it free. */
export class Slab {
  readonly id: number
  readonly memory: SharedArrayBuffer
  readonly #bytes: Uint8Array
  readonly counts: BlockCounts
  /** For each block the index of its owner's counter, or 0 when the block is free. */
  readonly #taken: Int32Array

  constructor(
    id: number,
    counts: BlockCounts,
    memory: SharedArrayBuffer = new SharedArrayBuffer(SLAB_BLOCKS * (BLOCK_BYTES + 4)),
  ) {
    this.id = id
    this.counts = counts
    this.memory = memory
    this.#bytes = new Uint8Array(memory, 0, SLAB_BLOCKS * BLOCK_BYTES)
    this.#taken = new Int32Array(memory, SLAB_BLOCKS * BLOCK_BYTES)
  }

  get takenBlocks(): number {
    let count = 0
    for (let i = 0; i < SLAB_BLOCKS; i++) if (Atomics.load(this.#taken, i) !== 0) count++
    return count
  }

  take(owner: string): SharedBlock | undefined {
    const word = wordOf(owner)
    for (let i = 0; i < SLAB_BLOCKS; i++) {
      if (Atomics.compareExchange(this.#taken, i, 0, word) !== 0) continue
      Atomics.add(this.counts, 0, 1)
      Atomics.add(this.counts, word, 1)
      return new SharedBlock(this, i, 0)
    }
    return undefined
  }

  free(index: number): void {
    const word = Atomics.exchange(this.#taken, index, 0)
    if (word === 0) return
    Atomics.sub(this.counts, 0, 1)
    Atomics.sub(this.counts, word, 1)
  }

  /** Frees all blocks. Called after the thread that allocated them has ended; a reader may still hold some of them. */
  freeAll(): void {
    for (let i = 0; i < SLAB_BLOCKS; i++) this.free(i)
  }

  bytes(index: number, start: number, end: number): Uint8Array {
    return this.#bytes.subarray(index * BLOCK_BYTES + start, index * BLOCK_BYTES + end)
  }
}

/** At most 64 KiB of an answer. Its last user must free it exactly once. */
export class SharedBlock {
  readonly slab: Slab
  readonly index: number
  lengthBytes: number

  constructor(slab: Slab, index: number, lengthBytes: number) {
    this.slab = slab
    this.index = index
    this.lengthBytes = lengthBytes
  }

  get bytes(): Uint8Array {
    return this.slab.bytes(this.index, 0, this.lengthBytes)
  }

  /** The unused bytes at the end of the block. */
  get rest(): Uint8Array {
    return this.slab.bytes(this.index, this.lengthBytes, BLOCK_BYTES)
  }

  free(): void {
    this.slab.free(this.index)
  }
}

/** A pool of reusable blocks. Allocating memory for each answer would cost much time in garbage collection. */
export class BlockPool {
  readonly #counts: BlockCounts
  #slabs: Slab[] = []
  #nextSlab = 0
  /** Called with each new slab before one of its blocks is allocated. */
  onSlab: ((slab: Slab) => void) | undefined
  /** Called with a slab that is no longer used. */
  onDrop: ((slab: Slab) => void) | undefined

  /** `counts` may be shared with pools of other threads. */
  constructor(counts = newBlockCounts()) {
    this.#counts = counts
  }

  /** The number of bytes allocated from all pools that share these counters. */
  get usedBytes(): number {
    return Atomics.load(this.#counts, 0) * BLOCK_BYTES
  }

  usedBytesOf(owner: string): number {
    return Atomics.load(this.#counts, wordOf(owner)) * BLOCK_BYTES
  }

  /** Allocates a block. The block counts towards this owner until it is freed. */
  take(owner = ''): SharedBlock {
    for (const slab of this.#slabs) {
      const block = slab.take(owner)
      if (block !== undefined) return block
    }
    const slab = new Slab(this.#nextSlab++, this.#counts)
    this.#slabs.push(slab)
    this.onSlab?.(slab)
    return slab.take(owner) as SharedBlock
  }

  /** Releases empty slabs beyond `KEPT_SLABS`. */
  trim(): void {
    if (this.#slabs.length <= KEPT_SLABS) return
    this.#slabs = this.#slabs.filter((slab, i) => {
      const isKept = i < KEPT_SLABS || slab.takenBlocks > 0
      if (!isKept) this.onDrop?.(slab)
      return isKept
    })
  }
}

const encoder = new TextEncoder()

/** Writes strings and bytes one after another into blocks. */
export class SharedBlockWriter {
  readonly #take: () => SharedBlock
  #blocks: SharedBlock[] = []

  /** `take` returns an empty block, or throws. */
  constructor(take: () => SharedBlock) {
    this.#take = take
  }

  get lengthBytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.lengthBytes, 0)
  }

  write(chunk: string | Uint8Array): void {
    if (typeof chunk === 'string') this.#writeText(chunk)
    else this.#writeBytes(chunk)
  }

  /** Returns the written blocks and leaves the writer empty. */
  end(): SharedBlock[] {
    const blocks = this.#blocks
    this.#blocks = []
    return blocks
  }

  #writeText(text: string): void {
    for (let rest = text; rest !== '';) {
      const block = this.#open()
      const { read, written } = encoder.encodeInto(rest, block.rest)
      block.lengthBytes += written
      rest = rest.slice(read)
    }
  }

  #writeBytes(bytes: Uint8Array): void {
    // Unlike `Buffer.copy`, `set` copies to shared memory byte by byte if the alignments differ, which is much slower.
    const from = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let at = 0; at < from.length;) {
      const block = this.#open()
      const copied = from.copy(block.rest, 0, at)
      block.lengthBytes += copied
      at += copied
    }
  }

  /** Returns a block with space for at least one character. */
  #open(): SharedBlock {
    const last = this.#blocks.at(-1)
    if (last !== undefined && BLOCK_BYTES - last.lengthBytes >= 4) return last
    const block = this.#take()
    this.#blocks.push(block)
    return block
  }
}
