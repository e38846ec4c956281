import { open, type FileHandle } from 'node:fs/promises'

/** Bytes of an input, which are put where they are needed. */
export interface ByteSource {
  /** Puts bytes at the beginning of `target`, and gives how many; 0 at the end only. */
  read(target: Uint8Array): Promise<number>
  close(): Promise<void>
}

/** A file that holds its text as it is. */
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

/** What comes in chunks, as from a pipe or what unpacks. */
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
