import { atOnce } from '../base/index.ts'
import type { MemoryTable, Segment } from '../store/index.ts'
import { BlockCache, DictionariesFile, openSegment, writeSegment, type SegmentSource } from '../store/segments/index.ts'

/** So few bytes that blocks come and go while a query runs. */
const CACHE_BYTES = 1024 * 1024

function sourceOf(name: string, pieces: readonly Uint8Array[]): SegmentSource {
  const file = Buffer.concat(pieces)
  return { name, bytes: file.length, read: (into, at) => file.copy(into, 0, at, at + into.length) }
}

/** The bytes of a segment's file, and the segment that they are. */
export function storedSegment(table: MemoryTable, segment: Segment, cache = new BlockCache(CACHE_BYTES)): Segment {
  const { name, timeField, textField } = table.definition
  const pieces: Uint8Array[] = []
  const summary = atOnce(writeSegment(segment, { table: name, timeField }, (bytes) => pieces.push(Buffer.from(bytes))))
  return openSegment({
    id: segment.id,
    source: sourceOf(`${name}-${segment.id}`, pieces),
    summary,
    textField,
    dictionaryOf: (field) => table.dictionary(field),
    cache,
  })
}

/**
 * Writes what is sealed and puts in its place what can be read of it, dictionaries too. No row is unsealed, and nothing was
 * put there before.
 */
export function putOnDisk(table: MemoryTable): void {
  const cache = new BlockCache(CACHE_BYTES)
  const sealed = [...table.sealedSegments()]
  if (sealed.length === 0) return
  const file = new DictionariesFile()
  const changes = file.changes(table.dictionaries())
  changes.commit()
  const source = sourceOf('dictionaries', changes.pieces)
  const stored = sealed.map((segment) => storedSegment(table, segment, cache))
  table.restoreDictionaries(
    Array.from(
      file.fields,
      (field) => [field, { size: file.size(field), read: () => file.read(source, field) }] as const,
    ),
  )
  table.replaceSealed(new Set(sealed), stored)
}
