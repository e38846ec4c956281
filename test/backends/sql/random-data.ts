import { Instant, JsonText, type StoredRow, type Value } from '../../../src/data/index.ts'
import { logRow, type Random } from './support.ts'

export interface DataShape {
  readonly rows: number
  /**
   * If true, any field can hold values of any type and unusual strings. Otherwise fields hold values of their declared
   * types.
   */
  readonly isWild: boolean
  readonly isInOrder: boolean
}

export const levels = ['info', 'warn', 'error', 'debug', 'ERROR', 'Warn', '\u212aelvin']
export const words = [
  'request',
  'Timeout',
  'connection',
  'reset',
  'by',
  'peer',
  'user_7',
  'été',
  'ÉTÉ',
  '503',
  '単語',
  'k',
]
export const separators = [' ', ' ', ' ', '  ', '-', ': ', ' [', '] ', '/', '=', ', ', '\t']

export const oddValues: readonly Value[] = [
  '',
  '5',
  '1e2',
  '100',
  '10ms',
  '1KiB',
  '10.0.0.7',
  'inf',
  'nan',
  '2026-01-15T10:00:00Z',
  'Straße',
  '\ud800x',
  'nul\0x',
  '😀',
  'İ',
  'true',
  '[1]',
  true,
  false,
  0,
  5,
  100,
  -3,
  2.5,
  1e300,
  NaN,
  Infinity,
  -Infinity,
  2 ** 53,
  9007199254740993n,
  -9007199254740993n,
  18446744073709551615n,
  new Instant(1_768_471_200_000_000_000n),
  new Instant(-5n),
  new JsonText('[1]'),
  new JsonText('["a","b"]'),
]

export const startNs = 1_768_471_200_000_000_000n

export function randomText(random: Random): string {
  let text = random.chance(0.1) ? random.pick(separators) : ''
  const count = 1 + random.below(5)
  for (let i = 0; i < count; i++) text += (i === 0 ? '' : random.pick(separators)) + random.pick(words)
  return random.chance(0.1) ? text + random.pick(separators) : text
}

function plainFields(random: Random): Record<string, Value> {
  const fields: Record<string, Value> = {
    level: random.pick(levels.slice(0, 4)),
    workload: `w${random.below(6)}`,
    pod: `pod-${random.below(20)}`,
    trace_id: random.below(2 ** 30).toString(16),
    status: random.pick([200, 200, 404, 500, 503]),
    duration_ms: random.chance(0.5) ? random.below(4000) / 8 : random.below(1_000_000) / 1000,
    content: randomText(random),
  }
  if (random.chance(0.5)) fields.user = `u${random.below(4)}`
  if (random.chance(0.3)) fields['http.path'] = random.pick(['/a', '/b?x=1', '/A'])
  return fields
}

const names = [
  'level',
  'workload',
  'namespace',
  'pod',
  'trace_id',
  'status',
  'duration_ms',
  'content',
  'user',
  'http.path',
  'a"b',
  'n',
]

function wildFields(random: Random): Record<string, Value> {
  const fields = plainFields(random)
  for (const name of names) {
    const fate = random.next()
    if (fate < 0.15) delete fields[name]
    else if (fate < 0.28) fields[name] = random.pick(oddValues)
  }
  if (random.chance(0.5)) fields.level = random.pick(levels)
  return fields
}

export function randomRows(random: Random, shape: DataShape): StoredRow[] {
  const rows: StoredRow[] = []
  let timeNs = startNs
  for (let i = 0; i < shape.rows; i++) {
    if (random.chance(0.8)) timeNs += BigInt(random.below(20)) * 1_000_000_000n
    const late = shape.isInOrder ? 0n : BigInt(random.below(60)) * 1_000_000_000n
    rows.push(logRow(i, timeNs - late, shape.isWild ? wildFields(random) : plainFields(random)))
  }
  return rows
}

export const fieldNames = [...names, '_time', 'nothing']
