import { MAX_CACHED } from '../../../base/index.ts'
import { toText, type MutableRow, type Value } from '../../../data/index.ts'
import { MOST_HEX_BYTES, sentKind } from '../../../store/index.ts'
import type { MessageReader } from '../message-reader.ts'
import { otlpType } from '../messages.ts'
import type { SharedFields } from '../sent-records.ts'
import { KINDS, SERVERS, STATUSES, STATUS_CODES, protocolOfName, spanRow } from '../spans.ts'
import { fieldsByTag } from '../sent-fields.ts'
import { RecordRows } from './record-rows.ts'
import type { Group, Key } from './row-writer.ts'

const SPAN = otlpType('Span')
const FIELDS = fieldsByTag(SPAN)
const STATUS_FIELDS = fieldsByTag(otlpType('Status'))

/** The rows of a trace export. */
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
  #lastGroup: Group | undefined
  /** The protocol of the current span, as far as it is known. */
  #protocol: string | undefined
  #groupProtocol: string | undefined
  readonly #protocols = new Map<Key, string | undefined>()
  /** The indexes of status codes' strings in `values`, by status code. */
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
    const { writer, from, to } = this
    this.#protocol = this.#protocolOfGroup(group)
    if (!this.fields(start, end, FIELDS)) return false
    // Reading the span as an object reports what is missing.
    if (this.isZero(from[7]) || !this.#isId(from[1], to[1]) || !this.#isId(from[2], to[2])) return false
    const word = KINDS[this.numberOf(6)] ?? KINDS[0]
    const startHigh = this.word(from[7] + 4)
    const startLow = this.word(from[7])
    const durationNs = this.isZero(from[8])
      ? -1
      : (this.word(from[8] + 4) - startHigh) * 2 ** 32 + (this.word(from[8]) - startLow)
    return (
      writer.addTime(startHigh, startLow) &&
      this.id(this.#traceId, from[1], to[1]) &&
      this.id(this.#spanId, from[2], to[2]) &&
      this.id(this.#parentId, from[4], to[4]) &&
      this.text(this.#name, from[5], to[5]) &&
      this.addWord(this.#kind, word) &&
      this.#addStatus(from[15], to[15]) &&
      (durationNs < 0 || writer.addNumber(this.#duration, durationNs / 1e9)) &&
      this.#addCode(group) &&
      this.#addProtocol(this.#protocol, group) &&
      this.#addPeers(word, group)
    )
  }

  /** Adds an attribute. The first attribute whose name implies a protocol determines the span's protocol. */
  protected override attribute(tagAt: number, start: number, end: number): boolean {
    if (!super.attribute(tagAt, start, end)) return false
    const { last } = this.writer
    if (last !== undefined) this.#protocol ??= this.#protocolOf(last)
    return true
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

  #addStatus(start: number, end: number): boolean {
    if (!this.fields(start, end, STATUS_FIELDS)) return false
    const { from, to } = this
    return (
      this.addWord(this.#status, STATUSES[this.numberOf(3)] ?? STATUSES[0]) &&
      (from[2] === to[2] || this.text(this.#message, from[2], to[2]))
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
      // The object reader converts other values to strings.
      if (value !== undefined && typeof value !== 'string') return false
      return (
        writer.copy(this.#spanType, this.#rpcSystem, group) && writer.copy(this.#protocolType, this.#rpcSystem, group)
      )
    }
    const word = protocol ?? 'internal'
    return this.addWord(this.#spanType, word) && this.addWord(this.#protocolType, word)
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
