import type protobuf from 'protobufjs'
import { MAX_CACHED, cached } from '../../../base/index.ts'
import { toText, utf8, type JsonText, type MutableRow, type Value } from '../../../data/index.ts'
import { MOST_HEX_BYTES, sentKind } from '../../../store/index.ts'
import type { MessageReader } from '../message-reader.ts'
import { otlpType } from '../messages.ts'
import type { SharedFields } from '../sent-records.ts'
import { SERVERS, STATUS_CODES, protocolOfName, spanRow } from '../spans.ts'
import { isAttributeField } from '../stored/fields.ts'
import { KINDS, STATUSES } from '../stored/read.ts'
import { eventJson, jsonField, linkJson, sharedSpanFields } from '../stored/write.ts'
import { fieldsByTag } from '../sent-fields.ts'
import { MAX_COLUMN_FIELDS, MAX_LISTED_BYTES } from '../../tuning.ts'
import { RecordRows } from './record-rows.ts'
import type { SentRowGroup, Key } from './row-writer.ts'

const SPAN = otlpType('Span')
const FIELDS = fieldsByTag(SPAN)
const STATUS_FIELDS = fieldsByTag(otlpType('Status'))
const EVENT = otlpType('Event')
const LINK = otlpType('Link')
const EVENTS = SPAN.fields['events'].id

/**
 * Durations below this, ns, can be restored from a double of seconds, since the two roundings together change them by
 * less than half a ns.
 */
const MAX_EXACT_DURATION_NS = 2 ** 50

/** Protobuf tags of the members of an attribute's value. */
const STRING_TAG = 0x0a
const DOUBLE_TAG = 0x21

interface AttributeFacts {
  /** True if the attribute is completely represented by its field. */
  readonly isField: boolean
  readonly protocol: string | undefined
}

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
  readonly #otlp = this.writer.key('otlp')
  readonly #eventsKey = this.writer.key('events')
  readonly #linksKey = this.writer.key('links')
  /** Byte ranges of the events and links of the current span, as pairs of offsets. */
  readonly #events: number[] = []
  readonly #links: number[] = []
  #listedBytes = 0
  /** Names of the current span's attributes that are doubles with whole values. */
  readonly #doubles: string[] = []
  /** Cached values of the field `otlp`, by the names of whole-number doubles in it. */
  readonly #otlpTexts = new Map<string, JsonText>()
  #lastGroup: SentRowGroup | undefined
  /** Protocol of the current span, if an attribute has determined it. */
  #protocol: string | undefined
  #groupProtocol: string | undefined
  /** Cached properties of attributes, by key. */
  readonly #facts = new Map<Key, AttributeFacts>()
  /** The indexes of status codes' strings in `values`, by status code. */
  readonly #codeTexts = new Map<number, number>()

  protected override sharedRow(shared: SharedFields): MutableRow {
    return sharedSpanFields(shared).row
  }

  protected override objectOf(
    reader: MessageReader,
    start: number,
    end: number,
    shared: SharedFields,
  ): MutableRow | string {
    return spanRow(reader.read(SPAN, start, end), shared)
  }

  protected override write(start: number, end: number, group: SentRowGroup): boolean {
    const { writer, from, to } = this
    this.#protocol = this.#protocolOfGroup(group)
    this.#doubles.length = 0
    this.#events.length = 0
    this.#links.length = 0
    this.#listedBytes = 0
    if (!this.fields(start, end, FIELDS)) return false
    // The object reader reports the missing member.
    if (this.isZero(from[7]) || !this.#isId(from[1], to[1]) || !this.#isId(from[2], to[2])) return false
    const word = KINDS[this.numberOf(6)] ?? KINDS[0]
    const traceState = utf8(this.bytes, from[3], to[3])
    const startHigh = this.word(from[7] + 4)
    const startLow = this.word(from[7])
    const durationNs = this.isZero(from[8])
      ? -1
      : (this.word(from[8] + 4) - startHigh) * 2 ** 32 + (this.word(from[8]) - startLow)
    return (
      durationNs < MAX_EXACT_DURATION_NS &&
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
      this.#addPeers(word, group) &&
      this.#addOtlp(traceState) &&
      this.#addList(this.#linksKey, this.#links, LINK, linkJson) &&
      this.#addList(this.#eventsKey, this.#events, EVENT, eventJson)
    )
  }

  /** Adds an attribute. The first attribute whose name implies a protocol determines the span's protocol. */
  protected override value(key: Key, start: number, end: number): boolean {
    const { isField, protocol } = this.#factsOf(key)
    // An empty value leaves no field.
    if (!isField || (end - start < 3 && this.bytes[start] === STRING_TAG)) return false
    if (start === end || !super.value(key, start, end)) return false
    if (this.bytes[start] === DOUBLE_TAG && !this.#addDouble(key, this.view.getFloat64(start + 1, true))) return false
    this.#protocol ??= protocol
    return true
  }

  /**
   * Records the name of an attribute that is a whole-number double, because its field looks like an integer. Returns
   * false for negative zero.
   */
  #addDouble(key: Key, value: number): boolean {
    if (Object.is(value, -0)) return false
    if (Number.isInteger(value)) this.#doubles.push(key.name)
    return true
  }

  #addOtlp(traceState: string): boolean {
    const doubles = this.#doubles
    if (traceState !== '')
      return this.writer.addValue(
        this.#otlp,
        jsonField(doubles.length === 0 ? { traceState } : { doubles, traceState }),
      )
    if (doubles.length === 0) return true
    const text = cached(this.#otlpTexts, doubles.join('\u0000'), () => jsonField({ doubles }))
    return this.writer.addValue(this.#otlp, text)
  }

  /** Records the byte range of an event or a link. Returns false if there are too many, or if they are too large. */
  protected override listed(field: number, start: number, end: number): boolean {
    const ranges = field === EVENTS ? this.#events : this.#links
    ranges.push(start, end)
    this.#listedBytes += end - start
    return this.#listedBytes <= MAX_LISTED_BYTES && ranges.length <= MAX_COLUMN_FIELDS
  }

  #addList(key: Key, ranges: readonly number[], type: protobuf.Type, jsonOf: (message: object) => object): boolean {
    if (ranges.length === 0) return true
    const list: object[] = []
    for (let i = 0; i < ranges.length; i += 2) list.push(jsonOf(this.message(type, ranges[i], ranges[i + 1])))
    return this.writer.addValue(key, jsonField(list))
  }

  #isId(start: number, end: number): boolean {
    if (end - start > MOST_HEX_BYTES) return false
    for (let i = start; i < end; i++) if (this.bytes[i] !== 0) return true
    return false
  }

  #protocolOfGroup(group: SentRowGroup): string | undefined {
    if (this.#lastGroup !== group) {
      this.#lastGroup = group
      this.#groupProtocol = undefined
      for (const name of group.names) this.#groupProtocol ??= protocolOfName(name)
    }
    return this.#groupProtocol
  }

  #factsOf(key: Key): AttributeFacts {
    let facts = this.#facts.get(key)
    if (facts === undefined) {
      facts = { isField: isAttributeField(key.name), protocol: protocolOfName(key.name) }
      this.#facts.set(key, facts)
    }
    return facts
  }

  #addStatus(start: number, end: number): boolean {
    if (!this.fields(start, end, STATUS_FIELDS)) return false
    const { from, to } = this
    return (
      this.addWord(this.#status, STATUSES[this.numberOf(3)] ?? STATUSES[0]) &&
      (from[2] === to[2] || this.text(this.#message, from[2], to[2]))
    )
  }

  #addCode(group: SentRowGroup): boolean {
    const { writer } = this
    for (const key of this.#codes) {
      if (!writer.has(key, group)) continue
      const value = writer.valueOf(key, group)
      if (value === undefined || typeof value === 'string') return writer.copy(this.#statusCode, key, group)
      if (typeof value !== 'number') return writer.addValue(this.#statusCode, toText(value))
      let textIndex = this.#codeTexts.get(value)
      if (textIndex === undefined) {
        textIndex = writer.values.push(toText(value)) - 1
        if (this.#codeTexts.size < MAX_CACHED) this.#codeTexts.set(value, textIndex)
      }
      return writer.add(this.#statusCode, sentKind.value, textIndex, 0)
    }
    return true
  }

  #addProtocol(protocol: string | undefined, group: SentRowGroup): boolean {
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

  #addPeers(kind: string, group: SentRowGroup): boolean {
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
