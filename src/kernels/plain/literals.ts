import type { Kernels } from '../kernels.ts'
import * as layout from '../layout.ts'
import type { Views } from './views.ts'

export function literalKernels({ bytes, words }: Views): Pick<Kernels, 'findLiteral'> {
  const isAt = (at: number, needle: number, masks: number, length: number): boolean => {
    for (let k = 0; k < length; k++) if ((bytes[at + k] | bytes[masks + k]) !== bytes[needle + k]) return false
    return true
  }
  return {
    findLiteral(text, from, end, offsets, needle, length, masks, _probeA, _probeB, edges, wordTable, bitmap) {
      let row = 0
      let rowEnd = words[(offsets >>> 2) + 1]
      for (let at = from; at + length <= end; at++) {
        while (rowEnd <= at) rowEnd = words[(offsets >>> 2) + ++row + 1]
        if (at + length > rowEnd || !isAt(text + at, needle, masks, length)) continue
        const isStartCut = at > words[(offsets >>> 2) + row] && bytes[wordTable + bytes[text + at - 1]] !== 0
        if ((edges & layout.Edge.START) !== 0 && isStartCut) continue
        const isEndCut = at + length < rowEnd && bytes[wordTable + bytes[text + at + length]] !== 0
        if ((edges & layout.Edge.END) !== 0 && isEndCut) continue
        words[(bitmap >>> 2) + (row >>> 5)] |= 1 << (row & 31)
      }
    },
  }
}
