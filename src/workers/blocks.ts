/** Bytes of a block. */
export const BLOCK_BYTES = 64 * 1024
const SLAB_BLOCKS = 16
/** Words that count blocks by owner. Owners are hashed to them, so two of some hundred may share a word and its limit. */
const OWNER_WORDS = 4096

/** What is kept although nothing is in it, so that the next answer finds it. */
const KEPT_SLABS = 4

/** Counts of taken blocks that all threads share: of all in the first word, then by owner. */
export type BlockCounts = Int32Array

export const newBlockCounts = (): BlockCounts => new Int32Array(new SharedArrayBuffer((1 + OWNER_WORDS) * 4))

function wordOf(owner: string): number {
  let hash = 0
  for (let i = 0; i < owner.length; i++) hash = (Math.imul(hash, 31) + owner.charCodeAt(i)) >>> 0
  return 1 + (hash % OWNER_WORDS)
}

/** Memory of some blocks, which threads share: whoever has taken what is in a block marks it free. */
export class Slab {
  readonly id: number
  readonly memory: SharedArrayBuffer
  readonly #bytes: Uint8Array
  readonly counts: BlockCounts
  /** For each block the word of its owner among the counts, 0 if it is free. */
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

  take(owner: string): Block | undefined {
    const word = wordOf(owner)
    for (let i = 0; i < SLAB_BLOCKS; i++) {
      if (Atomics.compareExchange(this.#taken, i, 0, word) !== 0) continue
      Atomics.add(this.counts, 0, 1)
      Atomics.add(this.counts, word, 1)
      return new Block(this, i, 0)
    }
    return undefined
  }

  free(index: number): void {
    const word = Atomics.exchange(this.#taken, index, 0)
    if (word === 0) return
    Atomics.sub(this.counts, 0, 1)
    Atomics.sub(this.counts, word, 1)
  }

  /** The thread that gives its blocks out has ended: none counts any more, those included that a reader still holds. */
  freeAll(): void {
    for (let i = 0; i < SLAB_BLOCKS; i++) this.free(i)
  }

  bytes(index: number, start: number, end: number): Uint8Array {
    return this.#bytes.subarray(index * BLOCK_BYTES + start, index * BLOCK_BYTES + end)
  }
}

/** Up to 64 KiB of an answer. It is to be let go of once, by whoever has it last. */
export class Block {
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

  /** What has no bytes yet. */
  get rest(): Uint8Array {
    return this.slab.bytes(this.index, this.lengthBytes, BLOCK_BYTES)
  }

  free(): void {
    this.slab.free(this.index)
  }
}

/** Blocks that are used again and again: a thread that makes memory for each answer spends a third of its time collecting it. */
export class BlockPool {
  readonly #counts: BlockCounts
  #slabs: Slab[] = []
  #nextSlab = 0
  /** Told of each slab before a block of it is given out. */
  onSlab: ((slab: Slab) => void) | undefined
  /** Told of a slab that is not used any more. */
  onDrop: ((slab: Slab) => void) | undefined

  /** `counts` may be those of the pools of other threads. */
  constructor(counts = newBlockCounts()) {
    this.#counts = counts
  }

  /** Bytes of all pools with these counts. */
  get usedBytes(): number {
    return Atomics.load(this.#counts, 0) * BLOCK_BYTES
  }

  usedBytesOf(owner: string): number {
    return Atomics.load(this.#counts, wordOf(owner)) * BLOCK_BYTES
  }

  /** A block that counts as this owner's until it is free. */
  take(owner = ''): Block {
    for (const slab of this.#slabs) {
      const block = slab.take(owner)
      if (block !== undefined) return block
    }
    const slab = new Slab(this.#nextSlab++, this.#counts)
    this.#slabs.push(slab)
    this.onSlab?.(slab)
    return slab.take(owner) as Block
  }

  /** Gives memory back of which none is used, but for what the next answers need. */
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

/** Puts texts and bytes one behind the other into blocks. */
export class BlockWriter {
  readonly #take: () => Block
  #blocks: Block[] = []

  /** `take` gives an empty block, or throws. */
  constructor(take: () => Block) {
    this.#take = take
  }

  get lengthBytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.lengthBytes, 0)
  }

  write(piece: string | Uint8Array): void {
    if (typeof piece === 'string') this.#writeText(piece)
    else this.#writeBytes(piece)
  }

  /** What was written; the writer has nothing then. */
  end(): Block[] {
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
    // `set` goes byte by byte into shared memory where both are not aligned alike: nine times as long.
    const from = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let at = 0; at < from.length;) {
      const block = this.#open()
      const copied = from.copy(block.rest, 0, at)
      block.lengthBytes += copied
      at += copied
    }
  }

  /** A block with room for one character at least. */
  #open(): Block {
    const last = this.#blocks.at(-1)
    if (last !== undefined && BLOCK_BYTES - last.lengthBytes >= 4) return last
    const block = this.#take()
    this.#blocks.push(block)
    return block
  }
}
