import { StoredSource } from '../sample-files/index.ts'
import type { FileInMemory, StoredSamples } from '../samples/index.ts'
import type { BlockCache, BlockSource } from '../segments/index.ts'

/** A stored sample file whose bytes are in memory. */
export type StoredInMemory = StoredSamples & { readonly memory: FileInMemory }

export function isInMemory(stored: StoredSamples): stored is StoredInMemory {
  return stored.memory !== undefined
}

/** A sample file in memory, as a source. The file has no label sets: `slots` maps its series to series of the store. */
export class PackedSource extends StoredSource {
  declare readonly stored: StoredInMemory

  /** The bytes of the file must never change afterwards. */
  constructor(stored: StoredInMemory, cache: BlockCache) {
    super(stored, sourceOf(stored), cache)
  }

  override slots(): Int32Array {
    return this.stored.memory.slots
  }

  /** The memory of the source in bytes, including the whole file. */
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
