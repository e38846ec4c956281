/** Replacements for the constants of a module, by name. */
type Sizes = Readonly<Record<string, number>>

/**
 * Thresholds at which the code takes another path, by module. The values are so small that the few rows of a fuzz case
 * reach them. Sizes that are part of a file format are left out, and so are times and memory limits on which tests
 * rely.
 */
export const smallSizes: Readonly<Record<string, Sizes>> = {
  'base/tuning.ts': {
    ITEMS_PER_CHECKPOINT: 3,
    BYTES_PER_CHECKPOINT: 48,
    CHUNK_BYTES: 64,
    MAX_CACHED: 3,
    FIRST_CAPACITY: 2,
    BATCH_ROWS: 8,
  },

  // All fuzz subjects except replicas read from files, through a cache that holds almost nothing.
  'fuzz/dataset.ts': { MAX_ROWS: 120 },
  'fuzz/subject.ts': { ON_DISK_ONE_IN: 2 },
  'fuzz/on-disk.ts': { CACHE_BYTES: 1024, BITS_ELEMENTS: 1, PACKED_ELEMENTS: 2 },

  // Segment files: amounts that are read, decompressed, cached and examined at once.
  'store/packed-samples/sample-packer.ts': { TURN_SAMPLES: 2, MERGE_CACHE_BYTES: 256 },
  'store/sample-files/merge-samples.ts': { MERGE_FILES: 2, LEVEL_SAMPLES: 8 },
  'store/segments/block-cache.ts': { PINNED_BYTES: 512 },
  'store/segments/block-writer.ts': { PLAIN_CONTENTS_BYTES: 600 },
  'store/segments/codings/codings.ts': { SAMPLE_ELEMENTS: 4 },
  'store/segments/dictionaries/dictionaries-file.ts': { MAX_ENTRIES: 7 },
  'store/segments/dictionaries/dictionary-pages.ts': { PAGE_TEXT_BYTES: 24 },
  'store/segments/open-segment.ts': { MOST_AHEAD: 2 },
  'store/segments/pooled-files.ts': { MAX_OPEN: 2 },
  'store/segments/block-file.ts': { LAST_BYTES: 128, NEAR_BYTES: 48 },
  'store/segments/stored-array.ts': { MOST_PIECES_SHARE: 1 },
  'store/segments/dictionaries/stored-dictionary.ts': { FEW_ENTRIES: 4 },
  'store/segments/templates.ts': {
    MAX_TEMPLATES: 3,
    MAX_TEMPLATE_BYTES: 64,
    MAX_TEXT_BYTES: 24,
    MAX_FOLLOWERS: 2,
    TRIED_ROWS: 8,
  },
  'store/segments/texts.ts': { TEXT_BLOCK_BYTES: 48, SHORT_TEXT_BLOCK_BYTES: 16 },
  'store/segments/words/word-groups.ts': { GROUP_BYTES: 64 },
  'store/segments/write-row-group.ts': { GROUP_WORDS: 3, GROUP_ROWS: 8 },

  // Rows in memory, and statistics about their columns.
  'store/memory/dictionary/dictionary-entries.ts': { CACHED_VALUES: 3, CACHED_TEXTS: 2, FIRST_CODES: 2, FEW_SCANS: 1 },
  'store/memory/field-state.ts': {
    MIN_DISTINCT_NUMBERS: 12,
    MAX_DISTINCT_NUMBERS: 24,
    MANY_TEXTS: 24,
    MOST_TEXTS: 48,
    MOST_TEXT_BYTES: 2048,
    MIN_DISTINCT_TEXTS: 12,
    LONG_TEXT_BYTES: 24,
    MANY_TEXTS_ONCE: 16,
  },
  'store/memory/known-fields.ts': { MOST_FILES: 2 },
  'store/memory/seal-column.ts': { SPARSE_ONE_IN: 8, MAX_COUNTED_CODES: 3 },
  'store/memory/segment.ts': { segmentRows: 8 },
  'store/memory/table/table-view.ts': { SNAPSHOT_ROWS: 4 },
  'store/memory/table/table-writer.ts': { MAX_READERS: 2 },
  'store/memory/time-marks.ts': { MAX_MARKS: 4, ROWS_OF_MARK: 2 },
  'store/memory/top-values.ts': { LEAST_LISTED: 3 },
  'store/memory/words/word-index-builder.ts': { WORDS_OF_ROW_AT_ONCE: 2 },
  'store/memory/zone-map.ts': { zoneRows: 32 },
  'store/samples/sample-columns.ts': { FIRST_CAPACITY: 1, PIECE_BYTES: 24, LONGEST_IN_PIECE: 8 },
  'store/sample-files/write-samples.ts': { CHUNK_SAMPLES: 4, GROUP_SAMPLES: 8, GROUP_CHUNKS: 2 },

  // Queries of the column store.
  'backends/columnar/tuning.ts': {
    SPARE_ROWS: 8,
    FEW_ROWS_ONE_IN: 2,
    WHOLE_DICTIONARY_ENTRIES: 4,
    MIN_ROWS_PER_GROUP: 1,
    MAX_TABLE_SLOTS: 8,
  },
  'backends/columnar/expr/narrow-codes.ts': { MAX_LOOKUPS: 2 },
  'backends/columnar/group/quantile-kernel.ts': { MAX_BUCKETS: 256 },
  'backends/columnar/group/exact-sums.ts': { FULL_VALUES: 4 },
  'backends/columnar/group/uniq-kernel.ts': { MAX_BITS: 64 },
  'backends/columnar/join/counted-rows.ts': { FEW_PAIRS: 4 },
  'backends/columnar/kernels/literal-scan.ts': { MAX_NEEDLE_BYTES: 8 },
  'backends/columnar/kernels/group-memory.ts': { rowsAtOnce: 8 },
  'backends/columnar/keys/sort-numbers.ts': { RUN: 4 },
  'backends/columnar/operators/sort.ts': { WIDE_FIELDS: 3 },
  'backends/columnar/scan/held-rows.ts': { SPARE_ROWS: 3 },
  'backends/columnar/segments/source.ts': { PIECE_COST: 1000 },
  'backends/columnar/segments/segment-range.ts': { LEAST_ROWS: 8 },
  'data/json-pieces.ts': {
    MOST_ROWS: 5,
    MOST_VALUES: 24,
    MOST_COLUMNS: 12,
    MOST_KEPT_BYTES: 24,
    MOST_KEPT_CODES: 8,
    MOST_TABLE_CODES: 40,
    KEPT_BYTES: 160,
    STORED_BYTES: 96,
    MADE_BYTES: 320,
    SHORT_LENGTH: 8,
  },
  'backends/columnar/series/call-morsels.ts': { VALUES_OF_MORSEL: 4, MIN_SERIES: 2 },
}

/** Matches the line that declares a constant; the first group ends before its value. */
const before = (name: string): RegExp => new RegExp(`^((?:export )?const ${name} = )(.*)$`, 'm')

/** Returns the value of a module's constant as source text. Throws if no line declares the constant. */
export function sizeIn(source: string, name: string): string {
  const found = before(name).exec(source)?.[2]
  if (found === undefined) throw new Error(`no constant ${name} stands on a line of its own`)
  return found
}

/**
 * Returns the source of a module under `src` with its small values. Modules without any are returned unchanged. Throws
 * if a constant is missing.
 */
export function withSmallSizes(url: string, source: string): string {
  const path = /\/src\/(.*\.ts)$/.exec(url)?.[1] ?? ''
  let text = source
  for (const [name, size] of Object.entries(smallSizes[path] ?? {})) {
    sizeIn(text, name)
    text = text.replace(before(name), (_, head: string) => `${head}${size}`)
  }
  return text
}
