import { seededRandom, type JsonValue, type Random } from '../../base/index.ts'
import { Instant, toText, type Row, type Value } from '../../data/index.ts'
import { defineFuzzer, type Fuzzer, type FuzzerDefinition } from '../runner/fuzzer.ts'
import { writers, type DrawnRecord, type Expected, type ShapeWriter } from './writers.ts'

/** A payload as an agent sends it. */
export interface Payload {
  readonly format: string | undefined
  readonly contentType: string | undefined
  /** The compression, one of `packings`. */
  readonly packing: string
  readonly body: Uint8Array
  /** Number of pieces in which the payload arrives. */
  readonly pieces: number
}

/**
 * Functions of the server, which the caller passes in because the architecture does not allow this folder to import
 * them.
 */
export interface ShapeWays {
  readonly packings: readonly string[]
  /** Stores a payload in an empty store and returns the rows of `logs`, oldest first. */
  readonly store: (payload: Payload) => Promise<readonly Row[]>
}

/** Records, and the formats in which they are written and sent. */
export interface ShapeCase {
  readonly writer: string
  readonly packing: string
  readonly pieces: number
  readonly seed: number
  readonly records: readonly DrawnRecord[]
}

const WORDS = [
  'order',
  'placed',
  'a=b',
  'key: value',
  '"quoted"',
  "it's",
  'C:\\new\\table',
  '{"a":1}',
  '[x]',
  'é',
  '日本語',
  '😀',
  ',',
  ';',
  '\t',
  '|',
  '<13>',
  '%s',
  '100%',
  '  ',
  '-',
  '\u00a0',
]
const LEVELS = ['error', 'warn', 'info', 'debug']
const SERVICES = ['shop', 'api-gateway', 'cart_2']

function textOf(random: Random, hasLines: boolean): string {
  const words = Array.from({ length: 1 + random.below(6) }, () => random.pick(WORDS))
  const joined = words.map((word) => word + (hasLines && random.next() < 0.1 ? '\nnext' : ' ')).join('')
  return `did ${joined.trim()} end`
}

function drawRecord(random: Random, hasLines: boolean): DrawnRecord {
  const seconds = 1_600_000_000 + random.below(200_000_000)
  return {
    ns: BigInt(seconds) * 1_000_000_000n + BigInt(random.below(1_000_000_000)),
    text: textOf(random, hasLines),
    level: random.pick(LEVELS),
    service: random.pick(SERVICES),
    trace: Array.from({ length: 32 }, () => '0123456789abcdef'[1 + random.below(15)]).join(''),
    amount: random.below(1_000_000),
  }
}

function writerNamed(name: string): ShapeWriter {
  const found = writers.find((writer) => writer.name === name)
  if (found === undefined) throw new Error(`there is no way of writing called ${name}`)
  return found
}

interface Prepared {
  readonly fault: string | undefined
}

const FIELDS = { text: 'content', level: 'level', service: 'workload', trace: 'trace_id', amount: 'amount' } as const

function same(found: Value, wanted: string | number): boolean {
  return typeof wanted === 'number' ? Number(found) === wanted : found !== null && toText(found) === wanted
}

function faultOfRow(row: Row, expected: Expected): string | undefined {
  const time = row.get('_time') ?? null
  if (!(time instanceof Instant) || time.ns !== expected.ns)
    return `time ${time instanceof Instant ? time.ns : toText(time)}, not ${expected.ns}`
  for (const [member, name] of Object.entries(FIELDS)) {
    const wanted = expected[member as keyof typeof FIELDS]
    const found = row.get(name) ?? null
    if (wanted !== undefined && !same(found, wanted))
      return `${name} ${JSON.stringify(found === null ? null : toText(found))}, not ${JSON.stringify(wanted)}`
  }
  return undefined
}

async function faultOf(given: ShapeCase, ways: ShapeWays): Promise<string | undefined> {
  const { format, contentType, write } = writerNamed(given.writer)
  const { body, expected: unordered } = write(given.records, seededRandom(given.seed))
  const expected = unordered.toSorted((a, b) => Number(a.ns - b.ns))
  const rows = await ways.store({ format, contentType, packing: given.packing, body, pieces: given.pieces })
  if (rows.length !== expected.length) return `${rows.length} rows, not ${expected.length}`
  for (const [i, row] of rows.entries()) {
    const fault = faultOfRow(row, expected[i] as Expected)
    if (fault !== undefined) return `record ${i + 1}: ${fault}`
  }
  return undefined
}

export function shapesDefinition(ways: ShapeWays): FuzzerDefinition<ShapeCase, Prepared> {
  const prepare = async (given: ShapeCase): Promise<Prepared> => ({ fault: await faultOf(given, ways) })
  return {
    name: 'shapes',
    casesPerBlock: 20_000,
    laws: [{ law: { name: 'stored-as-drawn', check: ({ fault }) => fault }, share: 1 }],
    block: () => ({
      prepare,
      draw: (random, seed) => {
        const { name, hasLines } = random.pick(writers)
        const packing = random.pick(['identity', ...ways.packings])
        const records = Array.from({ length: 1 + random.below(random.next() < 0.05 ? 300 : 6) }, () =>
          drawRecord(random, hasLines),
        )
        const given = { writer: name, packing, pieces: 1 + random.below(5), seed, records }
        return { given, uses: new Set([`as ${name}`, `in ${packing}`]) }
      },
    }),
    ground: () => ({ prepare }),
    show: ({ writer, packing, records }) => `${writer} in ${packing}: ${records.map(({ text }) => text).join(' / ')}`,
    *smaller(given) {
      if (given.packing !== 'identity') yield { ...given, packing: 'identity' }
      if (given.pieces > 1) yield { ...given, pieces: 1 }
      for (let i = 0; i < given.records.length && given.records.length > 1; i++)
        yield { ...given, records: given.records.toSpliced(i, 1) }
      for (const [i, record] of given.records.entries()) {
        const words = record.text.split(' ')
        for (let at = 1; at < words.length; at++)
          yield { ...given, records: given.records.with(i, { ...record, text: words.toSpliced(at, 1).join(' ') }) }
      }
    },
    write: ({ records, ...given }) => ({
      ...given,
      records: records.map(({ ns, ...record }) => ({ ...record, ns: String(ns) })),
    }),
    read: (kept: JsonValue) => {
      const { records, ...given } = kept as unknown as Omit<ShapeCase, 'records'> & {
        readonly records: readonly (Omit<DrawnRecord, 'ns'> & { readonly ns: string })[]
      }
      return { ...given, records: records.map((record) => ({ ...record, ns: BigInt(record.ns) })) }
    },
  }
}

/**
 * Fuzzer of known record shapes. In every format, compression and protocol, records are stored with the drawn values.
 */
export const shapesFuzzer = (ways: ShapeWays): Fuzzer => defineFuzzer(shapesDefinition(ways))
