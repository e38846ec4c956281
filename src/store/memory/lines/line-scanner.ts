import { Bytes, SharedWasmKernel } from '../../../base/index.ts'
import { placerOf, type Placement, type Placer } from '../../shapes/index.ts'
import { JsonFieldReader } from '../json-fields.ts'
import type { ScanOptions } from '../scan-options.ts'
import { isKept, lineTargets, type LineTargets, type MemberTargets } from '../placed-line.ts'
import { templateOf, type LineTemplate } from './line-template.ts'
import {
  byteClass,
  MAX_TEMPLATES,
  memberWords,
  needleWords,
  recordKind,
  scanModule,
  stateAt,
  stopped,
  TEMPLATE_SHIFT,
} from './scan-kernel.ts'

/** What lines of a form have in the records: the kept members, in their order. */
export type ScannedTemplate = LineTargets

const PAGE_BYTES = 65_536
const STATE_AT = 256
const TEMPLATES_AT = 512
const DESCRIPTIONS_AT = 1024
const HEAD_BYTES = 1 << 20
const SLACK_BYTES = 4096
/** More than one template can need. */
const MAX_DESCRIPTION_BYTES = 128 * 1024
const MAX_WORD_BYTES = 64
const MAX_FAILED_TEMPLATES = 64

/**
 * Finds where the values of JSON lines are. Lines of a form met before are read by a kernel; others are tried as a new
 * form or left to the general reader. Texts and records lie in memory that threads can share.
 */
export class LineScanner {
  readonly buffer: ArrayBufferLike
  readonly textBytes: number
  /** By their numbers. */
  readonly templates: ScannedTemplate[] = []
  readonly #options: ScanOptions
  readonly #placer: Placer
  readonly #kernel: SharedWasmKernel
  readonly #bytes: Bytes
  readonly #words: Uint32Array
  readonly #reader = new JsonFieldReader()
  readonly #slotBytes: number
  #free = DESCRIPTIONS_AT
  #template = 0
  #failed = 0

  /** Each slot takes `textBytes` of lines. */
  constructor(options: ScanOptions, textBytes: number, slots = 1) {
    this.#options = options
    this.#placer = placerOf(options.placing)
    this.textBytes = textBytes
    this.#slotBytes = slotBytes(textBytes)
    const pages = Math.ceil((HEAD_BYTES + this.#slotBytes * slots) / PAGE_BYTES)
    this.#kernel = new SharedWasmKernel(scanModule(pages), pages)
    this.buffer = this.#kernel.buffer
    this.#bytes = Bytes.from(this.buffer)
    this.#words = new Uint32Array(this.buffer)
    for (const byte of Bytes.from('"\\/bfnrt')) this.#bytes[byte] |= byteClass.escape
    for (const byte of Bytes.from('u')) this.#bytes[byte] |= byteClass.unicode
    for (const byte of Bytes.from('0123456789abcdefABCDEF')) this.#bytes[byte] |= byteClass.hex
  }

  /** Room for text; lines in it end with a line break, the last one too. */
  text(slot: number): Bytes {
    const at = textAt(slot, this.textBytes)
    return this.#bytes.subarray(at, at + this.textBytes + 1)
  }

  /**
   * Writes records of the lines in `[from, end)` of a slot's text; gives how far it came and where the records end.
   * Records point into `buffer`.
   */
  scan(slot: number, from: number, end: number): { readonly position: number; readonly records: number } {
    const base = textAt(slot, this.textBytes)
    const firstRecord = base + this.textBytes + SLACK_BYTES
    const outEnd = firstRecord + this.textBytes * 2
    let out = firstRecord
    let position = base + from
    let triedAt = -1
    const stateWord = STATE_AT / 4
    for (;;) {
      if (this.templates.length > 0) {
        this.#kernel.run(position, base + end, out, outEnd, TEMPLATES_AT, STATE_AT, 0, this.#template)
        position = this.#words[stateWord + stateAt.position]
        out = this.#words[stateWord + stateAt.out]
        this.#template = this.#words[stateWord + stateAt.template]
        if (this.#words[stateWord + stateAt.stop] !== stopped.unknown) break
      } else if (position >= base + end || out > outEnd) break
      const lineEnd = this.#bytes.indexOf(10, position)
      if (triedAt === position) this.#forgetTemplate()
      else if (this.#learn(position, lineEnd)) {
        triedAt = position
        continue
      }
      this.#words[out >> 2] = (position | (recordKind.general << TEMPLATE_SHIFT)) >>> 0
      this.#words[(out >> 2) + 1] = lineEnd
      out += 8
      position = lineEnd + 1
    }
    return { position: position - base, records: (out - firstRecord) >> 2 }
  }

  #learn(start: number, end: number): boolean {
    if (this.templates.length >= MAX_TEMPLATES || this.#failed > MAX_FAILED_TEMPLATES) return false
    if (this.#free > HEAD_BYTES - MAX_DESCRIPTION_BYTES) return false
    const isFlat = this.#reader.read(this.#bytes, start, end) && this.#reader.count > 0
    const template = isFlat ? templateOf(this.#bytes, start, end) : undefined
    if (template === undefined) return false
    const { keptFields, placing } = this.#options
    const placement = this.#placer.of(template.names)
    // What names do not decide alone is the general reader's business.
    const targets = lineTargets(placement, placing, (field) => keptFields === undefined || keptFields.has(field))
    if (targets === undefined) return false
    this.#add(template, targets, placement)
    return true
  }

  /** A line that its own template does not match: there is something in it that the kernel does not read. */
  #forgetTemplate(): void {
    this.#failed++
    this.templates.pop()
    this.#words[TEMPLATES_AT / 4] = this.templates.length
    this.#template = 0
  }

  #add({ names, literals }: LineTemplate, targets: LineTargets, placement: Placement): void {
    const kept: MemberTargets[] = []
    const description: number[] = [names.length]
    literals.forEach((literal, i) => {
      const words = Array<number>(memberWords.count).fill(0)
      words[memberWords.literal] = this.#literal(literal)
      words[memberWords.blocks] = Math.ceil(literal.length / 16)
      words[memberWords.length] = literal.length
      if (i < names.length) {
        const member = targets.members[i]
        if (isKept(member)) kept.push(member)
        words[memberWords.isKept] = isKept(member) ? 1 : 0
        for (const word of this.#wordsIn(placement, i)) {
          words[memberWords.needles] = this.#needle(word, words[memberWords.needles])
        }
      }
      description.push(...words)
    })
    const at = this.#take(description.length * 4)
    this.#words.set(description, at >> 2)
    this.templates.push({ ...targets, members: kept })
    this.#words[TEMPLATES_AT / 4 + this.templates.length] = at
    this.#words[TEMPLATES_AT / 4] = this.templates.length
    this.#template = this.templates.length - 1
  }

  /** What a member must have in it that is a text, for its row to matter. */
  #wordsIn({ fields, level, levels, levelCopy }: Placement, member: number): readonly string[] {
    const words = this.#options.words?.get(fields[member]) ?? []
    if (member === levelCopy) return []
    // Digits in a text may be a level of another name.
    return member === level && levels !== undefined ? [] : words
  }

  #take(bytes: number): number {
    const at = this.#free
    this.#free = (at + bytes + 15) & ~15
    return at
  }

  /** Blocks of 16 bytes, each with its mask behind it. */
  #literal(literal: Bytes): number {
    const at = this.#take(Math.ceil(literal.length / 16) * 32)
    for (let i = 0; i < literal.length; i++) {
      const place = at + (i >> 4) * 32 + (i & 15)
      this.#bytes[place] = literal[i]
      this.#bytes[place + 16] = 0xff
    }
    return at
  }

  #needle(text: string, next: number): number {
    const bytes = Bytes.from(text)
    if (bytes.length === 0 || bytes.length > MAX_WORD_BYTES || bytes.some((byte) => byte >= 0x80)) return next
    const bytesAt = this.#take(bytes.length)
    const masksAt = this.#take(bytes.length)
    bytes.forEach((byte, i) => {
      this.#bytes[bytesAt + i] = byte
      this.#bytes[masksAt + i] = byte >= 97 && byte <= 122 ? 0x20 : 0
    })
    const description = Array<number>(needleWords.count).fill(0)
    description[needleWords.bytes] = bytesAt
    description[needleWords.masks] = masksAt
    description[needleWords.length] = bytes.length
    description[needleWords.probeB] = bytes.length - 1
    description[needleWords.next] = next
    const at = this.#take(description.length * 4)
    this.#words.set(description, at >> 2)
    return at
  }
}

function slotBytes(textBytes: number): number {
  // A record is at most 4 + 8 × 64 bytes, for which there is room behind the place where the kernel stops.
  return textBytes * 3 + SLACK_BYTES * 2
}

/** Where the text of a slot begins in the scanner's memory. */
export function textAt(slot: number, textBytes: number): number {
  return HEAD_BYTES + slot * slotBytes(textBytes)
}

/** Where its records begin. */
export function recordsAt(slot: number, textBytes: number): number {
  return textAt(slot, textBytes) + textBytes + SLACK_BYTES
}
