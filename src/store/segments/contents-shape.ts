import type {
  FieldContents,
  PartContents,
  RowGroupContents,
  Stored,
  StoredColumnContents,
  StoredFilter,
  StoredTemplates,
  StoredTexts,
  StoredTimeMarks,
  StoredTopList,
  StoredZones,
  WordsContents,
} from './layout.ts'
import { MAX_ROW_GROUPS } from './layout.ts'
import {
  areBlocks,
  arrayOf,
  isBlock,
  isCount,
  isFlag,
  isNumber,
  isText,
  listOf,
  maybe,
  shapeOf,
  type Shape,
} from './shape.ts'

const isDouble: Shape = (value) => typeof value === 'string' && /^[\da-f]{16}$/.test(value)
const isWhole: Shape = (value) => typeof value === 'string' && /^-?\d{1,20}$/.test(value)

const isTexts = shapeOf<StoredTexts>(
  { block: isCount, firstRows: listOf(isCount), bytes: isCount },
  ({ block, firstRows }, blocks) => areBlocks(block, firstRows.length, blocks),
)

const isBits = maybe(arrayOf('u32'))
const isDoubles = arrayOf('f64')
const isCodes = arrayOf('u8', 'u16', 'u32')

type ColumnShapes = {
  readonly [K in Exclude<StoredColumnContents['kind'], 'sparse'>]: Shape
}

const kind: Shape = isText
const denseShapes: ColumnShapes = {
  dictionary: shapeOf<Stored<'dictionary'>>(
    { kind, length: isCount, codes: isCodes, maxCode: isCount, values: isBlock },
    ({ codes, length }) => codes.length === length,
  ),
  float64: shapeOf<Stored<'float64'>>({ kind, length: isCount, values: isDoubles, validity: isBits }),
  int64: shapeOf<Stored<'int64'>>({
    kind,
    length: isCount,
    high: arrayOf('i32'),
    low: arrayOf('u32'),
    validity: isBits,
  }),
  time: shapeOf<Stored<'time'>>({ kind, length: isCount, baseNs: isWhole, deltas: isDoubles, validity: isBits }),
  text: shapeOf<Stored<'text'>>({ kind, length: isCount, texts: isTexts, validity: isBits, wide: isBits }),
  mixed: shapeOf<Stored<'mixed'>>({
    kind,
    length: isCount,
    tags: arrayOf('u8'),
    numbers: isDoubles,
    texts: isTexts,
  }),
}

const isDense: Shape = (value, blocks) => {
  const name = (value as Partial<StoredColumnContents> | null | undefined)?.kind
  return (
    name !== undefined && Object.hasOwn(denseShapes, name) && denseShapes[name as keyof ColumnShapes](value, blocks)
  )
}

const isSparse = shapeOf<Stored<'sparse'>>(
  { kind, length: isCount, rows: arrayOf('u32'), present: isDense },
  ({ rows, present }) => rows.length === present.length,
)

const isColumn: Shape = (value, blocks) =>
  (value as Partial<StoredColumnContents> | null | undefined)?.kind === 'sparse'
    ? isSparse(value, blocks)
    : isDense(value, blocks)

const isZones = shapeOf<StoredZones>(
  { hasNan: isFlag, isInteger: isFlag, mins: isDoubles, maxs: isDoubles, min: isDouble, max: isDouble },
  ({ mins, maxs }) => mins.length === maxs.length,
)

const isTopList = shapeOf<StoredTopList>(
  { rows: arrayOf('u16'), numbers: isDoubles },
  ({ rows, numbers }) => rows.length === numbers.length,
)

const isField = shapeOf<FieldContents>(
  {
    name: isText,
    missingCount: isCount,
    column: isColumn,
    counts: maybe(arrayOf('u32')),
    hasOrder: isFlag,
    zones: maybe(isZones),
    tops: maybe(shapeOf<NonNullable<FieldContents['tops']>>({ highest: isTopList, lowest: isTopList })),
  },
  ({ hasOrder, column, missingCount }) => missingCount <= column.length && (!hasOrder || column.kind === 'dictionary'),
)

const isTemplates = shapeOf<StoredTemplates>({
  leastRows: isCount,
  count: isCount,
  leftOutCount: isCount,
  leftOut: isBlock,
  texts: isBlock,
  codes: arrayOf('u8', 'u16'),
})

const isWords = shapeOf<WordsContents>(
  {
    wordCount: isCount,
    directory: isBlock,
    groups: isCount,
    words: isCount,
    bitmaps: isCount,
    bitmapCount: isCount,
    memoryBytes: isCount,
    templates: maybe(isTemplates),
  },
  ({ words, groups }, blocks) => areBlocks(words, groups, blocks),
)

const isTimeMarks = shapeOf<StoredTimeMarks>(
  { unitNs: isNumber, firstDelta: isNumber, rows: arrayOf('u16') },
  ({ unitNs }) => unitNs > 0,
)

const isFilter = shapeOf<StoredFilter>(
  { hashBits: isCount, pairs: isCount, firstHashes: arrayOf('u32'), pages: isCount },
  ({ hashBits, firstHashes, pages }, blocks) => hashBits <= 32 && areBlocks(pages, firstHashes.length, blocks),
)

/** Checks the structure of a part's contents. */
export const isPartContents = shapeOf<PartContents>(
  { table: isText, rowGroups: isCount, filter: isFilter, pieces: maybe(isBlock), before: isCount },
  ({ rowGroups }, blocks) => rowGroups <= MAX_ROW_GROUPS && areBlocks(0, rowGroups, blocks),
)

/** Checks the structure of a row group's contents. */
export const isRowGroupContents = shapeOf<RowGroupContents>(
  {
    table: isText,
    rowCount: isCount,
    epoch: isNumber,
    sequenceBase: isCount,
    sequenceOffsets: maybe(arrayOf('u16', 'u32', 'f64')),
    timeField: isText,
    textField: isText,
    deltas: isDoubles,
    timeMarks: maybe(isTimeMarks),
    columns: listOf(isField),
    words: maybe(isWords),
    pieces: maybe(isBlock),
    before: isCount,
  },
  ({ rowCount, deltas, sequenceOffsets, columns }) =>
    deltas.length === rowCount &&
    (sequenceOffsets === undefined || sequenceOffsets.length === rowCount) &&
    columns.every(({ column }) => column.length === rowCount),
)
