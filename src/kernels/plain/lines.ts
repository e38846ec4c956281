import { BACKSLASH, CARRIAGE_RETURN, DOT, LINE_FEED, MINUS, QUOTE, ZERO } from '../../base/index.ts'
import type { Kernels } from '../kernels.ts'
import * as layout from '../layout.ts'
import type { Views } from './views.ts'

const ASCII_END = 0x80
const ESCAPE = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/
const MAX_ESCAPE = 6
const WORD = /^(?:true|false|null)/
const MAX_WORD = 5
const kindOfWord: Readonly<Record<string, number>> = {
  true: layout.KIND_TRUE,
  false: layout.KIND_FALSE,
  null: layout.KIND_NULL,
}

interface Value {
  readonly start: number
  readonly end: number
  readonly kind: number
  /** Where the value ends with its quote. */
  readonly next: number
}

export function lineKernels({ bytes, words }: Views): Pick<Kernels, 'scanLines'> {
  const word = (address: number): number => words[address >>> 2]
  /** What a pattern finds in the next bytes; empty when it finds nothing. */
  const found = (pattern: RegExp, at: number, most: number): string =>
    pattern.exec(String.fromCharCode(...bytes.subarray(at, at + most)))?.[0] ?? ''
  const isLiteralAt = (at: number, literal: number, length: number): boolean => {
    for (let i = 0; i < length; i++)
      if (bytes[at + i] !== bytes[literal + (i >>> 4) * layout.BLOCK_BYTES + (i & 15)]) return false
    return true
  }
  const stringAt = (start: number): Value | undefined => {
    let kind = 0
    let at = start
    for (; bytes[at] !== QUOTE; at++) {
      if (bytes[at] < 0x20) return undefined
      if (bytes[at] >= ASCII_END) kind |= layout.KIND_WIDE
      if (bytes[at] !== BACKSLASH) continue
      const escape = found(ESCAPE, at, MAX_ESCAPE)
      if (escape === '') return undefined
      kind |= layout.KIND_ESCAPED
      at += escape.length - 1
    }
    return { start, end: at, kind, next: at + 1 }
  }
  const isDigit = (at: number): boolean => bytes[at] >= ZERO && bytes[at] < ZERO + 10
  const digitsEnd = (at: number): number => {
    let end = at
    while (isDigit(end)) end++
    return end
  }
  /** The end of a number without exponent, `undefined` where there is none. */
  const numberEnd = (start: number): number | undefined => {
    const at = bytes[start] === MINUS ? start + 1 : start
    if (!isDigit(at)) return undefined
    const end = bytes[at] === ZERO ? at + 1 : digitsEnd(at)
    if (bytes[end] !== DOT) return end
    return isDigit(end + 1) ? digitsEnd(end + 1) : undefined
  }
  const valueAt = (at: number): Value | undefined => {
    if (bytes[at] === QUOTE) return stringAt(at + 1)
    const name = found(WORD, at, MAX_WORD)
    const end = name === '' ? numberEnd(at) : at + name.length
    return end === undefined ? undefined : { start: at, end, kind: kindOfWord[name] ?? layout.KIND_NUMBER, next: end }
  }
  const hasNeedle = (from: number, end: number, needle: number): boolean => {
    const [text, masks, length] = [layout.NEEDLE_TEXT_AT, layout.NEEDLE_MASKS_AT, layout.NEEDLE_LENGTH_AT].map((at) =>
      word(needle + at),
    )
    for (let at = from; at + length <= end; at++) {
      let k = 0
      while (k < length && (bytes[at + k] | bytes[masks + k]) === bytes[text + k]) k++
      if (k === length) return true
    }
    return false
  }
  const hasNeedles = (from: number, end: number, first: number): boolean => {
    for (let needle = first; needle !== 0; needle = word(needle + layout.NEEDLE_NEXT_AT))
      if (!hasNeedle(from, end, needle)) return false
    return true
  }
  /** The record of a line, without its first word; `undefined` when the template does not fit. */
  const lineAt = (line: number, template: number) => {
    const record: number[] = []
    let isDropped = false
    let at = line
    for (let rest = word(template), member = template + 4; ; rest--, member += layout.MEMBER_BYTES) {
      const length = word(member + layout.MEMBER_LENGTH_AT)
      if (!isLiteralAt(at, word(member + layout.MEMBER_LITERAL_AT), length)) return undefined
      at += length
      if (rest === 0) break
      const value = valueAt(at)
      if (value === undefined) return undefined
      const { start, end, kind, next } = value
      if (kind === layout.KIND_ASCII) isDropped ||= !hasNeedles(start, end, word(member + layout.MEMBER_NEEDLES_AT))
      if (word(member + layout.MEMBER_IS_KEPT_AT) !== 0) record.push(start, end | (kind << layout.KIND_SHIFT))
      at = next
    }
    if (bytes[at] === CARRIAGE_RETURN) at++
    return bytes[at] === LINE_FEED ? { record, isDropped, next: at + 1 } : undefined
  }

  return {
    scanLines(from, end, out, outEnd, templates, template, state) {
      const templateCount = word(templates)
      let at = from
      let to = out
      let number = template
      let stop = layout.STOP_END
      while (at < end && stop === layout.STOP_END) {
        if (to > outEnd) {
          stop = layout.STOP_FULL
          break
        }
        let line = lineAt(at, word(templates + 4 + number * 4))
        for (let tries = 1; line === undefined && tries < templateCount; tries++) {
          number = (number + 1) % templateCount
          line = lineAt(at, word(templates + 4 + number * 4))
        }
        if (line === undefined) {
          number = (number + 1) % templateCount
          stop = layout.STOP_UNKNOWN
          break
        }
        words[to >>> 2] = at | ((line.isDropped ? layout.RECORD_DROPPED : number) << layout.TEMPLATE_SHIFT)
        if (!line.isDropped) words.set(line.record, (to >>> 2) + 1)
        to += line.isDropped ? 4 : 4 + line.record.length * 4
        at = line.next
      }
      words[(state + layout.SCAN_POSITION_AT) >>> 2] = at
      words[(state + layout.SCAN_OUT_AT) >>> 2] = to
      words[(state + layout.SCAN_TEMPLATE_AT) >>> 2] = number
      words[(state + layout.SCAN_STOP_AT) >>> 2] = stop
    },
  }
}
