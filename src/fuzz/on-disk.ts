import { atOnce, present, type SluiceError } from '../base/index.ts'
import type { RecordTableDefinition } from '../plan/index.ts'
import type { MemoryTable, OpenStored, Segment, StoredDictionary, StoredFile, TableGroup } from '../store/index.ts'
import {
  BlockCache,
  DictionariesFile,
  GroupFilter,
  itemsOfSegment,
  openSegment,
  sortedRun,
  writeGroup,
  writeSegment,
  type ItemRun,
  type SegmentSource,
  type StoredSegment,
} from '../store/segments/index.ts'

/** So few bytes that blocks come and go while a query runs. */
const CACHE_BYTES = 1024 * 1024

/** Elements of a piece of an array: what is in fewer bits than a byte, and other numbers. */
const BITS_ELEMENTS = 8
const PACKED_ELEMENTS = 12

function sourceOf(name: string, pieces: readonly Uint8Array[]): SegmentSource {
  const file = Buffer.concat(pieces)
  return { name, bytes: file.length, read: (into, at) => file.copy(into, 0, at, at + into.length) }
}

/** As many segments are in one group before groups are put together. */
const GROUP_SEGMENTS = 2

/** One filter over all segments, made of smaller ones as a data folder does it. */
function groupOf({ name: table, textField }: RecordTableDefinition, segments: readonly StoredSegment[]): TableGroup {
  const cache = new BlockCache(CACHE_BYTES)
  const made = (runs: readonly ItemRun[], names: readonly string[]): GroupFilter => {
    const pieces: Uint8Array[] = []
    const add = (bytes: Uint8Array): unknown => pieces.push(Buffer.from(bytes))
    atOnce(writeGroup(runs, { table, textField, segments: names }, add))
    const onDamage = (error: SluiceError): never => {
      throw error
    }
    return new GroupFilter({ source: sourceOf(`${table}.filter`, pieces), segments: names, textField, cache, onDamage })
  }
  const runs: ItemRun[] = []
  for (let from = 0; from < segments.length; from += GROUP_SEGMENTS) {
    const some = segments.slice(from, from + GROUP_SEGMENTS)
    const group = made(
      some.flatMap((segment, place) => atOnce(itemsOfSegment(segment)).map((hashes) => sortedRun(hashes, place))),
      some.map(({ source }) => source.name),
    )
    runs.push(group.run((place) => from + place))
  }
  const names = segments.map(({ source }) => source.name)
  return { file: { path: `${table}.filter`, bytes: 0, crc: 0, segments: names }, group: made(runs, names), segments }
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
  const dictionariesOf = (file: DictionariesFile, field: string, path: string): StoredDictionary =>
    file.stored(present(sources.get(path)), field, cache, { fewEntries: 0, path })
  const open: OpenStored = {
    segment: ({ id, path, bytes: _, ...summary }, { textField }, dictionaryOf) =>
      openSegment({ id, source: present(sources.get(path)), summary, textField, dictionaryOf, cache }),
    dictionary: ({ path, bytes, field, records }) => dictionariesOf(new DictionariesFile(records, bytes), field, path),
  }
  const sealed = [...table.sealedSegments()]
  if (sealed.length === 0) return open

  const file = new DictionariesFile()
  const changes = file.changes(table.dictionaries(), { leastEntries: 4, pageEntries: 5 })
  changes.commit()
  const told = new Map<Segment, StoredFile>()
  const opened: StoredSegment[] = []
  for (const segment of sealed) {
    const path = `${name}-${segment.id}`
    const pieces: Uint8Array[] = []
    const add = (bytes: Uint8Array): unknown => pieces.push(Buffer.from(bytes))
    const summary = atOnce(
      writeSegment(segment, { table: name, timeField }, add, { bits: BITS_ELEMENTS, packed: PACKED_ELEMENTS }),
    )
    sources.set(path, sourceOf(path, pieces))
    const stored = { ...summary, path }
    const source = present(sources.get(path))
    const { textField } = definition
    const own = openSegment({
      id: segment.id,
      source,
      summary,
      textField,
      dictionaryOf: (field) => table.dictionary(field),
      cache,
    })
    told.set(own, stored)
    opened.push(own)
  }
  table.setGroups([groupOf(definition, opened)])
  const path = `${name}-dictionaries`
  sources.set(path, sourceOf(path, changes.pieces))
  table.restoreDictionaries(Array.from(file.fields, (field) => [field, dictionariesOf(file, field, path)] as const))
  table.replaceSealed(new Set(sealed), [...told.keys()])
  table.storedAt = (segment) => told.get(segment)
  return open
}
