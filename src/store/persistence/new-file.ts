import { CHUNK_BYTES } from '../../base/index.ts'
import type { Files } from '../durable/index.ts'
import { ChunkWriter } from './chunk-writer.ts'

/**
 * Writes a new file: `content` writes its chunks. Resolves once the bytes are synced. The name is durable only after
 * the folder is synced.
 */
export async function writeNewFile<T>(
  files: Files,
  path: string,
  content: (write: (bytes: Uint8Array) => void) => Promise<T>,
): Promise<T> {
  const file = files.create(path)
  try {
    let at = 0
    const write = (chunk: Uint8Array): void => {
      file.write(chunk, at)
      at += chunk.length
    }
    const chunks = new ChunkWriter(write, false)
    const summary = await content((bytes) => {
      if (bytes.length < CHUNK_BYTES) return chunks.add(bytes)
      chunks.flush()
      return write(bytes)
    })
    chunks.flush()
    await file.syncLater()
    return summary
  } catch (error) {
    // On a full disk, the space of this file must be freed immediately.
    file.truncate(0)
    files.remove(path)
    throw error
  } finally {
    file.close()
  }
}
