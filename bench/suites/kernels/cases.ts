import { Bytes, present } from '../../../src/base/index.ts'
import { ExactSums } from '../../../src/backends/columnar/group/exact-sums.ts'
import { GroupMemory } from '../../../src/backends/columnar/kernels/group-memory.ts'
import { rowsWithLiteral, type Needle } from '../../../src/backends/columnar/kernels/literal-scan.ts'
import { MOST_POINTS, pointText } from '../../../src/backends/columnar/kernels/point-text.ts'
import { foldNumbers, Labels } from '../../../src/data/index.ts'
import { JsonPieces, MOST_ROWS } from '../../../src/data/json-pieces.ts'
import { newColumn } from '../../../src/functions/series/columns.ts'
import { runRateKernel } from '../../../src/functions/series/rate/rate-kernel.ts'
import { createMemoryStore, jsonRecords, standardCatalog } from '../../../src/store/index.ts'
import { RecordScanner } from '../../../src/store/memory/records/record-scanner.ts'
import { BATCH_BYTES, BATCH_ROWS, WordMemory } from '../../../src/store/memory/words/word-index-memory.ts'
import { jsonLineChunks, logRecords } from '../../datasets.ts'
import { Random } from '../../random.ts'

/** A kernel with the arguments of a typical call, and a copy of as many bytes. */
export interface KernelCase {
  readonly name: string
  /** The bytes that it reads, or writes when that is more. */
  readonly bytes: number
  readonly run: () => void
}

/** The number of values of a segment. */
const ROWS = 65_536
const GROUPS = 30_000
const SEED = 1

interface Texts {
  readonly bytes: Bytes
  readonly offsets: Uint32Array
}

function messages(rows: number): Texts {
  const texts = Array.from(logRecords({ rows, seed: SEED }), ({ content }) => Buffer.from(content))
  const offsets = new Uint32Array(rows + 1)
  for (const [i, { length }] of texts.entries()) offsets[i + 1] = offsets[i] + length
  return { bytes: Bytes.from(Buffer.concat(texts).toString()), offsets }
}

function literal(text: string, isFolded: boolean): Needle {
  return { bytes: Buffer.from(text), isFolded, wordStart: false, wordEnd: false }
}

function literals({ bytes, offsets }: Texts): readonly KernelCase[] {
  const found = (name: string, needle: Needle): KernelCase => ({
    name,
    bytes: bytes.length,
    // Every second run starts at the second row, so that the data are not already in the kernel's memory.
    run: (
      (from: number) => () =>
        void rowsWithLiteral(needle, bytes, offsets, (from = 1 - from), ROWS)
    )(0),
  })
  return [
    found('a literal that no row has', literal('zyxquartzes', false)),
    found('a literal that many rows have, in any case', literal('request', true)),
  ]
}

/** The layout of eight buckets for each power of two from 1 to 2,048. */
const bits = { buckets: 88, shift: 17, base: 0x3ff00000 >> 17 }
const FEW_GROUPS = 100

function groups(): readonly KernelCase[] {
  const random = new Random(SEED)
  const values = Float64Array.from({ length: ROWS }, () => 1 + random.unit() * 2000)
  const drawn = (below: number): Uint32Array => Uint32Array.from({ length: ROWS }, () => random.below(below))
  const many = drawn(GROUPS)
  const few = drawn(FEW_GROUPS)
  const memory = new GroupMemory()
  const sums = new ExactSums(2048, memory)
  sums.reserve(GROUPS)
  const right = drawn(400)
  const pairs = present(memory.room(FEW_GROUPS * 400 * 4)).at
  let count = 0
  const histogram = present(memory.room(FEW_GROUPS * bits.buckets * 4)).at
  const given = { values, rows: undefined, length: ROWS }
  const bytes = ROWS * 12
  return [
    {
      name: `exact sums of ${GROUPS} groups`,
      bytes,
      run: () => {
        memory.groups.set(many)
        sums.addAll(values, undefined, memory.groups, ROWS)
      },
    },
    {
      name: `histograms of ${FEW_GROUPS} groups`,
      bytes,
      run: () => {
        memory.groups.set(few)
        memory.countByBits(given, bits, histogram)
      },
    },
    {
      name: 'numbers of pairs of numbers',
      bytes: ROWS * 8,
      run: () => {
        memory.groups.set(few)
        memory.numberPairs(right, { at: pairs, size: 400, count }, (added) => {
          count += added.length
        })
      },
    },
  ]
}

function points(): KernelCase {
  const random = new Random(SEED)
  const times = Float64Array.from({ length: MOST_POINTS }, (_, i) => 1_767_225_600_000 + i * 15_000)
  const values = Float64Array.from({ length: MOST_POINTS }, () => Math.round(random.unit() * 1e6) / 1000)
  const { text, count } = pointText(times, values, 0)
  if (count !== MOST_POINTS) throw new Error('a point was left to another writer')
  return {
    name: `text of ${MOST_POINTS} points`,
    bytes: text.length,
    run: () => void pointText(times, values, 0),
  }
}

/** The number of repetitions for which the work outweighs the call. */
const REPEATED = 8

function jsonRows({ bytes, offsets }: Texts): readonly KernelCase[] {
  const random = new Random(SEED)
  const pieces = new JsonPieces()
  const columns = ['message', 'took', 'time'].map((name) => ({ key: `,"${name}":`, isNamed: false }))
  const rows = Uint32Array.from({ length: MOST_ROWS }, (_, i) => i)
  const numbers = Float64Array.from({ length: MOST_ROWS }, () => Math.round(random.unit() * 1e6) / 1000)
  const nanos = Float64Array.from({ length: MOST_ROWS }, () => Math.floor(random.unit() * 6e10))
  const check = (isWritten: boolean): void => {
    if (!isWritten) throw new Error('a value was left to another writer')
  }
  const values = { textAt: () => undefined }
  const quote = (): void => {
    pieces.starts.set(offsets.subarray(0, MOST_ROWS))
    pieces.ends.set(offsets.subarray(1, MOST_ROWS + 1))
    check(pieces.quote(0, rows, pieces.takeTexts(0, bytes, MOST_ROWS), values) === MOST_ROWS)
  }
  const writeNumbers = (): void => {
    pieces.numbers.set(numbers)
    check(pieces.writeNumbers(1, rows, MOST_ROWS, values) === MOST_ROWS)
  }
  const writeTimes = (): void => {
    pieces.numbers.set(nanos)
    check(pieces.writeTimes(2, 0, MOST_ROWS, '"2026-01-01T00:00:'))
  }
  const repeated = (write: () => void) => () => {
    for (let i = 0; i < REPEATED; i++) {
      pieces.begin(columns)
      write()
    }
  }
  const each = [
    { name: 'texts as JSON', bytes: offsets[MOST_ROWS], write: quote },
    { name: 'numbers as JSON', bytes: MOST_ROWS * 8, write: writeNumbers },
    { name: 'times as JSON', bytes: MOST_ROWS * 32, write: writeTimes },
  ]
  pieces.begin(columns)
  for (const { write } of each) write()
  const { length } = pieces.joined(MOST_ROWS, '\n')
  return [
    ...each.map(({ write, ...one }) => ({ ...one, bytes: one.bytes * REPEATED, run: repeated(write) })),
    { name: 'rows of JSON', bytes: length, run: () => void pieces.joined(MOST_ROWS, '\n') },
  ]
}

/** The number of scrapes in four hours, and of the query over them. */
const SCRAPES = 960
const STEPS = 480

function rates(): KernelCase {
  const random = new Random(SEED)
  const startMs = 1_767_225_600_000
  const timesMs = Float64Array.from({ length: SCRAPES }, (_, i) => startMs + i * 15_000 + random.below(20))
  let total = 0
  const values = timesMs.map(() => (total = random.below(500) === 0 ? 0 : total + random.below(100)))
  const endsMs = Float64Array.from({ length: STEPS }, (_, i) => startMs + (i + 1) * 30_000)
  const out = newColumn(Labels.empty, false, STEPS)
  return {
    name: `rates of ${SCRAPES} samples in ${STEPS} windows`,
    bytes: SCRAPES * 16,
    run: () => runRateKernel({ timesMs, values }, out, { rangeMs: 300_000, endsMs }, { isCounter: true, isRate: true }),
  }
}

const SCANNED_BYTES = 256 * 1024

function lines(): KernelCase {
  const [chunk = Buffer.alloc(0)] = jsonLineChunks({ rows: 1000, seed: SEED })
  const bytes = chunk.subarray(0, chunk.lastIndexOf(10, SCANNED_BYTES - 1) + 1)
  const { scanOptions } = createMemoryStore(standardCatalog).table('logs').writer.rows
  const scanner = new RecordScanner(jsonRecords(), scanOptions, SCANNED_BYTES)
  return {
    name: 'values of JSON lines',
    bytes: bytes.length,
    run: () => {
      scanner.text.set(bytes)
      if (scanner.scan(0, bytes.length).position !== bytes.length) throw new Error('a line was left')
    },
  }
}

function words({ bytes, offsets }: Texts): readonly KernelCase[] {
  let rows = 0
  while (rows < BATCH_ROWS && offsets[rows + 1] <= BATCH_BYTES) rows++
  const memory = new WordMemory({ rows: BATCH_ROWS, words: 1 << 16, longBytes: 1 << 16, stream: 1 << 20 })
  memory.put(bytes, offsets, 0, rows)
  return [
    {
      name: 'texts folded, and where words end',
      bytes: offsets[rows],
      run: () => memory.put(bytes, offsets, 0, rows),
    },
    {
      name: 'words looked up and added',
      bytes: offsets[rows],
      run: () => {
        memory.clear()
        if (memory.read(0, 0, rows) !== rows) throw new Error('there was no room for a word')
      },
    },
  ]
}

/** Returns a case for every kernel of the engine. */
function folds({ bytes, offsets }: Texts): KernelCase {
  return {
    name: 'templates of messages',
    bytes: bytes.length,
    run: () => {
      for (let row = 0; row < ROWS; row++) foldNumbers(bytes, offsets[row], offsets[row + 1], true)
    },
  }
}

export function kernelCases(): readonly KernelCase[] {
  const texts = messages(ROWS)
  return [
    folds(texts),
    ...literals(texts),
    ...groups(),
    points(),
    ...jsonRows(texts),
    rates(),
    lines(),
    ...words(texts),
  ]
}
