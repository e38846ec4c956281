import { Bytes, PAGE_BYTES } from '../../../base/index.ts'
import { KernelMemory, layout } from '../../../kernels/index.ts'
import { placerOf, type Placement, type Placer } from '../../shapes/index.ts'
import { JsonFieldReader } from '../intake/json-fields.ts'
import type { ScanOptions } from '../intake/scan-options.ts'
import { isKept, lineTargets, type LineTargets, type MemberTargets } from '../intake/placed-line.ts'
import { templateOf, type LineTemplate } from './line-template.ts'

/** What lines of a form have in the records: the kept members, in their order. */
export type ScannedTemplate = LineTargets

/** Templates of all forms; more than one can need of it stays free. */
const TEMPLATE_BYTES = 1 << 20
const MAX_DESCRIPTION_BYTES = 128 * 1024
const MAX_NEEDLE_BYTES = 64
const MAX_FAILED_TEMPLATES = 64

/** Where the records of texts of at most `textBytes` begin; the text is at address 0. */
export function recordsAt(textBytes: number): number {
  return textBytes + PAGE_BYTES
}

/** Where they end at most. */
export function recordsEnd(textBytes: number): number {
  return recordsAt(textBytes) + textBytes * 2 + PAGE_BYTES
}

/**
 * Finds where the values of JSON lines are. Lines of a form met before are read by a kernel; others are tried as a new
 * form or left to the general reader.
 */
export class LineScanner {
  /** The text, then from `recordsAt` on the records of the last `scan`. */
  readonly bytes: Bytes
  readonly words: Uint32Array
  readonly textBytes: number
  /** By their numbers. */
  readonly templates: ScannedTemplate[] = []
  readonly #options: ScanOptions
  readonly #placer: Placer
  readonly #kernels: KernelMemory['kernels']
  readonly #reader = new JsonFieldReader()
  readonly #stateAt: number
  readonly #templatesAt: number
  readonly #freeEnd: number
  #free: number
  #template = 0
  #failed = 0

  /** Takes `textBytes` of lines at a time. Throws `RangeError` where the runtime has no memory left. */
  constructor(options: ScanOptions, textBytes: number) {
    this.#options = options
    this.#placer = placerOf(options.placing)
    this.textBytes = textBytes
    this.#stateAt = recordsEnd(textBytes)
    this.#templatesAt = this.#stateAt + layout.SCAN_STATE_BYTES
    this.#free = this.#templatesAt + 4 + layout.MAX_TEMPLATES * 4
    this.#freeEnd = this.#stateAt + TEMPLATE_BYTES
    const { buffer, kernels } = new KernelMemory(this.#freeEnd)
    this.#kernels = kernels
    this.bytes = Bytes.from(buffer)
    this.words = new Uint32Array(buffer)
  }

  /** Memory for text; lines in it end with a line break, the last one too. */
  get text(): Bytes {
    return this.bytes.subarray(0, this.textBytes + 1)
  }

  /** Writes records of the lines in `[from, end)` of the text; gives how far it came and how many words of records there are. */
  scan(from: number, end: number): { readonly position: number; readonly records: number } {
    const firstRecord = recordsAt(this.textBytes)
    const outEnd = firstRecord + this.textBytes * 2
    let out = firstRecord
    let position = from
    let triedAt = -1
    for (;;) {
      if (this.templates.length > 0) {
        this.#kernels.scanLines(position, end, out, outEnd, this.#templatesAt, this.#template, this.#stateAt)
        position = this.#state(layout.SCAN_POSITION_AT)
        out = this.#state(layout.SCAN_OUT_AT)
        this.#template = this.#state(layout.SCAN_TEMPLATE_AT)
        if (this.#state(layout.SCAN_STOP_AT) !== layout.STOP_UNKNOWN) break
      } else if (position >= end || out > outEnd) break
      const lineEnd = this.bytes.indexOf(10, position)
      if (triedAt === position) this.#forgetTemplate()
      else if (this.#learn(position, lineEnd)) {
        triedAt = position
        continue
      }
      this.words[out >> 2] = (position | (layout.RECORD_GENERAL << layout.TEMPLATE_SHIFT)) >>> 0
      this.words[(out >> 2) + 1] = lineEnd
      out += 8
      position = lineEnd + 1
    }
    return { position, records: (out - firstRecord) >> 2 }
  }

  #state(at: number): number {
    return this.words[(this.#stateAt + at) >> 2]
  }

  #learn(start: number, end: number): boolean {
    if (this.templates.length >= layout.MAX_TEMPLATES || this.#failed > MAX_FAILED_TEMPLATES) return false
    if (this.#free > this.#freeEnd - MAX_DESCRIPTION_BYTES) return false
    const isFlat = this.#reader.read(this.bytes, start, end) && this.#reader.count > 0
    const template = isFlat ? templateOf(this.bytes, start, end) : undefined
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
    this.#writeCount()
    this.#template = 0
  }

  #add({ names, literals }: LineTemplate, targets: LineTargets, placement: Placement): void {
    const kept: MemberTargets[] = []
    const description: number[] = [names.length]
    literals.forEach((literal, i) => {
      const words = Array<number>(layout.MEMBER_BYTES / 4).fill(0)
      words[layout.MEMBER_LITERAL_AT / 4] = this.#literal(literal)
      words[layout.MEMBER_BLOCKS_AT / 4] = Math.ceil(literal.length / 16)
      words[layout.MEMBER_LENGTH_AT / 4] = literal.length
      if (i < names.length) {
        const member = targets.members[i]
        if (isKept(member)) kept.push(member)
        words[layout.MEMBER_IS_KEPT_AT / 4] = isKept(member) ? 1 : 0
        for (const word of this.#wordsIn(placement, i)) {
          words[layout.MEMBER_NEEDLES_AT / 4] = this.#needle(word, words[layout.MEMBER_NEEDLES_AT / 4])
        }
      }
      description.push(...words)
    })
    const at = this.#put(description)
    this.templates.push({ ...targets, members: kept })
    this.words[(this.#templatesAt >> 2) + this.templates.length] = at
    this.#writeCount()
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

  #put(words: readonly number[]): number {
    const at = this.#take(words.length * 4)
    this.words.set(words, at >> 2)
    return at
  }

  #writeCount(): void {
    this.words[this.#templatesAt >> 2] = this.templates.length
  }

  /** Blocks of 16 bytes, each with its mask behind it. */
  #literal(literal: Bytes): number {
    const at = this.#take(Math.ceil(literal.length / 16) * layout.BLOCK_BYTES)
    for (let i = 0; i < literal.length; i++) {
      const place = at + (i >> 4) * layout.BLOCK_BYTES + (i & 15)
      this.bytes[place] = literal[i]
      this.bytes[place + 16] = 0xff
    }
    return at
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
    const description = Array<number>(layout.NEEDLE_BYTES / 4).fill(0)
    description[layout.NEEDLE_TEXT_AT / 4] = bytesAt
    description[layout.NEEDLE_MASKS_AT / 4] = masksAt
    description[layout.NEEDLE_LENGTH_AT / 4] = bytes.length
    description[layout.NEEDLE_NEXT_AT / 4] = next
    return this.#put(description)
  }
}
