import { StoredSource } from '../sample-files/index.ts'
import type { FileInMemory, StoredSamples } from '../samples/index.ts'
import type { BlockCache, BlockSource } from '../segments/index.ts'

/** What is said of a file in memory. */
export type StoredInMemory = StoredSamples & { readonly memory: FileInMemory }

export function isInMemory(stored: StoredSamples): stored is StoredInMemory {
  return stored.memory !== undefined
}

/** A file of samples in memory, whose series are those of the store at its places. */
export class PackedSource extends StoredSource {
  declare readonly stored: StoredInMemory

  /** The memory is never written to again. */
  constructor(stored: StoredInMemory, cache: BlockCache) {
    super(stored, sourceOf(stored), cache)
  }

  override places(): Int32Array {
    return this.stored.memory.places
  }

  /** All of the file, too. */
  override get bytes(): number {
    return super.bytes + this.stored.bytes + this.places().byteLength
  }
}

function sourceOf({ name, memory: { bytes } }: StoredInMemory): BlockSource {
  return {
    name,
    bytes: bytes.length,
    read(into, at) {
      const piece = bytes.subarray(at, at + into.length)
      into.set(piece)
      return piece.length
    },
  }
}
