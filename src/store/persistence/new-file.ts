import { CHUNK_BYTES } from '../../base/index.ts'
import type { Files } from '../durable/index.ts'
import { Pieces } from './pieces.ts'

/**
 * Writes a new file from the pieces that `content` writes. Resolves when its bytes are synced; the name in the folder
 * is not synced yet.
 */
export async function writeNewFile<T>(
  files: Files,
  path: string,
  content: (write: (bytes: Uint8Array) => void) => Promise<T>,
): Promise<T> {
  const file = files.create(path)
  try {
    let at = 0
    const write = (piece: Uint8Array): void => {
      file.write(piece, at)
      at += piece.length
    }
    const pieces = new Pieces(write, false)
    const summary = await content((bytes) => {
      if (bytes.length < CHUNK_BYTES) return pieces.add(bytes)
      pieces.flush()
      return write(bytes)
    })
    pieces.flush()
    await file.syncLater()
    return summary
  } catch (error) {
    // On a full disk, the space must be freed immediately.
    file.truncate(0)
    files.remove(path)
    throw error
  } finally {
    file.close()
  }
}
