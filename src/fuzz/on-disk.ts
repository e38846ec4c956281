import { atOnce, present } from '../base/index.ts'
import type { MemoryTable, OpenStored, Segment, StoredFile } from '../store/index.ts'
import { BlockCache, DictionariesFile, openSegment, writeSegment, type SegmentSource } from '../store/segments/index.ts'

/** So few bytes that blocks come and go while a query runs. */
const CACHE_BYTES = 1024 * 1024

function sourceOf(name: string, pieces: readonly Uint8Array[]): SegmentSource {
  const file = Buffer.concat(pieces)
  return { name, bytes: file.length, read: (into, at) => file.copy(into, 0, at, at + into.length) }
}

/**
 * Writes what is sealed and puts in its place what can be read of it, dictionaries too. No row is unsealed, and nothing was
 * put there before. Gives what opens the files where a replica is told of them.
 */
export function putOnDisk(table: MemoryTable): OpenStored {
  const { definition } = table
  const { name, timeField } = definition
  const cache = new BlockCache(CACHE_BYTES)
  const sources = new Map<string, SegmentSource>()
  const open: OpenStored = ({ id, path, bytes: _, ...summary }, { textField }, dictionaryOf) =>
    openSegment({ id, source: present(sources.get(path)), summary, textField, dictionaryOf, cache })
  const sealed = [...table.sealedSegments()]
  if (sealed.length === 0) return open

  const file = new DictionariesFile()
  const changes = file.changes(table.dictionaries())
  changes.commit()
  const told = new Map<Segment, StoredFile>()
  for (const segment of sealed) {
    const path = `${name}-${segment.id}`
    const pieces: Uint8Array[] = []
    const add = (bytes: Uint8Array): unknown => pieces.push(Buffer.from(bytes))
    const summary = atOnce(writeSegment(segment, { table: name, timeField }, add))
    sources.set(path, sourceOf(path, pieces))
    const stored = { ...summary, path }
    told.set(
      open({ ...stored, id: segment.id }, definition, (field) => table.dictionary(field)),
      stored,
    )
  }
  const source = sourceOf('dictionaries', changes.pieces)
  table.restoreDictionaries(
    Array.from(
      file.fields,
      (field) => [field, { size: file.size(field), read: () => file.read(source, field) }] as const,
    ),
  )
  table.replaceSealed(new Set(sealed), [...told.keys()])
  table.storedAt = (segment) => told.get(segment)
  return open
}
