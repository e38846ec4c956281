import { CHUNK_BYTES, CommandError, SluiceError, budgetDiagnostic, nowhere } from '../../base/index.ts'
import { closeSync, constants, createReadStream, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { Socket } from 'node:net'
import process from 'node:process'
import type { Readable } from 'node:stream'
import { checkText, markedCharset } from './content.ts'
import { PACKING_HEAD_BYTES, packingOf, unpacked } from './packing.ts'
import { SMALL_FILE_BYTES } from './tuning.ts'

function headOf(path: string, bytes: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(bytes)
    return buffer.subarray(0, readSync(file, buffer, 0, bytes, 0))
  } finally {
    closeSync(file)
  }
}

export function isPacked(path: string): boolean {
  return packingOf(headOf(path, PACKING_HEAD_BYTES), path) !== undefined
}

/** Returns the first bytes of a plain file; `undefined` when the file is compressed or not UTF-8. Throws NotText. */
export function plainHead(path: string, bytes: number): Buffer | undefined {
  const head = headOf(path, bytes)
  if (packingOf(head, path) !== undefined) return undefined
  checkText(head, path)
  return markedCharset(head) === undefined ? head : undefined
}

/**
 * Yields the same chunks with a longer first chunk. If the stream has enough bytes, the first chunk contains a line end
 * or at least `bytes` bytes.
 */
async function withHead(
  chunks: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<{ readonly head: Uint8Array; readonly all: AsyncIterable<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]()
  let head: Uint8Array = new Uint8Array(0)
  // A stream may pause after a line end, so waiting stops there.
  while (head.length < bytes && !head.includes(10)) {
    const next = await iterator.next()
    if (next.done === true) break
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value])
  }
  const all = async function* (): AsyncGenerator<Uint8Array> {
    try {
      if (head.length > 0) yield head
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { head, all: all() }
}

async function* asUtf8(chunks: AsyncIterable<Uint8Array>, charset: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(charset)
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  const rest = decoder.decode()
  if (rest !== '') yield Buffer.from(rest)
}

/**
 * Yields the decompressed bytes as UTF-8. Throws NotText when the input is not text, and CommandError when it is
 * damaged.
 */
async function* textOf(chunks: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  const name = path === '-' ? 'Standard input' : path
  const packed = await withHead(chunks, PACKING_HEAD_BYTES)
  const packing = packingOf(packed.head, path)
  const plain = packing === undefined ? packed : await withHead(unpacked(packing, packed.all, name), 2)
  checkText(plain.head, name)
  const charset = markedCharset(plain.head)
  yield* charset === undefined ? plain.all : asUtf8(plain.all, charset)
}

/**
 * Returns the time of a file's last change in nanoseconds since 1970; `undefined` for `-` and for anything that is not
 * a file.
 */
export function inputModifiedNs(path: string): bigint | undefined {
  if (path === '-') return undefined
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found?.isFile() === true ? found.mtimeNs : undefined
}

/**
 * Returns the size of a file in bytes; `undefined` for `-` (standard input). Throws CommandError when the file does not
 * exist.
 */
export function inputBytes(path: string): number | undefined {
  if (path === '-') return undefined
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new CommandError(`There is no file ${path}.`)
  if (stats.isDirectory()) throw new CommandError(`${path} is a folder; name the files in it.`)
  return stats.isFile() ? stats.size : undefined
}

/** True if an input can be read only once: standard input and named pipes. */
export function isReadOnce(path: string): boolean {
  return path === '-' || statSync(path, { throwIfNoEntry: false })?.isFile() === false
}

export function isLargeFile(path: string, fromBytes: number): boolean {
  const stats = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && stats.isFile() && stats.size >= fromBytes
}

export function isNamedPipe(path: string): boolean {
  return path !== '-' && statSync(path, { throwIfNoEntry: false })?.isFIFO() === true
}

/** Reads a small file in one call, which takes less time than creating a stream. */
async function* wholeFile(path: string): AsyncGenerator<Uint8Array> {
  yield readFileSync(path)
}

function isSmallFile(path: string): boolean {
  const stats = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && stats.isFile() && stats.size <= SMALL_FILE_BYTES
}

function streamOf(path: string, offset: number): Readable {
  if (path === '-') return process.stdin
  // Opening or reading a pipe as a file would block a thread until the pipe has a writer.
  if (isNamedPipe(path))
    return new Socket({
      fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
      readable: true,
      writable: false,
    })
  return createReadStream(path, { highWaterMark: CHUNK_BYTES, ...(offset === 0 ? {} : { start: offset }) })
}

/**
 * Yields the chunks of a stream until the signal aborts. The signal is needed because waiting for a chunk checks no
 * deadline.
 */
async function* untilAborted(stream: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = (): void => {
    const { reason } = signal as { readonly reason: unknown }
    stream.destroy(
      reason instanceof SluiceError ? reason : new SluiceError([budgetDiagnostic('cancelled', {}, nowhere)]),
    )
  }
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    yield* stream as AsyncIterable<Uint8Array>
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/**
 * Yields chunks of a file from a byte offset, or of standard input (`-`), as UTF-8. Compressed files, recognised by
 * their first bytes or their name, are decompressed. Throws NotText when the input is not text. When the signal aborts,
 * it throws the signal's reason if that is a SluiceError, else `budget/cancelled`.
 */
export function openInput(path: string, offset = 0, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  if (offset === 0 && isSmallFile(path)) return textOf(wholeFile(path), path)
  const stream = streamOf(path, offset)
  const chunks = signal === undefined ? (stream as AsyncIterable<Uint8Array>) : untilAborted(stream, signal)
  return offset === 0 ? textOf(chunks, path) : chunks
}
