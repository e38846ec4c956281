import { BYTES_PER_CHECKPOINT, EQUALS, LINE_FEED, type StepwiseTask } from '../../base/index.ts'
import { JsonText, printJsonExact, toText, type MutableRow, type Value } from '../../data/index.ts'
import { MAX_ROW_FIELDS } from '../../store/index.ts'
import { TOO_LONG, badItem, storable, type Items } from './item.ts'
import { MAX_JOURNAL_NAME_BYTES, MAX_ITEM_BYTES } from '../tuning.ts'
import { asBuffer } from '../as-buffer.ts'

const LENGTH_BYTES = 8

/** An entry of an export: its fields as `[name, from, to]`, and the offset of the next entry. */
interface Entry {
  readonly fields: readonly (readonly [name: string, from: number, to: number])[]
  readonly end: number
}

/** The result of reading an entry; `cut` means that more bytes are needed. */
type Read = Entry | 'cut' | { readonly reason: string }

/**
 * Reads the entry at `start`. A field is `NAME=text`, or its name, eight bytes of length, and that many arbitrary
 * bytes.
 */
function entryAt(bytes: Buffer, start: number): Read {
  const fields: [string, number, number][] = []
  let at = start
  for (;;) {
    const end = bytes.indexOf(LINE_FEED, at)
    if (end === at) return { fields, end: at + 1 }
    const equals = bytes
      .subarray(at, Math.min(end === -1 ? bytes.length : end, at + MAX_JOURNAL_NAME_BYTES + 1))
      .indexOf(EQUALS)
    if (equals === -1 && (end === -1 ? bytes.length : end) - at > MAX_JOURNAL_NAME_BYTES)
      return { reason: `the name of a field is longer than ${MAX_JOURNAL_NAME_BYTES} bytes` }
    if (equals === 0) return { reason: 'the name of a field is empty' }
    if (end === -1) return bytes.length - at > MAX_ITEM_BYTES ? { reason: TOO_LONG } : 'cut'
    if (equals !== -1) {
      fields.push([bytes.toString('latin1', at, at + equals), at + equals + 1, end])
      at = end + 1
    } else {
      const from = end + 1 + LENGTH_BYTES
      if (from > bytes.length) return 'cut'
      const length = bytes.readBigUInt64LE(end + 1)
      const name = bytes.toString('latin1', at, end)
      if (length > MAX_ITEM_BYTES) return { reason: `the field ${name} is ${length} bytes, ${TOO_LONG}` }
      const to = from + Number(length)
      if (to >= bytes.length) return 'cut'
      if (bytes[to] !== LINE_FEED) return { reason: `the field ${name} does not end where its length says` }
      fields.push([name, from, to])
      at = to + 1
    }
    if (fields.length > MAX_ROW_FIELDS) return { reason: `an entry of more than ${MAX_ROW_FIELDS} fields` }
    if (at - start > MAX_ITEM_BYTES) return { reason: TOO_LONG }
  }
}

/**
 * Returns the number of bytes at the beginning that form complete entries; -1 if the bytes do not begin with an entry.
 * The remaining bytes may be the beginning of an entry.
 */
export function* wholeEntries(bytes: Uint8Array): StepwiseTask<number> {
  const all = asBuffer(bytes)
  let turn = 0
  let at = 0
  while (at < all.length) {
    if (at >= turn) {
      turn = at + BYTES_PER_CHECKPOINT
      yield
    }
    const read = entryAt(all, at)
    if (read === 'cut') break
    if ('reason' in read) return at === 0 ? -1 : at
    at = read.end
  }
  return at
}

function recordAt(bytes: Buffer, { fields }: Entry): MutableRow {
  const record: MutableRow = new Map()
  const lists = new Map<string, string[]>()
  for (const [name, from, to] of fields) {
    const value = bytes.toString('utf8', from, to)
    const before: Value | undefined = record.get(name)
    if (before === undefined) record.set(name, value)
    else {
      // A field may occur several times in an entry.
      const list = lists.get(name) ?? [toText(before)]
      list.push(value)
      lists.set(name, list)
    }
  }
  for (const [name, list] of lists) record.set(name, new JsonText(printJsonExact(list)))
  return record
}

/** Yields the entries of a journal in its export format. */
export function* journalEntries(payload: Uint8Array): Items {
  let bytes = asBuffer(payload)
  let turn = BYTES_PER_CHECKPOINT
  let isTail = false
  for (let at = 0; at < bytes.length;) {
    if (at >= turn) {
      turn = at + BYTES_PER_CHECKPOINT
      yield undefined
    }
    const entry = entryAt(bytes, at)
    if (entry === 'cut' && !isTail && bytes.at(-1) === LINE_FEED) {
      // The last entry may lack the empty line at its end.
      bytes = Buffer.concat([bytes.subarray(at), Buffer.of(LINE_FEED)])
      isTail = true
      at = 0
      continue
    }
    if (entry === 'cut' || 'reason' in entry) {
      const reason = entry === 'cut' ? 'the last entry does not end' : entry.reason
      yield badItem(reason, bytes.toString('utf8', at, at + 480))
      return
    }
    if (entry.fields.length > 0) yield storable(recordAt(bytes, entry), () => '')
    at = entry.end
  }
}
