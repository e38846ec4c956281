import { Bytes, InvariantError, invariant, type StepwiseTask } from '../../base/index.ts'
import type { Bitmap, Column } from '../../data/index.ts'
import type { RowGroupEntry } from '../durable/manifest.ts'
import {
  WordsInMemory,
  countsOfWords,
  epochStartNs,
  isFrequentIn,
  sequenceAt,
  timeMarks,
  type Segment,
  type StoredColumn,
  type TimeMarks,
  type TopList,
  type WordArrays,
} from '../memory/index.ts'
import { BlockWriter } from './block-writer.ts'
import type { PieceSizes } from './codings/codings.ts'
import type { Elements } from './codings/elements.ts'
import { encodeEntries } from './codings/entries.ts'
import {
  PART_VERSION,
  ROW_GROUP_MAGIC,
  coding,
  hexOfDouble,
  type FieldContents,
  type RowGroupContents,
  type WrittenContents,
  type StoredArray,
  type StoredColumnContents,
  type StoredTemplates,
  type StoredTimeMarks,
  type StoredTopList,
  type StoredZones,
  type WordsContents,
} from './layout.ts'
import { templatesOf, type NewTemplates } from './templates.ts'
import { encodeTexts } from './texts.ts'
import { usedCodes } from './used-codes.ts'
import { encodeGroup } from './words/word-groups.ts'

/** Maximum number of words in a group, of which a lookup reads one. `GROUP_ROWS` limits the total of their rows. */
const GROUP_WORDS = 1024
const GROUP_ROWS = 8192

/** The names that a part stores: of its table, and of the table's time field. */
export interface TableNames {
  readonly table: string
  readonly timeField: string
}

/** State that all columns share while a segment is written. */
interface ColumnTarget {
  readonly writer: BlockWriter
  readonly sizes: PieceSizes
  /** The times of the rows. `deltas` is the array in the file that has them. */
  readonly rowDeltas: Float64Array
  readonly deltas: StoredArray
}

function columnContents(target: ColumnTarget, column: Column): StoredColumnContents {
  const { length } = column
  const { writer, sizes, rowDeltas, deltas } = target
  const pieces = (array: Elements): StoredArray => writer.pieces(array, sizes)
  switch (column.kind) {
    case 'dictionary': {
      const codes = pieces(column.codes)
      const used = usedCodes(column.codes)
      const values = writer.block(encodeEntries(column.dictionary, used, writer.scratch))
      return { kind: 'dictionary', length, codes, maxCode: used.at(-1) ?? 0, values }
    }
    case 'float64':
      return {
        kind: 'float64',
        length,
        values: pieces(column.values),
        validity: writer.maybe(column.validity, coding.plain),
      }
    case 'int64':
      return {
        kind: 'int64',
        length,
        high: pieces(column.high),
        low: pieces(column.low),
        validity: writer.maybe(column.validity, coding.plain),
      }
    case 'time':
      return {
        kind: 'time',
        length,
        baseNs: String(column.baseNs),
        deltas: column.deltas === rowDeltas ? deltas : pieces(column.deltas),
        validity: writer.maybe(column.validity, coding.plain),
      }
    case 'text':
      return {
        kind: 'text',
        length,
        texts: writer.texts(column.bytes, column.offsets),
        validity: writer.maybe(column.validity, coding.plain),
        wide: writer.maybe(column.wide, coding.plain),
      }
    case 'mixed':
      return {
        kind: 'mixed',
        length,
        tags: pieces(column.tags),
        numbers: pieces(column.numbers),
        texts: writer.texts(column.bytes, column.offsets),
      }
    case 'sparse':
      return {
        kind: 'sparse',
        length,
        rows: writer.array(column.rows),
        present: columnContents(target, column.present),
      }
    case 'constant':
    case 'values':
    case 'gathered':
    case 'chunked':
      throw new InvariantError(`a stored column is not ${column.kind}`)
  }
}

function zonesOf(writer: BlockWriter, { zones }: StoredColumn): StoredZones | undefined {
  if (zones === undefined) return undefined
  const { hasNan, isInteger, min, max } = zones
  return {
    hasNan,
    isInteger,
    mins: writer.array(zones.mins),
    maxs: writer.array(zones.maxs),
    min: hexOfDouble(min),
    max: hexOfDouble(max),
  }
}

function storedTops(writer: BlockWriter, { tops }: StoredColumn): FieldContents['tops'] {
  const stored = ({ rows, numbers }: TopList): StoredTopList => ({
    rows: writer.array(rows),
    numbers: writer.array(numbers),
  })
  return tops && { highest: stored(tops.highest), lowest: stored(tops.lowest) }
}

/**
 * Writes the statistics and search structures of fields. The smallest structures, which most lookups need, are written
 * last, so that the request for the contents reads them too.
 */
function fieldContents(
  writer: BlockWriter,
  fields: readonly (readonly [name: string, stored: StoredColumn, column: StoredColumnContents])[],
): readonly FieldContents[] {
  const tops = fields.map(([, stored]) => storedTops(writer, stored))
  const zones = fields.map(([, stored]) => zonesOf(writer, stored))
  return fields.map(([name, { counts, missingCount, hasOrder }, column], i) => ({
    name,
    missingCount,
    column,
    counts: writer.maybe(counts),
    hasOrder,
    zones: zones[i],
    tops: tops[i],
  }))
}

/**
 * Returns the distinct bitmaps of words, and for each bitmap the index of its equal among the distinct ones. Words of
 * one log message often have the same rows.
 */
function differentBitmaps({ bitmaps, rowCount }: WordArrays): {
  readonly different: readonly Bitmap[]
  readonly numbers: Uint16Array
} {
  const length = (rowCount + 31) >>> 5
  const count = length === 0 ? 0 : bitmaps.length / length
  const numbers = new Uint16Array(count)
  const different: Bitmap[] = []
  const byHash = new Map<number, number[]>()
  for (let i = 0; i < count; i++) {
    const bits = bitmaps.subarray(i * length, (i + 1) * length)
    let hash = 0
    for (let at = 0; at < length; at++) hash = Math.imul(hash ^ bits[at], 0x9e3779b1) ^ (hash >>> 15)
    const alike = byHash.get(hash) ?? []
    let number = alike.find((each) => different[each].every((word, at) => word === bits[at]))
    if (number === undefined) {
      number = different.length
      different.push(bits)
      byHash.set(hash, [...alike, number])
    }
    numbers[i] = number
  }
  return { different, numbers }
}

/**
 * Writes a small structure that should be right before the contents, so that one request reads both. Returns its
 * description for the contents.
 */
type WriteLast<T> = () => T

function storedTemplates(writer: BlockWriter, templates: NewTemplates): WriteLast<StoredTemplates> {
  const { leastRows, leftOut, bytes, offsets, codes } = templates
  const count = offsets.length - 1
  const leftOutEnds = new Uint32Array(leftOut.length + 1)
  for (const [i, word] of leftOut.entries()) leftOutEnds[i + 1] = leftOutEnds[i] + word.length
  const stored = {
    leastRows,
    count,
    leftOutCount: leftOut.length,
    codes: writer.array(count < 256 ? Uint8Array.from(codes) : codes),
  }
  return () => ({
    ...stored,
    texts: writer.block(encodeTexts(bytes, offsets, 0, count)),
    leftOut: writer.unpackedBlock(encodeTexts(Bytes.concat(leftOut), leftOutEnds, 0, leftOut.length)),
  })
}

/** Writes the words in groups, one block each. The directory has the first word of each group. */
function* wordsContents(
  writer: BlockWriter,
  words: WordArrays,
  texts: Column | undefined,
): StepwiseTask<WriteLast<WordsContents>> {
  const { rowCount, wordCount, lengths } = words
  const counts = countsOfWords(words)
  const { different, numbers } = differentBitmaps(words)
  const wordRows = words.postings.slice()
  const firstWords: number[] = []
  const firstBytes: number[] = [0]
  const firstRows: number[] = [0]
  let at = 0
  let rows = 0
  for (let word = 0; word < wordCount; word++) {
    const isFull = word - (firstWords.at(-1) ?? 0) >= GROUP_WORDS || rows - (firstRows.at(-1) ?? 0) >= GROUP_ROWS
    if (word === 0) firstWords.push(0)
    else if (isFull) {
      firstWords.push(word)
      firstBytes.push(at)
      firstRows.push(rows)
    }
    at += lengths[word]
    if (isFrequentIn(rowCount, counts[word] + 1)) {
      wordRows[rows] = numbers[wordRows[rows]]
      rows++
    } else rows += counts[word] + 1
    if (word % 16_384 === 0) yield
  }
  const groups = firstWords.length
  firstWords.push(wordCount)
  firstBytes.push(at)
  firstRows.push(rows)
  const starts = new Uint32Array(groups + 1)
  for (let group = 0; group < groups; group++) starts[group + 1] = starts[group] + lengths[firstWords[group]]
  const heads = Bytes.alloc(starts[groups])
  for (let group = 0; group < groups; group++)
    words.bytes.copy(heads, starts[group], firstBytes[group], firstBytes[group] + lengths[firstWords[group]])
  yield
  const wordBlocks = writer.blocks.length
  for (let group = 0; group < groups; group++) {
    const range = [firstWords[group], firstWords[group + 1]] as const
    const bytes = [firstBytes[group], firstBytes[group + 1]] as const
    const groupRows = wordRows.subarray(firstRows[group], firstRows[group + 1])
    writer.unpackedBlock(encodeGroup(words, counts, range, bytes, groupRows))
    if (group % 16 === 15) yield
  }
  const bitmaps = writer.blocks.length
  for (const [i, bits] of different.entries()) {
    writer.array(bits, coding.plain)
    if (i % 16 === 15) yield
  }
  const found = texts?.kind === 'text' ? yield* templatesOf(texts, words) : undefined
  const templates = found && storedTemplates(writer, found)
  return () => ({
    wordCount,
    directory: writer.unpackedBlock(encodeTexts(heads, starts, 0, groups)),
    groups,
    words: wordBlocks,
    bitmaps,
    bitmapCount: different.length,
    memoryBytes: words.memoryBytes,
    templates: templates?.(),
  })
}

function storedMarks(writer: BlockWriter, marks: TimeMarks | undefined): StoredTimeMarks | undefined {
  return marks && { unitNs: marks.unitNs, firstDelta: marks.firstDelta, rows: writer.array(marks.rows) }
}

function endSequenceOf(segment: Segment): number {
  let last = segment.sequenceBase
  for (let row = 0; row < segment.rowCount; row++) last = Math.max(last, sequenceAt(segment, row))
  return last + 1
}

/** Writes blocks and contents of a segment in memory; yields about once per column. */
function* writeBlocks(
  writer: BlockWriter,
  segment: Segment,
  { table, timeField }: TableNames,
  sizes: PieceSizes,
): StepwiseTask<void> {
  const { rowCount, epoch, sequenceBase, words, textField } = segment
  invariant(words === undefined || words instanceof WordsInMemory, 'the words of a segment in memory')
  const deltas = writer.pieces(segment.deltas, sizes)
  const { sequenceOffsets: offsets } = segment
  const sequenceOffsets = offsets && writer.pieces(offsets, sizes)
  const target = { writer, sizes, rowDeltas: segment.deltas, deltas }
  yield
  const fields: (readonly [string, StoredColumn, StoredColumnContents])[] = []
  for (const [name, stored] of segment.columns) {
    fields.push([name, stored, columnContents(target, stored.column)])
    yield
  }
  const writeWords =
    words === undefined ? undefined : yield* wordsContents(writer, words.arrays, segment.columns.get(textField)?.column)
  const columns = fieldContents(writer, fields)
  const contents: Omit<RowGroupContents, keyof WrittenContents> = {
    table,
    timeField,
    rowCount,
    epoch,
    sequenceBase,
    sequenceOffsets,
    textField,
    deltas,
    timeMarks: storedMarks(writer, timeMarks(segment.deltas, epochStartNs(epoch))),
    columns,
    words: writeWords?.(),
  }
  writer.finish(contents)
}

/** Writes a segment in memory as the next row group of a part. */
export function* writeRowGroup(
  part: BlockWriter,
  segment: Segment,
  names: TableNames,
  sizes: PieceSizes,
): StepwiseTask<RowGroupEntry> {
  const { at, bytes, crc } = yield* part.nested(ROW_GROUP_MAGIC, PART_VERSION, (writer) =>
    writeBlocks(writer, segment, names, sizes),
  )
  const { rowCount, epoch, firstDelta, lastDelta, sequenceBase } = segment
  const sequences = { firstSequence: sequenceBase, endSequence: endSequenceOf(segment) }
  return { at, bytes, crc, rowCount, epoch, firstDelta, lastDelta, ...sequences }
}
