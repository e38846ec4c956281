import { runToEnd, present, type SluiceError, type StepwiseTask } from '../base/index.ts'
import type { PartSummary, RowGroupEntry } from '../store/durable/index.ts'
import type {
  GrowingDictionary,
  MemoryTable,
  OpenStored,
  Segment,
  StoredDictionary,
  StoredFile,
} from '../store/index.ts'
import {
  BlockCache,
  DictionariesFile,
  MAX_ROW_GROUPS,
  StoredPart,
  mergeParts,
  writePart,
  type BlockSource,
} from '../store/segments/index.ts'

/** Size of the block cache, bytes; so small that blocks are evicted while a query runs. */
const CACHE_BYTES = 1024 * 1024

/** Number of array elements in a page, for values smaller than a byte and for all others. */
const BITS_ELEMENTS = 8
const PACKED_ELEMENTS = 12

function sourceOf(name: string, pieces: readonly Uint8Array[]): BlockSource {
  const file = Buffer.concat(pieces)
  return { name, bytes: file.length, read: (into, at) => file.copy(into, 0, at, at + into.length) }
}

/** Number of row groups that the first merge combines. */
const FIRST_MERGE = 2

/** Merges parts into one, with the same steps as in a data folder. */
function mergedPart(table: string, textField: string, parts: readonly WrittenPart[]): WrittenPart {
  const cache = new BlockCache(CACHE_BYTES)
  const merge = (some: readonly WrittenPart[]): WrittenPart => {
    const inputs = some.map(({ source, rowGroups }) => ({
      part: new StoredPart({ source, textField, cache }),
      rowGroups,
      chosen: [...rowGroups.keys()],
    }))
    return written(`${table}.part`, (write) => mergeParts(inputs, table, write))
  }
  const pairs: WrittenPart[] = []
  for (let from = 0; from < parts.length; from += FIRST_MERGE) pairs.push(merge(parts.slice(from, from + FIRST_MERGE)))
  return merge(pairs)
}

function failOn(error: SluiceError): never {
  throw error
}

interface WrittenPart {
  readonly source: BlockSource
  readonly rowGroups: readonly RowGroupEntry[]
}

function written(name: string, write: (take: (bytes: Uint8Array) => void) => StepwiseTask<PartSummary>): WrittenPart {
  const pieces: Uint8Array[] = []
  const { crc, rowGroups } = runToEnd(write((bytes) => void pieces.push(Buffer.from(bytes))))
  return { source: { ...sourceOf(name, pieces), crc }, rowGroups }
}

/**
 * Writes the sealed segments of a table to a file and replaces them with readers of this file, dictionaries included.
 * The table must have no unsealed rows and no segments in files. Returns the opener that a replica needs to read the
 * same files.
 */
export function putOnDisk(table: MemoryTable): OpenStored {
  const { definition } = table
  const { name, timeField } = definition
  const cache = new BlockCache(CACHE_BYTES)
  const sources = new Map<string, BlockSource>()
  const dictionariesOf = (file: DictionariesFile, field: string, path: string): StoredDictionary =>
    file.stored(present(sources.get(path)), field, cache, { fewEntries: 0, path })
  const open: OpenStored = {
    segment: ({ id, path, number, rowGroup }, { textField }, dictionaryOf) =>
      new StoredPart({ source: present(sources.get(path)), textField, cache }).rowGroup(number, rowGroup, {
        id,
        dictionaryOf,
      }),
    dictionary: ({ path, bytes, field, records }) => dictionariesOf(new DictionariesFile(records, bytes), field, path),
  }
  const sealed = [...table.segments.all]
  if (sealed.length === 0) return open

  const file = new DictionariesFile()
  const changes = file.changes(table.fields.dictionaries(), { leastEntries: 4, pageEntries: 5 })
  changes.commit()
  const { textField } = definition
  const storedFiles = new Map<Segment, StoredFile>()
  const sizes = { bits: BITS_ELEMENTS, packed: PACKED_ELEMENTS }
  for (let from = 0; from < sealed.length; from += MAX_ROW_GROUPS) {
    const some = sealed.slice(from, from + MAX_ROW_GROUPS)
    const parts = some.map((segment) =>
      written(`${name}-${segment.id}.part`, (write) => writePart(segment, { table: name, timeField }, write, sizes)),
    )
    const { source, rowGroups } = mergedPart(name, textField, parts)
    const path = `${name}-${from}.part`
    sources.set(path, source)
    const part = new StoredPart({ source, textField, cache, onDamage: failOn })
    for (const [number, rowGroup] of rowGroups.entries()) {
      const dictionaryOf = (field: string): GrowingDictionary => table.fields.dictionary(field)
      const own = part.rowGroup(number, rowGroup, { id: present(some[number]).id, dictionaryOf })
      storedFiles.set(own, { path, bytes: source.bytes, crc: present(source.crc), number, rowGroup })
    }
  }
  const path = `${name}-dictionaries`
  sources.set(path, sourceOf(path, changes.chunks))
  table.fields.restoreDictionaries(
    Array.from(file.fields, (field) => [field, dictionariesOf(file, field, path)] as const),
  )
  table.segments.replace(new Set(sealed), [...storedFiles.keys()])
  table.segments.storedAt = (segment) => storedFiles.get(segment)
  return open
}
