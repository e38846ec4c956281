import { open, type FileHandle } from 'node:fs/promises'

/** A source of the bytes of an input. It copies them into buffers of the caller. */
export interface ByteSource {
  /** Copies bytes to the beginning of `target` and returns their number; 0 only at the end. */
  read(target: Uint8Array): Promise<number>
  close(): Promise<void>
}

/** A source that reads an uncompressed file. */
export class FileSource implements ByteSource {
  readonly #path: string
  #file: FileHandle | undefined

  constructor(path: string) {
    this.#path = path
  }

  async read(target: Uint8Array): Promise<number> {
    this.#file ??= await open(this.#path)
    const { bytesRead } = await this.#file.read(target, 0, target.length)
    return bytesRead
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
  }
}

/** A source that takes bytes from chunks, such as those of a pipe or a decompressor. */
export class ChunkSource implements ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>
  #left: Uint8Array = new Uint8Array(0)

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async read(target: Uint8Array): Promise<number> {
    while (this.#left.length === 0) {
      const next = await this.#chunks.next()
      if (next.done === true) return 0
      this.#left = next.value
    }
    const taken = this.#left.subarray(0, target.length)
    target.set(taken)
    this.#left = this.#left.subarray(taken.length)
    return taken.length
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}
