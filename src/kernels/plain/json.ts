import { BACKSLASH, QUOTE } from '../../base/index.ts'
import type { Kernels } from '../kernels.ts'
import * as layout from '../layout.ts'
import { isPlainNumber, type Views } from './views.ts'

const BILLION = 1_000_000_000

type JsonKernels = Pick<Kernels, 'quoteStrings' | 'writeNumbers' | 'writeTimes' | 'joinPieces'>

export function jsonKernels(views: Views): JsonKernels {
  const { bytes, words, doubles } = views
  const setRange = (range: number, at: number, end: number): void => {
    words[range >>> 2] = at
    words[(range >>> 2) + 1] = end - at
  }
  const refuse = (range: number, refused: number): void => {
    words[(range >>> 2) + 1] = layout.Range.BY_VALUE
    words[refused >>> 2]++
  }
  /** Writes a string in quotes and returns the end of the output; -1 if a byte has no short escape. */
  const quote = (from: number, end: number, out: number, escapes: number): number => {
    let to = out
    bytes[to++] = QUOTE
    for (let at = from; at < end; at++) {
      const byte = bytes[at]
      if (byte < 0x20 || byte > 0x7f || byte === QUOTE || byte === BACKSLASH) {
        if (bytes[escapes + byte] === 0) return -1
        bytes[to++] = BACKSLASH
        bytes[to++] = bytes[escapes + byte]
      } else bytes[to++] = byte
    }
    bytes[to++] = QUOTE
    return to
  }
  return {
    quoteStrings(range, stride, count, out, escapes, refused) {
      let at = out
      for (let i = 0, each = range; i < count; i++, each += stride) {
        const from = words[each >>> 2]
        if (from === 0) continue
        const end = quote(from, from + words[(each >>> 2) + 1], at, escapes)
        if (end === -1) refuse(each, refused)
        else {
          setRange(each, at, end)
          at = end
        }
      }
      return at
    },
    writeNumbers(range, stride, count, values, out, _tables, refused) {
      let at = out
      for (let i = 0, each = range; i < count; i++, each += stride) {
        const value = doubles[(values >>> 3) + i]
        if (!isPlainNumber(value)) refuse(each, refused)
        else {
          const end = views.write(String(value), at)
          setRange(each, at, end)
          at = end
        }
      }
      return at
    },
    writeTimes(range, stride, count, nanos, prefix, prefixBytes, out) {
      let at = out
      for (let i = 0, each = range; i < count; i++, each += stride) {
        const value = doubles[(nanos >>> 3) + i]
        if (!(value >= 0)) continue
        const seconds = String(Math.floor(value / BILLION)).padStart(2, '0')
        const fraction = String(Math.floor(value % BILLION)).padStart(9, '0')
        const end = views.write(`${seconds}.${fraction}Z"`, views.copy(prefix, prefixBytes, at))
        setRange(each, at, end)
        at = end
      }
      return at
    },
    joinPieces(range, columns, columnsAt, rows, separator, separatorBytes, out) {
      let at = out
      const copyPiece = (from: number, to: number): number => views.copy(words[from >>> 2], words[(from >>> 2) + 1], to)
      for (let row = 0, value = range; row < rows; row++) {
        bytes[at] = separator
        bytes[at + 1] = separator >>> 8
        at += separatorBytes
        const start = at
        for (let column = 0; column < columns; column++, value += layout.Range.BYTES) {
          const key = columnsAt + column * layout.COLUMN_BYTES
          const piece = words[(value >>> 2) + 1] === 0 ? key + layout.Range.BYTES : value
          if (words[(piece >>> 2) + 1] !== 0) at = copyPiece(piece, copyPiece(key, at))
        }
        if (at === start) at++
        at = views.write('}', at)
        // The first member has no comma before it: the brace takes its place.
        views.write('{', start)
      }
      return at
    },
  }
}
