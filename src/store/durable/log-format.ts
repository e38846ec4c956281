import { PAGE_BYTES } from '../../base/index.ts'
import { crc32 } from '../../system/index.ts'

/*
 * A log is a header and records:
 *
 *   header   magic 8 · version 4 · id of the folder 16 · generation 4 · last id 8 · end 8 · last checksum 4 · id before the first
 *            record 8 · checksum 4                                                            64 bytes
 *   record   magic 4 · body bytes 4 · id 8 · checksum of the record before 4 · checksum 4 · body
 *
 * Its head is a file of two slots, written in turn, each a page of its own, so that a torn write leaves the other whole:
 *
 *   slot     magic 8 · version 4 · id of the folder 16 · sequence 8 · last id 8 · end 8 · last checksum 4 · generation 4 · zeros
 *            · checksum 4
 *
 * A log that took the place of another has the next generation, and its header says where it ended then: that holds until the
 * head is of the same generation.
 *
 * Checksums are CRC-32 over everything before them and, in a record, the body. Numbers are little-endian. Every byte is covered.
 */

/** Says whose the folder is and which files it must have, so that a removed file is told from a first start. */
export const MARKER_FILE = 'sluice.json'
/** Held while a process writes to the folder; always empty. */
export const LOCK_FILE = 'lock'

export const FORMAT_VERSION = 1
export const HEADER_BYTES = 64
export const RECORD_HEAD_BYTES = 24
export const SLOT_BYTES = PAGE_BYTES
export const HEAD_BYTES = 2 * SLOT_BYTES
export const FOLDER_ID_BYTES = 16

const LOG_MAGIC = Buffer.from('SLUICELG')
const HEAD_MAGIC = Buffer.from('SLUICEHD')
/** Begins every record, so that those behind a damaged one are found again. */
export const RECORD_MAGIC = Buffer.from('SLR1')

/** Where a log ends: everything up to here was acknowledged or is whole. */
export interface LogEnd {
  /** Id of the last record that it ever had; 0 when there was none. */
  readonly lastId: number
  /** The length of the log up to there. */
  readonly endBytes: number
  /** Checksum of the last record; 0 when there is none. */
  readonly checksum: number
}

export interface HeadSlot extends LogEnd {
  /** Of the log that it is about. */
  readonly generation: number
  /** One more with every write; the greater of two holds. */
  readonly sequence: number
}

export interface LogHeader {
  /** One more than that of the log whose place it took; 0 for the first. */
  readonly generation: number
  /** Where the log ended when it took that place. */
  readonly base: LogEnd
  /** Its records count from one more: those up to here have left the log. */
  readonly startId: number
}

/** A log without records, or what is before the first one. */
export function logStart(startId: number): LogEnd {
  return { lastId: startId, endBytes: HEADER_BYTES, checksum: 0 }
}

export const emptyLog: LogEnd = logStart(0)

/** `version` is that of a later release; `undefined` is everything that is not a header or a slot of this folder. */
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

/** The id of the folder in a header or a slot that matches its checksum, whichever folder that is. */
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

/** What stands before a body. */
export interface RecordHead {
  readonly id: number
  readonly bodyBytes: number
  /** Checksum of the record before: a record that was left out or moved is found. */
  readonly before: number
  readonly checksum: number
}

/** The head of a record whose body is these pieces one after the other. */
export function encodeRecordHead(id: number, before: number, body: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(RECORD_HEAD_BYTES)
  head.set(RECORD_MAGIC)
  head.writeUInt32LE(
    body.reduce((bytes, piece) => bytes + piece.length, 0),
    4,
  )
  head.writeBigUInt64LE(BigInt(id), 8)
  head.writeUInt32LE(before, 16)
  head.writeUInt32LE(checksumOf(head, body), 20)
  return head
}

/** `undefined` for bytes that are not the head of a record. */
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
  return body.reduce<number>((sum, piece) => crc32(piece, sum), crc32(head.subarray(0, 20)))
}
