import { open, stat, type FileHandle } from 'node:fs/promises'
import { watch, type FSWatcher } from 'node:fs'
import { CHUNK_BYTES, errorCode } from '../../base/index.ts'
import { inputFormat, openFormat, textFormat, type FormatName, type OpenedInput } from '../../ingest/index.ts'
import type { ReadContext } from '../../store/index.ts'
import { checkText } from './content.ts'
import { FOLLOW_POLL_MS } from './tuning.ts'

const LINE_END = Uint8Array.of(10)

/**
 * A file to which other programs write. It follows appended bytes. It also follows the file's successor when the file
 * is renamed, deleted and created again, or truncated.
 */
export class FollowedFile {
  readonly #path: string
  readonly #end: AbortSignal
  #fromStart: boolean
  #file: FileHandle | undefined
  #position = 0
  #wake: () => void = () => {}
  readonly #watcher: FSWatcher | undefined

  constructor(path: string, fromStart: boolean, end: AbortSignal) {
    this.#path = path
    this.#fromStart = fromStart
    this.#end = end
    try {
      this.#watcher = watch(path, { persistent: false }, () => this.#wake())
      this.#watcher.on('error', () => this.#watcher?.close())
    } catch {
      // The file does not exist or the system cannot watch it, so it is polled.
      this.#watcher = undefined
    }
  }

  close(): void {
    this.#watcher?.close()
    void this.#file?.close()
    this.#file = undefined
  }

  /** Resolves when the file changes, when the polling interval is over, or at the end. */
  async #change(): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#end.removeEventListener('abort', done)
        this.#wake = () => {}
        resolve()
      }
      const timer = setTimeout(done, FOLLOW_POLL_MS)
      this.#end.addEventListener('abort', done)
      this.#wake = done
    })
  }

  /** Opens the file as it is now, and follows it until it is replaced. Resolves to `undefined` when following ends. */
  async open(name: FormatName, context: ReadContext): Promise<OpenedInput | undefined> {
    while (this.#file === undefined) {
      try {
        this.#file = await open(this.#path, 'r')
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error
        // A file that appears later is read from its first byte.
        this.#fromStart = true
        await this.#change()
        if (this.#end.aborted) return undefined
      }
    }
    const isFirst = !this.#fromStart
    this.#fromStart = true
    this.#position = 0
    if (!isFirst) return openFormat(this.#chunks(), name, context)
    const { size } = await this.#file.stat()
    const head = Buffer.alloc(Math.min(size, CHUNK_BYTES))
    await this.#file.read(head, 0, head.length, 0)
    checkText(head, this.#path)
    const format = inputFormat(name, head.toString('utf8'), true, textFormat(context))
    if (size === 0 || format === undefined) return openFormat(this.#chunks(), name, context)
    this.#position = await this.#endOfLines(size)
    // The first line has the names of the columns.
    const header = format.kind === 'table' ? head.subarray(0, head.indexOf(10) + 1) : undefined
    return { format, chunks: this.#chunks(header) }
  }

  /** Returns the offset after the last complete line. */
  async #endOfLines(size: number): Promise<number> {
    const tail = Buffer.alloc(Math.min(size, CHUNK_BYTES))
    await this.#file?.read(tail, 0, tail.length, size - tail.length)
    const end = tail.lastIndexOf(10)
    return end === -1 ? size : size - tail.length + end + 1
  }

  async *#chunks(first?: Uint8Array): AsyncGenerator<Uint8Array> {
    if (first !== undefined) yield first
    const file = this.#file
    if (file === undefined) return
    const buffer = Buffer.alloc(CHUNK_BYTES)
    let endsInLine = false
    let isReplaced = false
    while (!this.#end.aborted) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, this.#position)
      if (bytesRead > 0) {
        this.#position += bytesRead
        endsInLine = buffer[bytesRead - 1] !== 10
        yield Uint8Array.prototype.slice.call(buffer, 0, bytesRead)
        continue
      }
      // Everything that was written to the old file before its replacement has been read by now.
      if (isReplaced) break
      isReplaced = await this.#isReplaced(file)
      if (!isReplaced) await this.#change()
    }
    if (endsInLine) yield LINE_END
    await file.close()
    this.#file = undefined
  }

  async #isReplaced(file: FileHandle): Promise<boolean> {
    const here = await file.stat()
    if (here.size < this.#position) return true
    try {
      const there = await stat(this.#path)
      return there.ino !== here.ino || there.dev !== here.dev
    } catch {
      // The file was deleted or moved; the open file is followed until another one has its path.
      return false
    }
  }
}
