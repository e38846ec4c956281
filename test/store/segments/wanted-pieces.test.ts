import { expect, test } from 'vitest'
import type { StoredArray } from '../../../src/store/segments/layout.ts'
import type { OpenContents } from '../../../src/store/segments/block-file.ts'
import type { RowGroupFile } from '../../../src/store/segments/part-file.ts'
import { readPieces, type WantedPiece } from '../../../src/store/segments/wanted-pieces.ts'

const PIECE_BYTES = 100_000

/** Returns a file in which every byte of a piece equals the number of the piece. Pieces are not compressed. */
function fileOfNumbers(): RowGroupFile {
  const file: Pick<RowGroupFile, 'packedPiece' | 'plainPiece' | 'faults'> = {
    packedPiece: (_open, _stored, number, take) => {
      const stored = (take(PIECE_BYTES) ?? Buffer.alloc(PIECE_BYTES)).fill(number)
      return { stored, packing: 0, length: PIECE_BYTES }
    },
    plainPiece: (_open, _stored, _number, plain) => {
      const bytes = Uint8Array.from(plain)
      return { at: (place) => bytes[place] ?? NaN }
    },
    faults: (_what, read) => read(),
  }
  return file as RowGroupFile
}

test('each piece gets its own bytes, however many are read together', () => {
  const file = fileOfNumbers()
  const got: number[] = []
  const wanted = Array.from({ length: 20 }, (_, number): WantedPiece => ({
    file,
    open: {} as OpenContents,
    stored: { type: 'u8', length: PIECE_BYTES, block: 0 } as StoredArray,
    number,
    take: (elements) => {
      expect(new Set(Array.from({ length: PIECE_BYTES }, (_, i) => elements.at(i)))).toEqual(new Set([number]))
      got.push(number)
    },
  }))
  readPieces(wanted)
  expect(got).toEqual(wanted.map(({ number }) => number))
})
