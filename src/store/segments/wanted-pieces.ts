import { CHUNK_BYTES } from '../../base/index.ts'
import type { StoredArray } from './layout.ts'
import { unpackedTogether, type PackedPart } from './codings/packing.ts'
import type { PieceElements } from './codings/piece-elements.ts'
import type { OpenContents } from './block-file.ts'
import type { RowGroupFile } from './part-file.ts'

/** A piece that is not cached, and the function that receives its elements. */
export interface WantedPiece {
  readonly file: RowGroupFile
  readonly open: OpenContents
  readonly stored: StoredArray
  readonly number: number
  readonly take: (elements: PieceElements) => void
}

let scratch: Buffer | undefined

/**
 * Reads pieces of any files and decompresses them together, because each decompression has a high start-up cost. Throws
 * SluiceError `durable/damaged`.
 */
export function readPieces(wanted: readonly WantedPiece[]): void {
  let pieces: WantedPiece[] = []
  let parts: PackedPart[] = []
  let used = 0
  const unpack = (): void => {
    unpackPieces(pieces, parts)
    pieces = []
    parts = []
    used = 0
  }
  const room = (length: number): Buffer | undefined => {
    if (used + length > CHUNK_BYTES) unpack()
    if (length > CHUNK_BYTES) return undefined
    scratch ??= Buffer.allocUnsafeSlow(CHUNK_BYTES)
    return scratch.subarray(used, (used += length))
  }
  for (const piece of wanted) {
    const { file, open, stored, number } = piece
    // Assigned to a variable first, because `room` may replace `parts`.
    const part = file.packedPiece(open, stored, number, room)
    parts.push(part)
    pieces.push(piece)
  }
  unpack()
}

function unpackPieces(pieces: readonly WantedPiece[], parts: readonly PackedPart[]): void {
  const unpacking = unpackedTogether(parts)
  for (const { file, open, stored, number, take } of pieces) {
    const plain = file.faults(`block ${stored.block}`, () => unpacking.next().value)
    if (plain !== undefined) take(file.plainPiece(open, stored, number, plain))
  }
}
