/** Bytes of a block. */
export const BLOCK_BYTES = 64 * 1024
const SLAB_BLOCKS = 16

/** What is kept although nothing is in it, so that the next answer finds it. */
const KEPT_SLABS = 4

/** Memory of some blocks, which threads share: whoever has taken what is in a block marks it free. */
export class Slab {
  readonly id: number
  readonly memory: SharedArrayBuffer
  readonly #bytes: Uint8Array
  /** For each block whether something is in it. */
  readonly #taken: Int32Array
  /** Whose each block was when it was last taken; only the thread that gives blocks out knows. */
  readonly #owners: string[] = []

  constructor(id: number, memory = new SharedArrayBuffer(SLAB_BLOCKS * (BLOCK_BYTES + 4))) {
    this.id = id
    this.memory = memory
    this.#bytes = new Uint8Array(memory, 0, SLAB_BLOCKS * BLOCK_BYTES)
    this.#taken = new Int32Array(memory, SLAB_BLOCKS * BLOCK_BYTES)
  }

  get takenBlocks(): number {
    let count = 0
    for (let i = 0; i < SLAB_BLOCKS; i++) count += Atomics.load(this.#taken, i)
    return count
  }

  takenBlocksOf(owner: string): number {
    let count = 0
    for (let i = 0; i < SLAB_BLOCKS; i++) if (this.#owners[i] === owner) count += Atomics.load(this.#taken, i)
    return count
  }

  take(owner: string): Block | undefined {
    for (let i = 0; i < SLAB_BLOCKS; i++) {
      if (Atomics.compareExchange(this.#taken, i, 0, 1) !== 0) continue
      this.#owners[i] = owner
      return new Block(this, i, 0)
    }
    return undefined
  }

  free(index: number): void {
    Atomics.store(this.#taken, index, 0)
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
  #slabs: Slab[] = []
  #nextSlab = 0
  /** Told of each slab before a block of it is given out. */
  onSlab: ((slab: Slab) => void) | undefined
  /** Told of a slab that is not used any more. */
  onDrop: ((slab: Slab) => void) | undefined

  get usedBytes(): number {
    return this.#slabs.reduce((sum, { takenBlocks }) => sum + takenBlocks, 0) * BLOCK_BYTES
  }

  usedBytesOf(owner: string): number {
    return this.#slabs.reduce((sum, slab) => sum + slab.takenBlocksOf(owner), 0) * BLOCK_BYTES
  }

  /** A block that counts as this owner's until it is free. */
  take(owner = ''): Block {
    for (const slab of this.#slabs) {
      const block = slab.take(owner)
      if (block !== undefined) return block
    }
    const slab = new Slab(this.#nextSlab++)
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
