import { Bytes, NINE, PAGE_BYTES, ZERO } from '../../../base/index.ts'
import { KernelMemory, layout } from '../../../kernels/index.ts'
import { placerOf, type Placement, type Placer } from '../../shapes/index.ts'
import { isKept, lineTargets, type LineTargets, type MemberTargets } from '../intake/placed-line.ts'
import type { ByteAutomaton } from './byte-automaton.ts'
import type { RecordForm, RecordTemplate, TemplateMember, ValueSyntax } from './record-template.ts'
import type { ScanOptions } from './scan-options.ts'
import {
  MAX_DESCRIPTION_BYTES,
  MAX_FAILED_TEMPLATES,
  MAX_NEEDLE_BYTES,
  MAX_UNTRIED,
  TEMPLATE_MEMORY_BYTES,
} from './tuning.ts'

/** A value that the scanner finds, and the fields that receive it. */
export interface ScannedMember extends MemberTargets {
  readonly syntax: ValueSyntax['kind']
}

/**
 * The values of records that match a template: first the stored scanned values in order, then values that are not
 * scanned. Plain data.
 */
export interface ScannedTemplate extends Omit<LineTargets, 'members'> {
  readonly members: readonly ScannedMember[]
  readonly constants: readonly { readonly targets: MemberTargets; readonly text: string }[]
  readonly wholeLine: MemberTargets | undefined
  /** The start of the stored line, as in `RecordTemplate.wholeLine`. */
  readonly wholeLineFrom: number
  /** The same as in `RecordTemplate`, as is `origin`. */
  readonly staysOpen: boolean
  readonly mayContinue: boolean
  readonly origin: string
}

export interface ScanProgress {
  /** The position after the last record that was read. */
  readonly position: number
  /** The length of the output, in 32-bit words. */
  readonly words: number
  /** True if the record at `position` does not end within the text. */
  readonly isIncomplete: boolean
}

/** Returns the address of the scanner's output for texts of at most `textBytes`; the text is at address 0. */
export function recordsAt(textBytes: number): number {
  return textBytes + PAGE_BYTES
}

/** Returns the maximum end address of the scanner's output. */
export function recordsEnd(textBytes: number): number {
  return recordsAt(textBytes) + textBytes * 2 + PAGE_BYTES
}

/**
 * Finds the values of records. A kernel reads records that match a template. For other records the scanner tries to
 * create a template, or leaves them to the general reader.
 */
export class RecordScanner {
  /** The kernel's memory: the text at 0, and the output of the last `scan` at `recordsAt`. */
  readonly bytes: Bytes
  readonly words: Uint32Array
  readonly textBytes: number
  /** The templates, by the number that the output uses. */
  readonly templates: ScannedTemplate[] = []
  readonly #options: ScanOptions
  readonly #form: RecordForm
  readonly #placer: Placer
  /** The address of each automaton in the kernel's memory. */
  readonly #automatons = new Map<ByteAutomaton, number>()
  readonly #kernels: KernelMemory['kernels']
  readonly #stateAt: number
  readonly #templatesAt: number
  readonly #freeEnd: number
  #free: number
  #template = 0
  #failed = 0
  /**
   * Number of records to leave to the general reader before the next attempt to create a template. `#pause` is the
   * number set after the last attempt.
   */
  #untried = 0
  #pause = 0

  /** `textBytes` is the maximum size of one scanned text. Throws `RangeError` if the runtime has no memory left. */
  constructor(form: RecordForm, options: ScanOptions, textBytes: number) {
    this.#form = form
    this.#options = options
    this.#placer = placerOf(options.table)
    this.textBytes = textBytes
    this.#stateAt = recordsEnd(textBytes)
    this.#templatesAt = this.#stateAt + layout.ScanState.BYTES
    this.#free = this.#templatesAt + 4 + layout.ScanRecord.MAX_TEMPLATES * 4
    this.#freeEnd = this.#stateAt + TEMPLATE_MEMORY_BYTES
    const { buffer, kernels } = new KernelMemory(this.#freeEnd)
    this.#kernels = kernels
    this.bytes = Bytes.from(buffer)
    this.words = new Uint32Array(buffer)
  }

  /** The memory for the text; the text must end with a line break. */
  get text(): Bytes {
    return this.bytes.subarray(0, this.textBytes + 1)
  }

  /**
   * Writes the locations of the values of the records in `[from, end)` of the text, until the output memory is full.
   */
  scan(from: number, end: number): ScanProgress {
    const firstRecord = recordsAt(this.textBytes)
    const outEnd = firstRecord + this.textBytes * 2
    let out = firstRecord
    let position = from
    let triedAt = -1
    let isIncomplete = false
    for (;;) {
      if (this.templates.length > 0) {
        this.#kernels.scanLines(position, end, out, outEnd, this.#templatesAt, this.#template, this.#stateAt)
        position = this.#state(layout.ScanState.POSITION_AT)
        out = this.#state(layout.ScanState.OUT_AT)
        this.#template = this.#state(layout.ScanState.TEMPLATE_AT)
        if (this.#state(layout.ScanState.STOP_AT) !== layout.Stop.UNKNOWN) break
      } else if (position >= end || out > outEnd) break
      const next = this.#form.recordEnd(this.bytes, position, end)
      if (next === -1) {
        isIncomplete = true
        break
      }
      if (triedAt === position) this.#forgetTemplate()
      else if (this.#learn(position, next)) {
        triedAt = position
        continue
      }
      this.words[out >> 2] = (position | (layout.ScanRecord.GENERAL << layout.ScanRecord.TEMPLATE_SHIFT)) >>> 0
      this.words[(out >> 2) + 1] = next
      out += 8
      position = next
      // Without a template, the general reader must read this record first: it may be the header of a CSV table.
      if (this.templates.length === 0) break
    }
    return { position, words: (out - firstRecord) >> 2, isIncomplete }
  }

  #state(at: number): number {
    return this.words[(this.#stateAt + at) >> 2]
  }

  #learn(start: number, end: number): boolean {
    if (this.templates.length >= layout.ScanRecord.MAX_TEMPLATES || this.#failed > MAX_FAILED_TEMPLATES) return false
    if (this.#free > this.#freeEnd - MAX_DESCRIPTION_BYTES) return false
    if (this.#untried > 0) {
      this.#untried--
      return false
    }
    const template = this.#form.templateOf(this.bytes, start, end)
    this.#pause = template === undefined ? Math.min(this.#pause * 2 + 1, MAX_UNTRIED) : 0
    this.#untried = this.#pause
    if (template === undefined) return false
    const names = namesOf(template)
    const { keptFields, table } = this.#options
    const placement = this.#placer.of(names)
    // If the names alone do not tell which member is the time, the general reader must read the record.
    const targets = lineTargets(placement, table, (field) => keptFields === undefined || keptFields.has(field))
    if (targets === undefined) return false
    this.#add(template, names, targets, placement)
    return true
  }

  /** Removes the newest template, because the kernel cannot match even the record from which it was made. */
  #forgetTemplate(): void {
    this.#failed++
    this.templates.pop()
    this.#writeCount()
    this.#template = 0
  }

  #add(template: RecordTemplate, names: readonly string[], targets: LineTargets, placement: Placement): void {
    const { members, end, constants = new Map<string, string>(), wholeLine } = template
    const targetsOf = (name: string): MemberTargets => targets.members[names.indexOf(name)]
    const kept: ScannedMember[] = []
    const wholeAt = wholeLine === undefined ? -1 : names.indexOf(wholeLine.name)
    const wholeNeedles = this.#needles(this.#wordsIn(placement, wholeAt))
    const description: number[] = [members.length, wholeNeedles]
    for (const member of members) {
      const index = member.name === '' ? -1 : names.indexOf(member.name)
      const target = index === -1 ? undefined : targets.members[index]
      const isTaken = target !== undefined && isKept(target)
      if (isTaken) kept.push({ ...target, syntax: member.syntax.kind })
      const isRequired = member.isRequired === true || (index !== -1 && this.#placer.matters(member.name))
      const flags = (isTaken ? layout.Member.IS_KEPT : 0) | (isRequired ? layout.Member.IS_REQUIRED : 0)
      description.push(...this.#memberWords(member, flags, this.#needles(this.#wordsIn(placement, index))))
    }
    const literal: TemplateMember = { name: '', literal: end, syntax: { kind: 'json' } }
    description.push(...this.#memberWords(literal, 0, 0))
    const at = this.#put(description)
    this.templates.push({
      ...targets,
      members: kept,
      constants: Array.from(constants, ([name, text]) => ({ targets: targetsOf(name), text })),
      wholeLine: wholeLine === undefined ? undefined : targetsOf(wholeLine.name),
      wholeLineFrom: wholeLine?.from ?? 0,
      staysOpen: template.staysOpen === true,
      mayContinue: template.mayContinue === true,
      origin: template.origin ?? '',
    })
    this.words[(this.#templatesAt >> 2) + this.templates.length] = at
    this.#writeCount()
    this.#template = this.templates.length - 1
  }

  #memberWords({ literal, digits, syntax }: TemplateMember, flags: number, needles: number): number[] {
    const words = Array<number>(layout.Member.BYTES / 4).fill(0)
    words[layout.Member.LITERAL_AT / 4] = this.#literal(literal, digits)
    words[layout.Member.BLOCKS_AT / 4] = Math.ceil(literal.length / 16)
    words[layout.Member.LENGTH_AT / 4] = literal.length
    words[layout.Member.FLAGS_AT / 4] = flags
    words[layout.Member.NEEDLES_AT / 4] = needles
    const [number, parameter] = this.#syntax(syntax)
    words[layout.Member.SYNTAX_AT / 4] = number
    words[layout.Member.PARAMETER_AT / 4] = parameter
    return words
  }

  #syntax(syntax: ValueSyntax): readonly [number, parameter: number] {
    switch (syntax.kind) {
      case 'json':
        return [layout.Syntax.JSON, 0]
      case 'logfmt':
        return [layout.Syntax.LOGFMT, 0]
      case 'csv':
        return [layout.Syntax.CSV, syntax.separator]
      case 'until':
        return [layout.Syntax.UNTIL, syntax.byte]
      case 'class': {
        const at = this.#take(layout.Syntax.CLASS_BYTES)
        this.bytes.set(syntax.table, at)
        this.words[(at + layout.Syntax.CLASS_MOST_AT) >> 2] = syntax.most
        return [layout.Syntax.CLASS, at]
      }
      case 'digits':
        return [layout.Syntax.DIGITS, syntax.most]
      case 'fixed':
        return [layout.Syntax.FIXED, syntax.before | (syntax.length << 16)]
      case 'again':
        return [layout.Syntax.AGAIN, 0]
      case 'rest':
        return [layout.Syntax.REST, syntax.notNext.charCodeAt(0) | (syntax.notNext.charCodeAt(1) << 8)]
      case 'without':
        return [layout.Syntax.WITHOUT, this.#automaton(syntax.automaton)]
    }
  }

  /** Writes an automaton to the kernel's memory and returns its address. Templates share automata. */
  #automaton(automaton: ByteAutomaton): number {
    const known = this.#automatons.get(automaton)
    if (known !== undefined) return known
    const { columns, rows } = automaton
    const at = this.#take(layout.Automaton.ROWS_AT + rows.byteLength)
    this.bytes.set(columns, at)
    new Uint16Array(this.words.buffer, at + layout.Automaton.ROWS_AT, rows.length).set(rows)
    this.#automatons.set(automaton, at)
    return at
  }

  /** Returns the words that a text value must contain; rows without them are not needed. */
  #wordsIn({ fields, level, levels, levelCopy }: Placement, index: number): readonly string[] {
    const words = index === -1 ? [] : (this.#options.words?.get(fields[index]) ?? [])
    if (index === levelCopy) return []
    // A level written in digits may be stored under a name.
    return index === level && levels !== undefined ? [] : words
  }

  #take(bytes: number): number {
    const at = this.#free
    this.#free = (at + bytes + 15) & ~15
    return at
  }

  #put(words: readonly number[]): number {
    const at = this.#take(words.length * 4)
    this.words.set(words, at >> 2)
    return at
  }

  #writeCount(): void {
    this.words[this.#templatesAt >> 2] = this.templates.length
  }

  /** Writes a literal in blocks of 16 bytes, each followed by 16 bytes that mask the bits to compare. */
  #literal(literal: Bytes, [digitsFrom, digitsTo]: NonNullable<TemplateMember['digits']> = [0, 0]): number {
    const at = this.#take(Math.ceil(literal.length / 16) * layout.BLOCK_BYTES)
    for (let i = 0; i < literal.length; i++) {
      const address = at + (i >> 4) * layout.BLOCK_BYTES + (i & 15)
      this.bytes[address] = literal[i]
      this.bytes[address + 16] = i >= digitsFrom && i < digitsTo && isDigit(literal[i]) ? 0xf0 : 0xff
    }
    return at
  }

  /** Writes the words that must be found; returns the address of the list, 0 if there are none. */
  #needles(words: readonly string[]): number {
    return words.reduce((next, word) => this.#needle(word, next), 0)
  }

  #needle(text: string, next: number): number {
    const bytes = Bytes.from(text)
    if (bytes.length === 0 || bytes.length > MAX_NEEDLE_BYTES || bytes.some((byte) => byte >= 0x80)) return next
    const bytesAt = this.#take(bytes.length)
    const masksAt = this.#take(bytes.length)
    bytes.forEach((byte, i) => {
      this.bytes[bytesAt + i] = byte
      this.bytes[masksAt + i] = byte >= 97 && byte <= 122 ? 0x20 : 0
    })
    const description = Array<number>(layout.Needle.BYTES / 4).fill(0)
    description[layout.Needle.TEXT_AT / 4] = bytesAt
    description[layout.Needle.MASKS_AT / 4] = masksAt
    description[layout.Needle.LENGTH_AT / 4] = bytes.length
    description[layout.Needle.NEXT_AT / 4] = next
    return this.#put(description)
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

/** Returns the fields that every record of a template has. */
function namesOf({ members, constants, wholeLine }: RecordTemplate): readonly string[] {
  const names = members.flatMap(({ name }) => (name === '' ? [] : [name]))
  return [...names, ...(constants?.keys() ?? []), ...(wholeLine === undefined ? [] : [wholeLine.name])]
}
