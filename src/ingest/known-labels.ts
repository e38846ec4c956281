import type protobuf from 'protobufjs'
import { Bytes } from '../base/index.ts'
import { latin1, type Labels } from '../data/index.ts'

/** What is remembered at most: label sets, and bytes or characters of them as they were sent. */
const MAX_SETS = 131_072
const MAX_SENT = 16 * 1024 ** 2

interface KnownBytes {
  readonly bytes: Bytes
  readonly labels: Labels
}

interface KnownRefs {
  readonly texts: readonly string[]
  readonly labels: Labels
}

/** A hash as a small integer. */
function finished(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 2
}

function hashOfBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  return finished(hash)
}

const KNOWN_TEXTS = 4096
const MAX_KNOWN_BYTES = 64

/** Short texts that came lately: a name that comes with every series is one text, whose hash is known, and not a new one each time. */
export class KnownTexts {
  readonly #texts = Array<string>(KNOWN_TEXTS).fill('')

  /** The text that begins here; `bytes` are those of the reader. */
  read(reader: protobuf.Reader, bytes: Bytes): string {
    const from = reader.pos
    const length = reader.uint32()
    const start = reader.pos
    const end = start + length
    if (length > MAX_KNOWN_BYTES || end > reader.len) return textAt(reader, from)
    let hash = length
    let all = 0
    for (let i = start; i < end; i++) {
      const byte = bytes[i] ?? 0
      all |= byte
      hash = Math.imul(hash ^ byte, 0x01000193)
    }
    if (all >= 0x80) return textAt(reader, from)
    reader.pos = end
    const slot = finished(hash) % KNOWN_TEXTS
    const known = this.#texts[slot]
    if (known !== undefined && known.length === length) {
      let i = 0
      while (i < length && known.charCodeAt(i) === bytes[start + i]) i++
      if (i === length) return known
    }
    return (this.#texts[slot] = latin1(bytes, start, end))
  }
}

function textAt(reader: protobuf.Reader, from: number): string {
  reader.pos = from
  return reader.string()
}

/** Of names and values that series refer to by number. */
export class TextTable {
  readonly texts: string[] = []
  readonly #hashes: number[] = []

  add(text: string): void {
    let hash = 0x811c9dc5
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    this.texts.push(text)
    this.#hashes.push(hash)
  }

  /** `undefined` where one of them is not there. */
  hashOf(refs: readonly number[]): number | undefined {
    let hash = refs.length
    for (const ref of refs) {
      const own = this.#hashes[ref]
      if (own === undefined) return undefined
      hash = Math.imul(hash ^ own, 0x01000193)
    }
    return finished(hash)
  }
}

/**
 * Label sets by what senders write of them: the same series come again and again, and finding a set is a fraction of making
 * it and its key. What is asked for is compared whole, so two sets are never taken for each other.
 */
export class KnownLabels {
  readonly #byBytes = new Map<number, KnownBytes>()
  readonly #byTexts = new Map<number, KnownRefs>()
  readonly #maxSets: number
  #sent = 0

  constructor(maxSets = MAX_SETS) {
    this.#maxSets = maxSets
  }

  /** The labels written as `bytes[start, end)`; `make` reads them where they are new. */
  ofBytes(bytes: Bytes, start: number, end: number, make: () => Labels): Labels {
    const hash = hashOfBytes(bytes, start, end)
    const known = this.#byBytes.get(hash)
    if (known !== undefined && known.bytes.length === end - start && known.bytes.compare(bytes, start, end) === 0)
      return known.labels
    const labels = make()
    this.#count(end - start)
    this.#byBytes.set(hash, { bytes: Bytes.from(bytes.subarray(start, end)), labels })
    return labels
  }

  /** The labels whose names and values are these texts in turn; `undefined` where a text or the last value is not there. */
  ofTexts(refs: readonly number[], table: TextTable, make: (texts: readonly string[]) => Labels): Labels | undefined {
    const hash = refs.length % 2 === 0 ? table.hashOf(refs) : undefined
    if (hash === undefined) return undefined
    const { texts } = table
    const known = this.#byTexts.get(hash)
    if (known?.texts.length === refs.length) {
      let i = 0
      while (i < refs.length && known.texts[i] === texts[refs[i] ?? 0]) i++
      if (i === refs.length) return known.labels
    }
    const own = refs.map((ref) => texts[ref] ?? '')
    const labels = make(own)
    this.#count(own.reduce((sum, { length }) => sum + length, 0))
    this.#byTexts.set(hash, { texts: own, labels })
    return labels
  }

  /** Of something that is about to be remembered; all is forgotten where that is too much. */
  #count(sent: number): void {
    this.#sent += sent
    if (this.#byBytes.size + this.#byTexts.size < this.#maxSets && this.#sent <= MAX_SENT) return
    this.#byBytes.clear()
    this.#byTexts.clear()
    this.#sent = sent
  }
}
