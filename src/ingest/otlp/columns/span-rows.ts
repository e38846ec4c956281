import { MAX_CACHED } from '../../../base/index.ts'
import { toText, type MutableRow, type Value } from '../../../data/index.ts'
import { MOST_HEX_BYTES, sentKind } from '../../../store/index.ts'
import type { MessageReader } from '../message-reader.ts'
import { otlpType } from '../messages.ts'
import type { SharedFields } from '../sent-records.ts'
import { KINDS, SERVERS, STATUSES, STATUS_CODES, protocolOfName, spanRow } from '../spans.ts'
import { RecordRows } from './record-rows.ts'
import type { Group, Key } from './row-writer.ts'

const SPAN = otlpType('Span')

/** Rows of an export of traces. */
export class SpanRows extends RecordRows {
  readonly #traceId = this.writer.key('trace_id')
  readonly #spanId = this.writer.key('span_id')
  readonly #parentId = this.writer.key('parent_span_id')
  readonly #name = this.writer.key('span_name')
  readonly #kind = this.writer.key('kind')
  readonly #status = this.writer.key('status')
  readonly #message = this.writer.key('status_message')
  readonly #duration = this.writer.key('duration_seconds')
  readonly #statusCode = this.writer.key('status_code')
  readonly #spanType = this.writer.key('span_type')
  readonly #protocolType = this.writer.key('protocol_type')
  readonly #server = this.writer.key('server')
  readonly #serverNamespace = this.writer.key('server_namespace')
  readonly #client = this.writer.key('client')
  readonly #clientNamespace = this.writer.key('client_namespace')
  readonly #workload = this.writer.key('workload')
  readonly #namespace = this.writer.key('namespace')
  readonly #rpcSystem = this.writer.key('rpc.system')
  readonly #codes = STATUS_CODES.map((name) => this.writer.key(name))
  readonly #servers = SERVERS.map((name) => this.writer.key(name))
  /** Where words lie in the side memory, by the word. */
  readonly #words = new Map<string, number>()
  #lastGroup: Group | undefined
  #groupProtocol: string | undefined
  readonly #protocols = new Map<Key, string | undefined>()
  /** Places of texts of status codes among the values, by the number. */
  readonly #codeTexts = new Map<number, number>()

  protected override objectOf(
    reader: MessageReader,
    start: number,
    end: number,
    shared: SharedFields,
  ): MutableRow | string {
    return spanRow(reader.read(SPAN, start, end), shared)
  }

  protected override write(start: number, end: number, group: Group): boolean {
    const { bytes, writer } = this
    let [startHigh, startLow, endHigh, endLow] = [0, 0, 0, 0]
    let kind = 0
    // Of texts, ids and messages: where they begin and end, 0 and 0 where there are none.
    let [traceStart, traceEnd, spanStart, spanEnd, parentStart, parentEnd] = [0, 0, 0, 0, 0, 0]
    let [nameStart, nameEnd, statusStart, statusEnd] = [0, 0, 0, 0]
    let protocol = this.#protocolOfGroup(group)
    let at = start
    while (at < end) {
      const tag = bytes[at++]
      if ((tag & 7) === 2) {
        this.at = at
        const length = this.length()
        const from = this.at
        const to = from + length
        if (!(to <= end)) return false
        if (tag === 0x4a) {
          if (!this.attribute(from, to)) return false
          if (protocol === undefined && writer.last !== undefined) protocol = this.#protocolOf(writer.last)
        } else if (tag === 0x0a) [traceStart, traceEnd] = [from, to]
        else if (tag === 0x12) [spanStart, spanEnd] = [from, to]
        else if (tag === 0x22) [parentStart, parentEnd] = [from, to]
        else if (tag === 0x2a) [nameStart, nameEnd] = [from, to]
        else if (tag === 0x7a) [statusStart, statusEnd] = [from, to]
        // Its state, its events and its links.
        else if ((tag !== 0x1a && tag !== 0x5a && tag !== 0x6a) || !this.unread()) return false
        at = to
      } else if (tag === 0x39 || tag === 0x41) {
        if (at + 8 > end) return false
        if (tag === 0x39) [startLow, startHigh] = [this.word(at), this.word(at + 4)]
        else [endLow, endHigh] = [this.word(at), this.word(at + 4)]
        at += 8
      } else if (tag === 0x30) {
        kind = bytes[at++]
        if (kind >= 0x80) return false
      } else if (tag === 0x50 || tag === 0x60 || tag === 0x70) {
        if (bytes[at++] >= 0x80 || !this.unread()) return false
      } else if (tag === 0x85 && bytes[at] === 0x01) {
        at += 5
        if (!this.unread()) return false
      } else return false
    }
    if (at !== end || startHigh >= 2 ** 31 || (startHigh === 0 && startLow === 0)) return false
    // The object says what is missing.
    if (!this.#isId(traceStart, traceEnd) || !this.#isId(spanStart, spanEnd)) return false
    const word = KINDS[kind] ?? KINDS[0]
    const added =
      writer.addTime(startHigh, startLow) &&
      this.id(this.#traceId, traceStart, traceEnd) &&
      this.id(this.#spanId, spanStart, spanEnd) &&
      this.id(this.#parentId, parentStart, parentEnd) &&
      this.text(this.#name, nameStart, nameEnd) &&
      this.#addWord(this.#kind, word) &&
      this.#addStatus(statusStart, statusEnd)
    if (!added) return false
    const isEnded =
      (endHigh !== 0 || endLow !== 0) && (endHigh > startHigh || (endHigh === startHigh && endLow >= startLow))
    const durationNs = (endHigh - startHigh) * 2 ** 32 + (endLow - startLow)
    return (
      (!isEnded || writer.addNumber(this.#duration, durationNs / 1e9)) &&
      this.#addCode(group) &&
      this.#addProtocol(protocol, group) &&
      this.#addPeers(word, group)
    )
  }

  #isId(start: number, end: number): boolean {
    if (end - start > MOST_HEX_BYTES) return false
    for (let i = start; i < end; i++) if (this.bytes[i] !== 0) return true
    return false
  }

  #protocolOfGroup(group: Group): string | undefined {
    if (this.#lastGroup !== group) {
      this.#lastGroup = group
      this.#groupProtocol = undefined
      for (const name of group.names) this.#groupProtocol ??= protocolOfName(name)
    }
    return this.#groupProtocol
  }

  #protocolOf(key: Key): string | undefined {
    if (!this.#protocols.has(key)) this.#protocols.set(key, protocolOfName(key.name))
    return this.#protocols.get(key)
  }

  /** ASCII, of which there are few. */
  #addWord(key: Key, word: string): boolean {
    let at = this.#words.get(word)
    if (at === undefined) {
      at = this.writer.addSide(word)
      this.#words.set(word, at)
    }
    return this.writer.add(key, sentKind.side, at, at + word.length)
  }

  #addStatus(start: number, end: number): boolean {
    const { bytes } = this
    let code = 0
    let [messageStart, messageEnd] = [0, 0]
    let at = start
    while (at < end) {
      const tag = bytes[at++]
      if (tag === 0x12) {
        this.at = at
        const length = this.length()
        messageStart = this.at
        messageEnd = at = this.at + length
        if (!(at <= end)) return false
      } else if (tag === 0x18) {
        code = bytes[at++]
        if (code >= 0x80) return false
      } else return false
    }
    return (
      at === end &&
      this.#addWord(this.#status, STATUSES[code] ?? STATUSES[0]) &&
      (messageStart === messageEnd || this.text(this.#message, messageStart, messageEnd))
    )
  }

  #addCode(group: Group): boolean {
    const { writer } = this
    for (const key of this.#codes) {
      if (!writer.has(key, group)) continue
      const value = writer.valueOf(key, group)
      if (value === undefined || typeof value === 'string') return writer.copy(this.#statusCode, key, group)
      if (typeof value !== 'number') return writer.addValue(this.#statusCode, toText(value))
      let place = this.#codeTexts.get(value)
      if (place === undefined) {
        place = writer.values.push(toText(value)) - 1
        if (this.#codeTexts.size < MAX_CACHED) this.#codeTexts.set(value, place)
      }
      return writer.add(this.#statusCode, sentKind.value, place, 0)
    }
    return true
  }

  #addProtocol(protocol: string | undefined, group: Group): boolean {
    const { writer } = this
    if (protocol === 'rpc' && writer.has(this.#rpcSystem, group)) {
      const value: Value | undefined = writer.valueOf(this.#rpcSystem, group)
      // Other values are texts there.
      if (value !== undefined && typeof value !== 'string') return false
      return (
        writer.copy(this.#spanType, this.#rpcSystem, group) && writer.copy(this.#protocolType, this.#rpcSystem, group)
      )
    }
    const word = protocol ?? 'internal'
    return this.#addWord(this.#spanType, word) && this.#addWord(this.#protocolType, word)
  }

  #addPeers(kind: string, group: Group): boolean {
    const isServer = kind === 'server' || kind === 'consumer'
    if (!isServer && kind !== 'client' && kind !== 'producer') return true
    const { writer } = this
    const set = (target: Key, source: Key): boolean =>
      writer.has(target, group) || !writer.has(source, group) || writer.copy(target, source, group)
    if (isServer) return set(this.#server, this.#workload) && set(this.#serverNamespace, this.#namespace)
    const server = this.#servers.find((key) => writer.has(key, group))
    return (
      set(this.#client, this.#workload) &&
      set(this.#clientNamespace, this.#namespace) &&
      (server === undefined || set(this.#server, server))
    )
  }
}
