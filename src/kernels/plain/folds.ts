import type { Kernels } from '../kernels.ts'
import { FoldTables, NumberFlag, Placeholder } from '../layout.ts'
import type { Views } from './views.ts'

/** Flags of all digits, also hexadecimal ones. */
const ANY_DIGIT = NumberFlag.DIGIT | NumberFlag.HEX_LETTER
const LESS = '<'.charCodeAt(0)

/** The groups of numbers that have placeholders, in the order of their replacement. */
const groups = [
  { separator: '-', count: 5, placeholder: Placeholder.UUID },
  { separator: '.', count: 4, placeholder: Placeholder.IP4 },
  { separator: ':', count: 3, placeholder: Placeholder.TIME },
  { separator: '-', count: 3, placeholder: Placeholder.DATE },
  { separator: '/', count: 3, placeholder: Placeholder.DATE },
].map((group) => ({ ...group, separator: group.separator.charCodeAt(0) }))

export function foldKernels({ bytes }: Views): Pick<Kernels, 'foldNumbers'> {
  const isOneOf = (at: number, characters: string): boolean => characters.includes(String.fromCharCode(bytes[at]))

  /** Returns the table entry with the name of the placeholder at `at`; `undefined` if there is no placeholder. */
  const nameAt = (at: number, end: number, tables: number) => {
    for (let i = 0; i < FoldTables.NAMES_BYTES; i += FoldTables.NAME_BYTES) {
      const name = tables + FoldTables.NAMES_AT + i
      const length = bytes[name + FoldTables.NAME_LENGTH_AT]
      let k = 0
      while (k < length && at + k < end && bytes[at + k] === bytes[name + k]) k++
      if (k === length) return { length, placeholder: bytes[name + FoldTables.NAME_PLACEHOLDER_AT] }
    }
    return undefined
  }

  /** Returns the end of the number, or of its placeholder, that begins at `at`; -1 if there is none. */
  const endOfNumber = (at: number, end: number, tables: number): number => {
    if (bytes[at] === LESS) {
      const name = nameAt(at, end, tables)
      return name?.placeholder === Placeholder.NUMBER ? at + name.length : -1
    }
    const flagsAt = (place: number): number => (place < end ? bytes[tables + bytes[place]] : 0)
    let next = at
    let common = ANY_DIGIT
    for (; (flagsAt(next) & ANY_DIGIT) !== 0; next++) common &= flagsAt(next)
    const length = next - at
    if (length === 0 || (flagsAt(next) & NumberFlag.BARS_END) !== 0) return -1
    return (common & NumberFlag.DIGIT) !== 0 || (length >= 4 && length % 2 === 0) ? next : -1
  }

  /** Replaces the groups of one kind in `[start, end)`. Returns the new end. */
  const foldGroup = (start: number, end: number, { separator, count, placeholder }: (typeof groups)[number]) => {
    const groupBytes = 2 * count - 1
    let to = start
    for (let at = start; at < end;) {
      let length = 0
      while (
        length < groupBytes &&
        at + length < end &&
        bytes[at + length] === (length % 2 === 0 ? Placeholder.NUMBER : separator)
      )
        length++
      if (length !== groupBytes) {
        bytes[to++] = bytes[at++]
        continue
      }
      bytes[to++] = placeholder
      at += groupBytes
      const hasFraction = placeholder === Placeholder.TIME && at + 1 < end && isOneOf(at, '.,')
      if (hasFraction && bytes[at + 1] === Placeholder.NUMBER) at += 2
    }
    return to
  }

  /** Replaces each date with a time and its zone. Returns the new end. */
  const foldDateTimes = (start: number, end: number): number => {
    let to = start
    for (let at = start; at < end;) {
      const isDateTime =
        at + 2 < end && bytes[at] === Placeholder.DATE && isOneOf(at + 1, 'T ') && bytes[at + 2] === Placeholder.TIME
      if (!isDateTime) {
        bytes[to++] = bytes[at++]
        continue
      }
      bytes[to++] = Placeholder.DATETIME
      at += 3
      const isOffset =
        at + 3 < end &&
        isOneOf(at, '+-') &&
        bytes[at + 1] === Placeholder.NUMBER &&
        isOneOf(at + 2, ':') &&
        bytes[at + 3] === Placeholder.NUMBER
      if (isOffset) at += 4
      else if (at < end && isOneOf(at, 'Z')) at++
    }
    return to
  }

  return {
    foldNumbers(text, end, out, tables, isPretty) {
      let to = out
      let isBarred = false
      for (let at = text; at < end;) {
        const byte = bytes[at]
        let next = isBarred && byte !== LESS ? -1 : endOfNumber(at, end, tables)
        if (next === -1) {
          const name = byte === LESS ? nameAt(at, end, tables) : undefined
          bytes[to++] = name?.placeholder ?? byte
          at += name?.length ?? 1
          isBarred = (bytes[tables + byte] & NumberFlag.BARS_START) !== 0
          continue
        }
        const first = to
        bytes[to++] = Placeholder.NUMBER
        for (at = next; at + 1 < end && isOneOf(at, '-.:/,'); at = next) {
          next = endOfNumber(at + 1, end, tables)
          if (next === -1) break
          bytes[to++] = bytes[at]
          bytes[to++] = Placeholder.NUMBER
        }
        isBarred = false
        if (isPretty !== 0) for (const group of groups) to = foldGroup(first, to, group)
      }
      return isPretty === 0 ? to : foldDateTimes(out, to)
    },
  }
}
