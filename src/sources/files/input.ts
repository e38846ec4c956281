import { CommandError } from '../../base/index.ts'
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import process from 'node:process'
import { Readable } from 'node:stream'
import zlib from 'node:zlib'

/** Node has it from 22.15 on. */
const { createZstdDecompress } = zlib as Partial<typeof zlib>

const CHUNK_BYTES = 1 << 20

type Packing = 'plain' | 'gzip' | 'zstd'

/** The first bytes of a plain file; `undefined` when it is packed. */
export function plainHead(path: string, bytes: number): Buffer | undefined {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(bytes)
    const read = readSync(file, head, 0, bytes, 0)
    return packingOf(head) === 'plain' ? head.subarray(0, read) : undefined
  } finally {
    closeSync(file)
  }
}

function packingOf(head: Uint8Array): Packing {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  return head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd ? 'zstd' : 'plain'
}

async function* unpacked(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  let head = new Uint8Array(0)
  while (head.length < 4) {
    const next = await iterator.next()
    if (next.done === true) break
    const joined = new Uint8Array(head.length + next.value.length)
    joined.set(head)
    joined.set(next.value, head.length)
    head = joined
  }
  const rest = async function* (): AsyncGenerator<Uint8Array> {
    if (head.length > 0) yield head
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
  }
  const packing = packingOf(head)
  if (packing === 'plain') {
    yield* rest()
    return
  }
  const unpack = packing === 'gzip' ? zlib.createGunzip() : createZstdDecompress?.()
  if (unpack === undefined) throw new CommandError(`${name} is packed with zstd, which Node reads from 22.15 on.`)
  const source = Readable.from(rest(), { objectMode: false })
  source.on('error', (error) => unpack.destroy(error))
  try {
    for await (const chunk of source.pipe(unpack)) yield chunk
  } catch (error) {
    throw new CommandError(
      `${name} is not a complete ${packing} file: ${error instanceof Error ? error.message : String(error)}`,
      1,
    )
  }
}

/** The size of a file in bytes; `undefined` for `-` (standard input). Throws CommandError when there is no such file. */
export function inputBytes(path: string): number | undefined {
  if (path === '-') return undefined
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new CommandError(`There is no file ${path}.`)
  if (stats.isDirectory()) throw new CommandError(`${path} is a folder; name the files in it.`)
  return stats.isFile() ? stats.size : undefined
}

export function isLargeFile(path: string, fromBytes: number): boolean {
  const stats = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && stats.isFile() && stats.size >= fromBytes
}

/** Chunks of a file, from a place on, or of standard input (`-`), gzip and zstd unpacked by their first bytes. */
export function openInput(path: string, offset = 0): AsyncIterable<Uint8Array> {
  const stream = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES, start: offset })
  return unpacked(stream as AsyncIterable<Uint8Array>, path)
}
