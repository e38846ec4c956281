import { clampNs } from '../../base/index.ts'
import { Instant, parseJsonExact, utf8, type ExactJson, type MutableRow, type Value } from '../../data/index.ts'
import type { TableDefinition } from '../../plan/index.ts'
import { flattenRecord, storedRow } from '../record.ts'
import type { ColumnBuilder } from './column-builder.ts'
import { EpochClock } from './epoch-clock.ts'
import type { FieldState } from './field-state.ts'
import { JsonFieldReader, spanKind, type JsonKey } from './json-fields.ts'
import { epochBits } from './segment.ts'
import type { Tail } from './tail.ts'
import { TimeReader } from './time-bytes.ts'

export interface JsonLinesOptions {
  /** The time of records that bring none. */
  readonly nowNs: bigint
  /** Number of the first line, 1 if not given. */
  readonly firstLine?: number
}

export interface BadJsonLine {
  readonly lineNumber: number
  readonly reason: string
  /** At most 120 characters of the line. */
  readonly excerpt: string
}

export interface AppendReport {
  /** Lines met, blank ones included. */
  readonly lines: number
  readonly rows: number
  readonly badLines: number
  /** The first few. */
  readonly examples: readonly BadJsonLine[]
}

/** Where rows go: the part of a table that a reader of lines needs. */
export interface RowSink {
  readonly definition: TableDefinition
  beginRowAt(epoch: number, delta: number): Tail
  endRow(tail: Tail): void
  field(name: string): FieldState
  /** False for fields that are passed over. */
  keeps(name: string): boolean
}

const KEPT_EXAMPLES = 5
const MAX_DEPTH = 128

/** What a member name means to the table. */
interface Member {
  readonly field: FieldState
  readonly isTime: boolean
  readonly isKept: boolean
  builder: ColumnBuilder | undefined
  tail: Tail | undefined
  /** Shared by all names of the field. */
  readonly mark: { line: number }
}

/** Reads JSON lines straight into the columns of a table's tail. */
export class JsonLineAppender {
  readonly #sink: RowSink
  readonly #reader = new JsonFieldReader()
  readonly #time = new TimeReader()
  readonly #clock = new EpochClock()
  readonly #members = new Map<JsonKey, Member>()
  readonly #marks = new Map<FieldState, { line: number }>()
  #line = 0

  constructor(sink: RowSink) {
    this.#sink = sink
  }

  append(input: Uint8Array, options: JsonLinesOptions): AppendReport {
    const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength)
    const examples: BadJsonLine[] = []
    const first = options.firstLine ?? 1
    let lines = 0
    let rows = 0
    let badLines = 0
    let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    while (start < bytes.length) {
      const found = bytes.indexOf(10, start)
      const end = found === -1 ? bytes.length : found
      const reason = this.#appendLine(bytes, start, end, options.nowNs)
      if (reason === undefined) rows++
      else if (reason !== '') {
        badLines++
        if (examples.length < KEPT_EXAMPLES) {
          examples.push({
            lineNumber: first + lines,
            reason,
            excerpt: utf8(bytes, start, Math.min(end, start + 480)).slice(0, 120),
          })
        }
      }
      lines++
      start = end + 1
    }
    return { lines, rows, badLines, examples }
  }

  /** `undefined` when the line became a row, `''` when it is blank, else what is wrong with it. */
  #appendLine(bytes: Buffer, start: number, end: number, nowNs: bigint): string | undefined {
    if (this.#reader.read(bytes, start, end) && this.#reader.count > 0 && this.#place(bytes, nowNs)) return undefined
    const text = utf8(bytes, start, end)
    if (text.trim() === '') return ''
    return this.#appendGeneral(text, nowNs)
  }

  /** Puts the members read into the tail; false, and nothing done, when the general reader must decide. */
  #place(bytes: Buffer, nowNs: bigint): boolean {
    const reader = this.#reader
    const { keys, kinds, starts, ends, numbers, values, count } = reader
    const line = ++this.#line
    let timeAt = -1
    for (let i = 0; i < count; i++) {
      const member = this.#member(keys[i])
      // Two names of one field in a line: which one wins is the general reader's business.
      if (member.mark.line === line) return false
      member.mark.line = line
      if (member.isTime) timeAt = i
    }
    let epoch: number
    let delta: number
    if (timeAt === -1) {
      epoch = Number(clampNs(nowNs) >> epochBits)
      delta = Number(BigInt.asUintN(Number(epochBits), clampNs(nowNs)))
    } else {
      if (kinds[timeAt] !== spanKind.ascii || !this.#time.read(bytes, starts[timeAt], ends[timeAt])) return false
      this.#clock.set(this.#time.parts.seconds, this.#time.parts.nanos)
      epoch = this.#clock.epoch
      delta = this.#clock.delta
    }
    const tail = this.#sink.beginRowAt(epoch, delta)
    const row = tail.rowCount
    for (let i = 0; i < count; i++) {
      if (i === timeAt) continue
      const member = this.#member(keys[i])
      if (!member.isKept) continue
      if (member.tail !== tail) {
        member.tail = tail
        member.builder = tail.builder(member.field)
      }
      const builder = member.builder
      if (builder === undefined) continue
      if (kinds[i] === spanKind.ascii) builder.addAscii(row, bytes, starts[i], ends[i])
      else if (kinds[i] === spanKind.number) builder.addNumber(row, numbers[i])
      else builder.add(row, values[i])
    }
    this.#sink.endRow(tail)
    return true
  }

  #member(key: JsonKey): Member {
    const known = this.#members.get(key)
    if (known !== undefined) return known
    const { aliases, timeField } = this.#sink.definition
    const target = aliases.get(key.name)
    const name = target ?? key.name
    const field = this.#sink.field(name)
    const mark = this.#marks.get(field) ?? { line: 0 }
    this.#marks.set(field, mark)
    const made: Member = {
      field,
      isTime: name === timeField,
      isKept: this.#sink.keeps(name),
      mark,
      builder: undefined,
      tail: undefined,
    }
    this.#members.set(key, made)
    return made
  }

  #appendGeneral(text: string, nowNs: bigint): string | undefined {
    if (isTooDeep(text)) return `nested deeper than ${MAX_DEPTH} levels`
    let value: ExactJson
    try {
      value = parseJsonExact(text)
    } catch (error) {
      return `not JSON: ${error instanceof Error ? error.message : String(error)}`
    }
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'a JSON line must be an object'
    const record: MutableRow = new Map<string, Value>()
    flattenRecord(record, value as { readonly [key: string]: ExactJson })
    if (record.size === 0) return 'an object without a value'
    const { definition } = this.#sink
    const stored = storedRow(definition, record, nowNs, 0)
    const ns = clampNs(stored.timeNs)
    const tail = this.#sink.beginRowAt(Number(ns >> epochBits), Number(BigInt.asUintN(Number(epochBits), ns)))
    for (const [name, member] of stored.row) {
      if (name === definition.timeField && member instanceof Instant) continue
      if (member !== null && this.#sink.keeps(name)) {
        tail.builder(this.#sink.field(name)).add(tail.rowCount, member)
      }
    }
    this.#sink.endRow(tail)
    return undefined
  }
}

/** Brackets outside texts, so that no recursive reader meets a depth it cannot take. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let isInText = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isInText) {
      if (code === 92) i++
      else if (code === 34) isInText = false
    } else if (code === 34) isInText = true
    else if (code === 123 || code === 91) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}
