import { BACKSLASH, CARRIAGE_RETURN, COMMA, DOT, LINE_FEED, MINUS, QUOTE, SPACE, ZERO } from '../../base/index.ts'
import type { Kernels } from '../kernels.ts'
import * as layout from '../layout.ts'
import type { Views } from './views.ts'

const TAB = 0x09
const APOSTROPHE = 0x27
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const BACKQUOTE = 0x60
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const DELETE = 0x7f
const ASCII_END = 0x80
/** The deepest nesting inside a JSON list that can be skipped. */
const MAX_DEPTH = 63
const ESCAPE = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/
const MAX_ESCAPE = 6
const WORD = /^(?:true|false|null)/
const MAX_WORD = 5
const kindOfWord: Readonly<Record<string, number>> = {
  true: layout.Kind.TRUE,
  false: layout.Kind.FALSE,
  null: layout.Kind.NULL,
}

interface Value {
  readonly start: number
  readonly end: number
  readonly kind: number
  /** The offset after the value and its closing quote. */
  readonly next: number
}

export function lineKernels({ bytes, words }: Views): Pick<Kernels, 'scanLines'> {
  const word = (address: number): number => words[address >>> 2]
  /** Returns the match of a pattern in the next `most` bytes; an empty string if it does not match. */
  const found = (pattern: RegExp, at: number, most: number): string =>
    pattern.exec(String.fromCharCode(...bytes.subarray(at, at + most)))?.[0] ?? ''
  const isLiteralAt = (at: number, literal: number, length: number): boolean => {
    for (let i = 0; i < length; i++) {
      const address = literal + (i >>> 4) * layout.BLOCK_BYTES + (i & 15)
      const isEqual = bytes[address + 16] === 0xff ? bytes[at + i] === bytes[address] : isDigit(at + i)
      if (!isEqual) return false
    }
    return true
  }
  const stringAt = (start: number): Value | undefined => {
    let kind = 0
    let at = start
    for (; bytes[at] !== QUOTE; at++) {
      if (bytes[at] < 0x20) return undefined
      if (bytes[at] >= ASCII_END) kind |= layout.Kind.WIDE
      if (bytes[at] !== BACKSLASH) continue
      const escape = found(ESCAPE, at, MAX_ESCAPE)
      if (escape === '') return undefined
      kind |= layout.Kind.ESCAPED
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
  /** Returns the end of a number without exponent; `undefined` when there is none. */
  const numberEnd = (start: number): number | undefined => {
    const at = bytes[start] === MINUS ? start + 1 : start
    if (!isDigit(at)) return undefined
    const end = bytes[at] === ZERO ? at + 1 : digitsEnd(at)
    if (bytes[end] !== DOT) return end
    return isDigit(end + 1) ? digitsEnd(end + 1) : undefined
  }
  const blanksEnd = (at: number): number => {
    let end = at
    while (bytes[end] === SPACE || bytes[end] === TAB || bytes[end] === CARRIAGE_RETURN) end++
    return end
  }
  const scalarAt = (at: number): Value | undefined => {
    if (bytes[at] === QUOTE) return stringAt(at + 1)
    const name = found(WORD, at, MAX_WORD)
    const end = name === '' ? numberEnd(at) : at + name.length
    return end === undefined ? undefined : { start: at, end, kind: kindOfWord[name] ?? layout.Kind.NUMBER, next: end }
  }
  /** Returns the end of a value that is nested in lists to the given depth. */
  const nestedEnd = (at: number, depth: number): number | undefined => {
    const isObject = bytes[at] === OPEN_BRACE
    if (!isObject && bytes[at] !== OPEN_BRACKET) return scalarAt(at)?.next
    if (depth > MAX_DEPTH) return undefined
    const close = isObject ? CLOSE_BRACE : CLOSE_BRACKET
    let next = blanksEnd(at + 1)
    if (bytes[next] === close) return next + 1
    for (;;) {
      if (isObject) {
        const name = bytes[next] === QUOTE ? stringAt(next + 1) : undefined
        if (name === undefined) return undefined
        next = blanksEnd(name.next)
        if (bytes[next] !== COLON) return undefined
        next = blanksEnd(next + 1)
      }
      const end = nestedEnd(next, depth + 1)
      if (end === undefined) return undefined
      next = blanksEnd(end)
      if (bytes[next] === close) return next + 1
      if (bytes[next] !== COMMA) return undefined
      next = blanksEnd(next + 1)
    }
  }
  const jsonAt = (at: number): Value | undefined => {
    if (bytes[at] !== OPEN_BRACKET) return scalarAt(at)
    const end = nestedEnd(at, 1)
    return end === undefined ? undefined : { start: at, end, kind: layout.Kind.LIST, next: end }
  }
  /**
   * Returns the text that ends before the byte `stop`; `undefined` where `textEnd` of the compiled kernel returns 0.
   */
  const textAt = (start: number, stop: number, hasEscapes: boolean): Value | undefined => {
    let kind = layout.Kind.ASCII
    let at = start
    for (; bytes[at] !== stop; at++) {
      const byte = bytes[at]
      if (byte === CARRIAGE_RETURN && stop === LINE_FEED && bytes[at + 1] === LINE_FEED) break
      if (byte < SPACE && byte !== TAB) return undefined
      if (byte >= ASCII_END) kind |= layout.Kind.WIDE
      if (byte !== BACKSLASH || (stop !== QUOTE && !hasEscapes)) continue
      const escape = hasEscapes ? found(ESCAPE, at, MAX_ESCAPE) : ''
      if (escape === '') return undefined
      kind |= layout.Kind.ESCAPED
      at += escape.length - 1
    }
    return { start, end: at, kind, next: at }
  }
  const logfmtAt = (at: number): Value | undefined => {
    if (bytes[at] === QUOTE) {
      const text = textAt(at + 1, QUOTE, true)
      return text === undefined ? undefined : { ...text, next: text.end + 1 }
    }
    if (bytes[at] === APOSTROPHE || bytes[at] === BACKQUOTE) return undefined
    let end = at
    while (bytes[end] > SPACE && bytes[end] < DELETE) end++
    return bytes[end] < ASCII_END ? { start: at, end, kind: layout.Kind.ASCII, next: end } : undefined
  }
  const csvAt = (at: number, separator: number): Value | undefined => {
    const isQuoted = bytes[at] === QUOTE
    const start = isQuoted ? at + 1 : at
    let kind = layout.Kind.ASCII
    let end = start
    for (; ; end++) {
      const byte = bytes[end]
      if (isQuoted && byte === QUOTE) {
        if (bytes[end + 1] !== QUOTE) break
        kind |= layout.Kind.ESCAPED
        end++
      } else if (isQuoted && byte === LINE_FEED) return undefined
      else if (!isQuoted && (byte === separator || byte === LINE_FEED || byte === CARRIAGE_RETURN)) break
      else if (byte >= ASCII_END) kind |= layout.Kind.WIDE
    }
    return { start, end, kind: end === start ? layout.Kind.NULL : kind, next: isQuoted ? end + 1 : end }
  }
  const nullable = (value: Value): Value => {
    const { start, end } = value
    return end === start || (end === start + 1 && bytes[start] === MINUS) ? { ...value, kind: layout.Kind.NULL } : value
  }
  const untilAt = (at: number, stop: number): Value | undefined => {
    const text = textAt(at, stop, false)
    return text === undefined ? undefined : nullable(text)
  }
  const classAt = (start: number, table: number): Value | undefined => {
    let end = start
    while (bytes[table + bytes[end]] !== 0) end++
    if (end - start > word(table + layout.Syntax.CLASS_MOST_AT)) return undefined
    return nullable({ start, end, kind: layout.Kind.ASCII, next: end })
  }
  const digitsAt = (start: number, most: number): Value | undefined => {
    const end = digitsEnd(start)
    if (end === start && bytes[start] === MINUS) return { start, end, kind: layout.Kind.NULL, next: start + 1 }
    return end === start || end - start > most ? undefined : { start, end, kind: layout.Kind.NUMBER, next: end }
  }
  const fixedAt = (at: number, slot: number): Value => {
    const start = at - (slot & 0xffff)
    return { start, end: start + (slot >>> 16), kind: layout.Kind.ASCII, next: at }
  }
  const restAt = (at: number, before: Value, notNext: number): Value | undefined => {
    const isEnd = bytes[at] === SPACE || bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN
    if (!isEnd || (bytes[at] | (bytes[at + 1] << 8)) === notNext) return undefined
    const text = textAt(at, LINE_FEED, false)
    if (text === undefined) return undefined
    return { ...text, start: before.start, kind: text.end === before.start ? layout.Kind.NULL : text.kind }
  }
  const withoutAt = (start: number, automaton: number): Value | undefined => {
    const rows = automaton + layout.Automaton.ROWS_AT
    let state: number = layout.Automaton.START
    let end = start
    for (; ; end++) {
      const at = rows + (state + bytes[automaton + bytes[end]]) * 2
      state = bytes[at] | (bytes[at + 1] << 8)
      if (state === layout.Automaton.FOUND) return undefined
      if (state === layout.Automaton.END) return { start, end, kind: layout.Kind.ASCII, next: end }
    }
  }
  const memberAt = (at: number, syntax: number, parameter: number, before: Value): Value | undefined => {
    switch (syntax) {
      case layout.Syntax.JSON:
        return jsonAt(at)
      case layout.Syntax.LOGFMT:
        return logfmtAt(at)
      case layout.Syntax.CSV:
        return csvAt(at, parameter)
      case layout.Syntax.UNTIL:
        return untilAt(at, parameter)
      case layout.Syntax.CLASS:
        return classAt(at, parameter)
      case layout.Syntax.DIGITS:
        return digitsAt(at, parameter)
      case layout.Syntax.AGAIN:
        return { ...before, next: at }
      case layout.Syntax.REST:
        return restAt(at, before, parameter)
      case layout.Syntax.WITHOUT:
        return withoutAt(at, parameter)
      default:
        return fixedAt(at, parameter)
    }
  }
  const hasNeedle = (from: number, end: number, needle: number): boolean => {
    const [text, masks, length] = [layout.Needle.TEXT_AT, layout.Needle.MASKS_AT, layout.Needle.LENGTH_AT].map((at) =>
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
    for (let needle = first; needle !== 0; needle = word(needle + layout.Needle.NEXT_AT))
      if (!hasNeedle(from, end, needle)) return false
    return true
  }
  const isAscii = (from: number, end: number): boolean => bytes.subarray(from, end).every((byte) => byte < ASCII_END)
  /** Returns the record of a line without its first integer; `undefined` if the template does not match. */
  const lineAt = (line: number, template: number) => {
    const record: number[] = []
    let isDropped = false
    let hasValue = false
    let before: Value = { start: 0, end: 0, kind: layout.Kind.NULL, next: 0 }
    let at = line
    for (
      let rest = word(template), member = template + layout.Template.HEAD_BYTES;
      ;
      rest--, member += layout.Member.BYTES
    ) {
      const length = word(member + layout.Member.LENGTH_AT)
      if (!isLiteralAt(at, word(member + layout.Member.LITERAL_AT), length)) return undefined
      at += length
      if (rest === 0) break
      const syntax = word(member + layout.Member.SYNTAX_AT)
      const value = memberAt(at, syntax, word(member + layout.Member.PARAMETER_AT), before)
      if (value === undefined) return undefined
      before = value
      const { start, end, kind, next } = value
      const flags = word(member + layout.Member.FLAGS_AT)
      // A time inside the literal is in every line, so it does not count as a value.
      if (kind !== layout.Kind.NULL) hasValue ||= syntax !== layout.Syntax.FIXED
      else if ((flags & layout.Member.IS_REQUIRED) !== 0) return undefined
      if (kind === layout.Kind.ASCII) isDropped ||= !hasNeedles(start, end, word(member + layout.Member.NEEDLES_AT))
      if ((flags & layout.Member.IS_KEPT) !== 0) record.push(start, end | (kind << layout.Kind.SHIFT))
      at = next
    }
    const needles = word(template + layout.Template.NEEDLES_AT)
    if (needles !== 0 && isAscii(line, at)) isDropped ||= !hasNeedles(line, at, needles)
    if (bytes[at] === CARRIAGE_RETURN) at++
    return hasValue && bytes[at] === LINE_FEED ? { record, isDropped, next: at + 1 } : undefined
  }

  return {
    scanLines(from, end, out, outEnd, templates, template, state) {
      const templateCount = word(templates)
      let at = from
      let to = out
      let number = template
      let stop = layout.Stop.END
      while (at < end && stop === layout.Stop.END) {
        if (to > outEnd) {
          stop = layout.Stop.FULL
          break
        }
        let line = lineAt(at, word(templates + 4 + number * 4))
        for (let tries = 1; line === undefined && tries < templateCount; tries++) {
          number = (number + 1) % templateCount
          line = lineAt(at, word(templates + 4 + number * 4))
        }
        if (line === undefined) {
          number = (number + 1) % templateCount
          stop = layout.Stop.UNKNOWN
          break
        }
        words[to >>> 2] =
          at | ((line.isDropped ? number | layout.ScanRecord.DROPPED : number) << layout.ScanRecord.TEMPLATE_SHIFT)
        words.set(line.record, (to >>> 2) + 1)
        to += 4 + line.record.length * 4
        at = line.next
      }
      words[(state + layout.ScanState.POSITION_AT) >>> 2] = at
      words[(state + layout.ScanState.OUT_AT) >>> 2] = to
      words[(state + layout.ScanState.TEMPLATE_AT) >>> 2] = number
      words[(state + layout.ScanState.STOP_AT) >>> 2] = stop
    },
  }
}
