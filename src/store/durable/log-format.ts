import { PAGE_BYTES } from '../../base/index.ts'
import { crc32 } from '../../system/index.ts'

/*
 * A log is a header and records. Each field has its length in bytes.
 *
 * - header: magic 8 · version 4 · folder id 16 · generation 4 · last id 8 · end 8 · last checksum 4 · id before the
 *   first record 8 · checksum 4 (64 bytes)
 * - record: magic 4 · body bytes 4 · id 8 · checksum of the previous record 4 · checksum 4 · body
 *
 * The head of a log is a separate file with two slots. Writes alternate between the slots. Each slot has a page of its
 * own, so a torn write leaves the other slot whole.
 *
 * - slot: magic 8 · version 4 · folder id 16 · sequence 8 · last id 8 · end 8 · last checksum 4 · generation 4 · zeros
 *   · checksum 4
 *
 * A log that replaces another one has the next generation, and its header states the end of the new log at that time.
 * This end is valid until the head has the same generation.
 *
 * A checksum is the CRC-32 of everything before it in the same header, slot or record; that of a record also covers the
 * body. Numbers are little-endian. Every byte is covered.
 */

/** The marker file. It has the folder's id and lists the files that must exist, so that a missing file is detected. */
export const MARKER_FILE = 'sluice.json'
/** The lock file, always empty. A process that writes to the folder holds a lock on it. */
export const LOCK_FILE = 'lock'

export const FORMAT_VERSION = 1
export const HEADER_BYTES = 64
export const RECORD_HEAD_BYTES = 24
export const SLOT_BYTES = PAGE_BYTES
export const HEAD_BYTES = 2 * SLOT_BYTES
export const FOLDER_ID_BYTES = 16

const LOG_MAGIC = Buffer.from('SLUICELG')
const HEAD_MAGIC = Buffer.from('SLUICEHD')
/** The first bytes of every record. A repair searches for them to find the records after a damaged one. */
export const RECORD_MAGIC = Buffer.from('SLR1')

/** A position in a log up to which its records are acknowledged or undamaged. */
export interface LogEnd {
  /** The id of the last record before this position, even if the record was removed; 0 if there was none. */
  readonly lastId: number
  /** The position, in bytes from the start of the file. */
  readonly endBytes: number
  /** The checksum of the last record before this position; 0 if there is none. */
  readonly checksum: number
}

export interface HeadSlot extends LogEnd {
  /** The generation of the log that this head describes. */
  readonly generation: number
  /** Incremented by every write. The slot with the greater number is current. */
  readonly sequence: number
}

export interface LogHeader {
  /** The generation of this log: one more than that of the log it replaced; 0 for the first log. */
  readonly generation: number
  /** The end of this log when it replaced the previous one. */
  readonly base: LogEnd
  /** Id of the record before the first one. Records up to this id have been removed from the log. */
  readonly startId: number
}

/** Returns the end of an empty log, which is also the position before the first record of any log. */
export function logStart(startId: number): LogEnd {
  return { lastId: startId, endBytes: HEADER_BYTES, checksum: 0 }
}

export const emptyLog: LogEnd = logStart(0)

/**
 * A decoded value; or only a `version`, if a later release wrote the bytes; or `undefined`, if the bytes are not a
 * valid header or slot of this folder.
 */
export type Read<T> = T | { readonly version: number } | undefined

function begin(bytes: number, magic: Buffer, folderId: Uint8Array): Buffer {
  const block = Buffer.alloc(bytes)
  block.set(magic)
  block.writeUInt32LE(FORMAT_VERSION, 8)
  block.set(folderId, 12)
  return block
}

function seal(block: Buffer): Buffer {
  block.writeUInt32LE(crc32(block.subarray(0, -4)), block.length - 4)
  return block
}

function check(block: Buffer, magic: Buffer, folderId: Uint8Array): Read<Buffer> {
  if (!block.subarray(0, 8).equals(magic) || crc32(block.subarray(0, -4)) !== block.readUInt32LE(block.length - 4))
    return undefined
  const version = block.readUInt32LE(8)
  if (version > FORMAT_VERSION) return { version }
  return block.subarray(12, 12 + FOLDER_ID_BYTES).equals(folderId) ? block : undefined
}

/** Returns the folder id of a header or slot whose checksum matches; the id may be that of another folder. */
export function folderIdIn(block: Buffer): Buffer | undefined {
  const id = block.subarray(12, 12 + FOLDER_ID_BYTES)
  return [LOG_MAGIC, HEAD_MAGIC].some((magic) => Buffer.isBuffer(check(block, magic, id))) ? id : undefined
}

export function encodeHeader(folderId: Uint8Array, { generation, base, startId }: LogHeader): Buffer {
  const block = begin(HEADER_BYTES, LOG_MAGIC, folderId)
  block.writeUInt32LE(generation, 28)
  block.writeBigUInt64LE(BigInt(base.lastId), 32)
  block.writeBigUInt64LE(BigInt(base.endBytes), 40)
  block.writeUInt32LE(base.checksum, 48)
  block.writeBigUInt64LE(BigInt(startId), 52)
  return seal(block)
}

export function decodeHeader(block: Buffer, folderId: Uint8Array): Read<LogHeader> {
  const checked = block.length < HEADER_BYTES ? undefined : check(block, LOG_MAGIC, folderId)
  if (checked === undefined || 'version' in checked) return checked
  return {
    generation: block.readUInt32LE(28),
    base: {
      lastId: Number(block.readBigUInt64LE(32)),
      endBytes: Number(block.readBigUInt64LE(40)),
      checksum: block.readUInt32LE(48),
    },
    startId: Number(block.readBigUInt64LE(52)),
  }
}

export function encodeSlot(folderId: Uint8Array, slot: HeadSlot): Buffer {
  const block = begin(SLOT_BYTES, HEAD_MAGIC, folderId)
  block.writeBigUInt64LE(BigInt(slot.sequence), 28)
  block.writeBigUInt64LE(BigInt(slot.lastId), 36)
  block.writeBigUInt64LE(BigInt(slot.endBytes), 44)
  block.writeUInt32LE(slot.checksum, 52)
  block.writeUInt32LE(slot.generation, 56)
  return seal(block)
}

export function decodeSlot(block: Buffer, folderId: Uint8Array): Read<HeadSlot> {
  const checked = check(block, HEAD_MAGIC, folderId)
  if (checked === undefined || 'version' in checked) return checked
  return {
    sequence: Number(block.readBigUInt64LE(28)),
    lastId: Number(block.readBigUInt64LE(36)),
    endBytes: Number(block.readBigUInt64LE(44)),
    checksum: block.readUInt32LE(52),
    generation: block.readUInt32LE(56),
  }
}

/** The fields before the body of a record. */
export interface RecordHead {
  readonly id: number
  readonly bodyBytes: number
  /** The checksum of the previous record, which makes a missing or moved record detectable. */
  readonly before: number
  readonly checksum: number
}

/** Encodes the head of a record whose body is the concatenation of `body`. */
export function encodeRecordHead(id: number, before: number, body: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(RECORD_HEAD_BYTES)
  head.set(RECORD_MAGIC)
  head.writeUInt32LE(
    body.reduce((bytes, chunk) => bytes + chunk.length, 0),
    4,
  )
  head.writeBigUInt64LE(BigInt(id), 8)
  head.writeUInt32LE(before, 16)
  head.writeUInt32LE(checksumOf(head, body), 20)
  return head
}

/** Decodes the head of a record; returns `undefined` if the bytes are no record head. */
export function decodeRecordHead(head: Buffer): RecordHead | undefined {
  if (head.length < RECORD_HEAD_BYTES || !head.subarray(0, 4).equals(RECORD_MAGIC)) return undefined
  return {
    bodyBytes: head.readUInt32LE(4),
    id: Number(head.readBigUInt64LE(8)),
    before: head.readUInt32LE(16),
    checksum: head.readUInt32LE(20),
  }
}

export function checksumOf(head: Buffer, body: readonly Uint8Array[]): number {
  return body.reduce<number>((sum, chunk) => crc32(chunk, sum), crc32(head.subarray(0, 20)))
}
