import { BYTES_PER_CHECKPOINT, SECOND_NS } from '../../base/index.ts'
import { Instant, isJsonObject, type MutableRow, type Value } from '../../data/index.ts'
import { TOO_LONG, addBeside, badItem, recordOf, storable, type BadItem, type Items } from './item.ts'
import { MsgpackFault, MsgpackReader, type Framed } from './msgpack.ts'
import { MAX_ITEM_BYTES } from '../tuning.ts'
import { asBuffer } from '../as-buffer.ts'

/** The type of the extension with a time: seconds and nanoseconds, four bytes each. */
const EVENT_TIME = 0

/** Reads the time of a record: a number of seconds, or the protocol's own form with nanoseconds. */
function readTime(reader: MsgpackReader): Value {
  const extension = reader.extension()
  if (extension === undefined) {
    const value = reader.value()
    return value !== null && typeof value === 'object' ? null : value
  }
  const { type, bytes } = extension
  if (type !== EVENT_TIME || bytes.length !== 8) return bytes.toString('base64')
  return new Instant(BigInt(bytes.readUInt32BE(0)) * SECOND_NS + BigInt(bytes.readUInt32BE(4)))
}

/** Reads the stamp before a record: a time, or a list of a time and metadata of the record. */
function readStamp(reader: MsgpackReader): { readonly time: Value; readonly metadata?: MutableRow } {
  const items = reader.list()
  if (items === -1) return { time: readTime(reader) }
  if (items === 0) return { time: null }
  const time = readTime(reader)
  const said = items > 1 ? reader.value() : undefined
  for (let i = 2; i < items; i++) reader.skip()
  return isJsonObject(said) ? { time, metadata: recordOf(said) } : { time }
}

/**
 * Reads a stamp and the record after it. A `_time` of the record becomes `event._time`. If the record has a `tag`, the
 * tag of the message becomes `forward.tag`.
 */
function readRecord(reader: MsgpackReader, tag: string | undefined): MutableRow | BadItem {
  const { time, metadata } = readStamp(reader)
  const value = reader.value()
  if (!isJsonObject(value)) return badItem('a record that is not a map', '')
  const record = recordOf(value)
  if (record.size === 0) return badItem('an object without a value', '')
  if (time !== null && time !== '') {
    const own = record.get('_time')
    if (own !== undefined) record.set('event._time', own)
    record.set('_time', time)
  }
  for (const [name, said] of metadata ?? []) if (!record.has(`metadata.${name}`)) record.set(`metadata.${name}`, said)
  if (tag !== undefined && tag !== '') addBeside(record, 'tag', tag, 'forward')
  return storable(record, () => '')
}

/** Yields the records of consecutive entries `[stamp, record]`. Reading stops at an invalid entry. */
function* entryItems(bytes: Buffer, tag: string | undefined, count = Infinity): Items {
  const reader = new MsgpackReader(bytes)
  let turn = BYTES_PER_CHECKPOINT
  for (let i = 0; i < count && !reader.isAtEnd; i++) {
    const from = reader.at
    if (from >= turn) {
      turn = from + BYTES_PER_CHECKPOINT
      yield undefined
    }
    try {
      reader.skip()
    } catch (error) {
      if (!(error instanceof MsgpackFault)) throw error
      yield badItem(error.message, '')
      return
    }
    yield entryItem(bytes.subarray(from, reader.at), tag)
  }
}

function entryItem(bytes: Buffer, tag: string | undefined): MutableRow | BadItem {
  if (bytes.length > MAX_ITEM_BYTES) return badItem(TOO_LONG, '')
  const reader = new MsgpackReader(bytes)
  try {
    if (reader.list() !== 2) return badItem('an entry that is not a list of a time and a record', '')
    return readRecord(reader, tag)
  } catch (error) {
    if (error instanceof MsgpackFault) return badItem(error.message, '')
    throw error
  }
}

/** Yields the records of packed entries. Every record gets the tag of the message. */
export function forwardEntries(payload: Uint8Array): Items {
  return entryItems(asBuffer(payload), undefined)
}

/** Yields the records of one message. */
function* messageItems(bytes: Buffer): Items {
  const reader = new MsgpackReader(bytes)
  reader.list()
  const tag = reader.text()
  if (reader.next() === 'list') {
    const count = reader.list()
    return yield* entryItems(bytes.subarray(reader.at), tag, count)
  }
  const packed = reader.payload()
  if (packed !== undefined) return yield* entryItems(bytes.subarray(packed.from, packed.to), tag)
  try {
    yield bytes.length > MAX_ITEM_BYTES ? badItem(TOO_LONG, '') : readRecord(reader, tag)
  } catch (error) {
    if (!(error instanceof MsgpackFault)) throw error
    yield badItem(error.message, '')
  }
}

/** Receives the outcome of a message. When there is a `fault`, nothing of the message was stored. */
export type TellMessage = (fault: string | undefined) => void

/** Yields the records of consecutive messages; `tell` is called for each message in order. */
export function* forwardMessages(payload: Uint8Array, tell: TellMessage): Items {
  const bytes = asBuffer(payload)
  const reader = new MsgpackReader(bytes)
  while (!reader.isAtEnd) {
    const from = reader.at
    reader.skip()
    let hasRecord = false
    let fault: string | undefined
    for (const item of messageItems(bytes.subarray(from, reader.at))) {
      if (item instanceof Map) hasRecord = true
      else if (item !== undefined) fault ??= item.reason
      yield item
    }
    tell(hasRecord ? undefined : fault)
  }
}

/** The data at the head and the end of a message. */
export interface ForwardMessage {
  readonly tag: string
  /** The compressed entries of a message; `undefined` when they are not compressed. */
  readonly packed: { readonly bytes: Buffer; readonly encoding: string } | undefined
  /** The id that the sender expects as an acknowledgement, in its sent form; `undefined` if the sender expects none. */
  readonly chunk: Buffer | undefined
}

const LOGS_SIGNAL = 0

/** Parses the head of a message from a connection. Throws a MsgpackFault when it is not a message of logs. */
export function forwardMessage({ bytes, itemOffsets }: Framed): ForwardMessage {
  const reader = new MsgpackReader(bytes)
  const items = reader.list()
  if (items < 2 || items > 4) throw new MsgpackFault('a message is a list of two to four items')
  const tag = reader.text()
  if (tag === undefined) throw new MsgpackFault('the tag of a message is a text')
  const kind = reader.next()
  const holdsEntries = kind === 'list' || kind === 'text' || kind === 'bytes'
  const optionAt = itemOffsets[holdsEntries ? 2 : 3]
  if (!holdsEntries && items < 3) throw new MsgpackFault('a message without a record')
  const packed = kind === 'list' ? undefined : reader.payload()
  const { chunk, compressed, signal } = optionOf(bytes, optionAt)
  if (signal !== undefined && signal !== LOGS_SIGNAL)
    throw new MsgpackFault('a message of metrics or traces: only logs are taken by this protocol')
  if (compressed === undefined || compressed === 'text' || packed === undefined)
    return { tag, packed: undefined, chunk }
  return { tag, packed: { bytes: bytes.subarray(packed.from, packed.to), encoding: compressed }, chunk }
}

interface Option {
  readonly chunk?: Buffer
  readonly compressed?: string
  readonly signal?: unknown
}

/** Reads the option map after the records. Only some of its members are used. */
function optionOf(bytes: Buffer, at: number | undefined): Option {
  if (at === undefined) return {}
  const reader = new MsgpackReader(bytes, at)
  const count = reader.map()
  let option: Option = {}
  for (let i = 0; i < count; i++) {
    const name = reader.text()
    if (name === undefined) reader.skip()
    const from = reader.at
    if (name === 'compressed' && reader.next() === 'text') option = { ...option, compressed: reader.text() ?? '' }
    else if (name === 'fluent_signal') option = { ...option, signal: reader.value() }
    else reader.skip()
    if (name === 'chunk') option = { ...option, chunk: bytes.subarray(from, reader.at) }
  }
  return option
}
