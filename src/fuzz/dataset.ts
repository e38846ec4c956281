import { parseRfc3339, type Random } from '../base/index.ts'
import { Instant, JsonText, type MutableRow, type StoredRow, type Value } from '../data/index.ts'

/** Field names the generators draw from; the first ones are declared in the logs table, the others are not. */
export const fieldNames = [
  'level',
  'workload',
  'namespace',
  'status',
  'duration_ms',
  'content',
  'a',
  'b.c',
  'user id',
  'ä',
] as const

/** Words that occur both in messages and in queries, so that searches find something. */
export const words = [
  'error',
  'timeout',
  'request',
  'connection',
  'refused',
  'Retry',
  'GET',
  'user_1',
  'user1234',
  'x9',
  'ÄRGER',
  'straße',
  'İstanbul',
  'deadbeef',
  '10.0.0.1',
  'a-b',
  'conn',
  'ERROR',
  'ǅ',
  '日本',
  '𐐁𐐨x',
  '\uff5e',
] as const

/** Strings that occur only in data: they contain half of a surrogate pair, which is not valid in a query. */
const dataWords = [...words, '\ud800', 'x\udc00', '\udbffz'] as const

const SEPARATORS = [' ', ' ', ' ', ', ', '-', '/', ': ', '_', '"', '\n', ' (', ') ']
export const levels = ['info', 'warn', 'error', 'Error', 'debug', ''] as const
export const workloads = ['api', 'web', 'db', 'API', 'checkout-api'] as const

/** Numbers for which rounding, order and sign are most likely to be wrong. */
export const numbers: readonly (number | bigint)[] = [
  0,
  1,
  -1,
  2,
  3,
  1.5,
  -1.5,
  0.1,
  0.2,
  100,
  200,
  404,
  500,
  503,
  1e15,
  9007199254740991,
  9007199254740992,
  9007199254740993n,
  -9007199254740993n,
  9223372036854775807n,
  -9223372036854775808n,
  1e21,
  1e-7,
  1e300,
  -1e300,
  123456.789,
  -0,
  NaN,
  Infinity,
  -Infinity,
]

export const numberTexts = [
  '0',
  '1',
  '1.50',
  '-2',
  '1e3',
  '0x10',
  '1_000',
  '-1.234_567',
  '1.2_5s',
  '5us',
  '10KB',
  '1.5KiB',
  '2s',
  '1h30m',
  'inf',
  'nan',
  '007',
  '1.2.3.4',
  ' 5',
] as const

/** JSON numbers whose text, such as `1.50`, is stored unchanged. */
const numbersWithText = ['1.50', '1.5e0', '-0', '200.0', '5e-3', '12345678901234567890.0', '1e400'] as const

/** Texts such that at least one pipe can parse each of them. */
const wholeTexts = [
  '{"a":"x9","x":[1,2],"y":{"z":"error"}}',
  '{"level":"warn","b":{"c":1.50}}',
  'x=1 level=warn y="a b" error',
  '<165>1 2026-01-02T03:04:05Z db-1 api 12 - [a@1 b="c"] error timeout',
  '<13>Jan  2 03:04:05 web cron[7]: request refused',
  '\u001b[31merror\u001b[0m timeout 10.0.0.1',
  '2001:db8::1',
  '10.0.0.1',
  '3d5d6e5e-6f0a-4a5c-9d2c-0123456789ab',
  'a%20b%C3%A4',
  'v1.2.3 took 5ms, 3TB of 1_000 at 0x1F2a',
  '\u001b[31mline2\u001b[0m k42z ЙЦ123ук abc abcd x0',
  '2026-01-02 03:04:05.5+01:00 1/2/3-4-5 T1:2:3Z',
] as const

const timeTexts = ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000000001Z', '2026-01-02', '1969-12-31T23:59:59Z']

function text(random: Random): string {
  let message = ''
  const count = random.below(6)
  for (let i = 0; i <= count; i++) message += (i === 0 ? '' : random.pick(SEPARATORS)) + random.pick(dataWords)
  return message
}

function anyValue(random: Random): Value {
  switch (random.below(10)) {
    case 0:
      return random.pick(numberTexts)
    case 9:
      return random.pick(wholeTexts)
    case 1:
      return random.next() < 0.5
    case 2:
      return ''
    case 3:
      return random.pick(timeTexts)
    case 4:
      return new JsonText(random.pick([...numbersWithText, '[]', '[1,"a",null]', '["error","x9"]', '[{"a":1}]']))
    case 5:
    case 6:
      return random.pick(numbers)
    default:
      return text(random)
  }
}

/** Middle of the times of the fuzz data, ns since 1970. */
export const fuzzBaseNs = 1_767_323_045_000_000_000n

/** Instants at which the clocks of Berlin, New York and Lord Howe change; the latter change by half an hour. */
const zoneChanges = [
  '2026-03-29T01:00:00Z',
  '2026-10-25T01:00:00Z',
  '2026-03-08T07:00:00Z',
  '2026-11-01T06:00:00Z',
  '2026-04-04T15:00:00Z',
  '2026-10-03T15:30:00Z',
] as const

/**
 * Returns the middle of the times of one block of cases. In a third of the blocks, the clocks of some time zone change
 * at this instant.
 */
export function baseOf(random: Random): bigint {
  if (random.next() < 0.65) return fuzzBaseNs
  return parseRfc3339(random.pick(zoneChanges)) ?? fuzzBaseNs
}

const STEPS_NS = [0n, 1n, 999n, 1_000_000n, 1_000_000_000n, 60_000_000_000n, 3_600_000_000_000n, 86_400_000_000_000n]

/**
 * Kind of most values of a data set. Columns of only numbers or only strings reach code for sorts, keys and sums that
 * mixed columns seldom reach.
 */
type Flavour = 'mixed' | 'numbers' | 'texts'

function flavoured(random: Random, flavour: Flavour): Value {
  if (flavour === 'mixed' || random.next() < 0.1) return anyValue(random)
  if (flavour === 'texts') return random.pick(dataWords)
  return random.next() < 0.1 ? new JsonText(random.pick(numbersWithText)) : random.pick(numbers)
}

function row(random: Random, timeNs: bigint, flavour: Flavour): MutableRow {
  const fields: MutableRow = new Map<string, Value>([['_time', new Instant(timeNs)]])
  const set = (name: string, value: Value, share: number): void => {
    if (random.next() < share) fields.set(name, value)
  }
  set('level', random.pick(levels), 0.9)
  set('workload', random.pick(workloads), 0.9)
  set('namespace', random.pick(['shop', 'pay', 'Shop']), 0.7)
  set('status', random.next() < 0.85 ? random.pick([200, 204, 404, 500, 503]) : anyValue(random), 0.8)
  set('duration_ms', random.next() < 0.85 ? Math.round(random.next() * 1e6) / 1000 : flavoured(random, flavour), 0.8)
  set('content', random.next() < 0.95 ? text(random) : anyValue(random), 0.95)
  set('a', flavoured(random, flavour), 0.6)
  set('b.c', flavoured(random, flavour), 0.4)
  set('user id', random.pick(dataWords), 0.3)
  set('ä', anyValue(random), 0.2)
  return fields
}

/**
 * Returns 0 to `maxRows` rows (`maxRows` is at least 10) in order of ingestion. Their times are out of order and
 * contain ties.
 */
export function fuzzRows(random: Random, maxRows: number, baseNs = fuzzBaseNs): StoredRow[] {
  // Usually enough rows that filters match some of them, sometimes hardly any rows.
  const count = random.next() < 0.12 ? random.below(5) : 10 + random.below(maxRows - 9)
  const flavour = random.pick<Flavour>(['mixed', 'mixed', 'numbers', 'texts'])
  let timeNs = baseNs
  const rows: StoredRow[] = []
  for (let sequence = 0; sequence < count; sequence++) {
    timeNs += random.pick(STEPS_NS) * (random.next() < 0.3 ? -1n : 1n)
    rows.push({ timeNs, sequence, row: row(random, timeNs, flavour) })
  }
  return rows
}

/** Maximum number of rows of a usual data set. */
export const MAX_ROWS = 40

export interface FuzzData {
  readonly rows: readonly StoredRow[]
  readonly baseNs: bigint
  /** Row numbers; before each of them, the earlier rows are sealed into a segment. */
  readonly seals: readonly number[]
  readonly batchRows: number
}

/**
 * Draws the data of one block of cases. One block in 500 has more rows than a zone of a segment, one in 50 has some
 * hundred. Segments and batches end at random rows.
 */
export function fuzzData(random: Random, minRows = 0): FuzzData {
  const baseNs = baseOf(random)
  const dice = random.next()
  const rows = fuzzRows(random, MAX_ROWS, baseNs)
  const some = dice < 1 / 500 ? 1100 + random.below(1000) : dice < 1 / 50 ? 100 + random.below(200) : 0
  const wanted = Math.max(some, minRows)
  while (rows.length < wanted) {
    const from = rows.length
    for (const more of fuzzRows(random, MAX_ROWS, baseNs)) rows.push({ ...more, sequence: from + more.sequence })
  }
  const cuts = random.pick([0, 1, 1, 1, 2, 3])
  const seals = Array.from({ length: cuts }, () => random.below(rows.length + 1)).toSorted((a, b) => a - b)
  const batchRows = random.pick([1, 3, 7, 33, 4096, 4096, 4096])
  // Batches of one row make large data sets slow and test nothing more.
  return { rows, baseNs, seals, batchRows: wanted === 0 ? batchRows : Math.max(batchRows, 33) }
}
