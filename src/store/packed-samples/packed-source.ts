import { StoredSource } from '../sample-files/index.ts'
import type { FileInMemory, StoredSamples } from '../samples/index.ts'
import type { BlockCache, BlockSource } from '../segments/index.ts'

/** The description of a sample file in memory. */
export type StoredInMemory = StoredSamples & { readonly memory: FileInMemory }

export function isInMemory(stored: StoredSamples): stored is StoredInMemory {
  return stored.memory !== undefined
}

/** A sample file in memory. It stores no label sets: `slots` maps its series to those of the store. */
export class PackedSource extends StoredSource {
  declare readonly stored: StoredInMemory

  /** The memory of the file must never be written to again. */
  constructor(stored: StoredInMemory, cache: BlockCache) {
    super(stored, sourceOf(stored), cache)
  }

  override slots(): Int32Array {
    return this.stored.memory.slots
  }

  /** Bytes in memory, including the whole file. */
  override get bytes(): number {
    return super.bytes + this.stored.bytes + this.slots().byteLength
  }
}

function sourceOf({ name, memory: { bytes } }: StoredInMemory): BlockSource {
  return {
    name,
    bytes: bytes.length,
    read(into, at) {
      const slice = bytes.subarray(at, at + into.length)
      into.set(slice)
      return slice.length
    },
  }
}
