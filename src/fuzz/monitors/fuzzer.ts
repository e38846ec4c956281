import { SluiceError, seededRandom, type JsonValue } from '../../base/index.ts'
import type { MonitorDefinition } from '../../alerting/monitors/index.ts'
import type { StoredRow } from '../../data/index.ts'
import { defineFuzzer, type FuzzerDefinition, type Ground } from '../runner/fuzzer.ts'
import { fewerFields, fewerRows } from '../runner/shrink-by.ts'
import { rowsOf, rowsToJson } from '../stored-rows.ts'
import { drawMonitor, type MonitorJson } from './bodies.ts'
import { brokenMonitor } from './broken.ts'
import { acceptMonitor, columnarTools, evaluateRounds, modelTools, type Round } from './evaluation.ts'
import { monitorLaws, type CheckedMonitor } from './laws.ts'
import { START_MS, monitorData } from './rows.ts'

/** A monitor, the rows that it queries, and the number of its evaluations. */
export interface MonitorCase {
  readonly body: MonitorJson
  readonly broken: JsonValue
  readonly rounds: number
  readonly rows: readonly StoredRow[]
  /** Row numbers; before each of them, the earlier rows are sealed. */
  readonly seals: readonly number[]
  readonly batchRows: number
}

type Data = Pick<MonitorCase, 'rows' | 'seals' | 'batchRows'>

function over({ rows, seals, batchRows }: Data): Ground<MonitorCase, CheckedMonitor> {
  const columnar = columnarTools(rows, seals, batchRows)
  const model = modelTools(rows)
  const accepted = (body: MonitorJson): MonitorDefinition | SluiceError => {
    try {
      return acceptMonitor(body, columnar)
    } catch (error) {
      if (error instanceof SluiceError) return error
      throw error
    }
  }
  return {
    prepare: ({ body, broken, rounds: count }) => {
      const definition = accepted(body)
      const toMs = START_MS + (definition instanceof SluiceError ? 0 : count * definition.intervalMs)
      let made: Promise<readonly Round[]> | undefined
      const rounds = (given: MonitorDefinition): Promise<readonly Round[]> =>
        (made ??= evaluateRounds(given, columnar, START_MS, toMs))
      return { definition, columnar, model, toMs, rounds, broken }
    },
  }
}

/** Yields versions of a value without one of its members or items, down to `depth` levels. */
function* fewerMembers(value: JsonValue, depth: number): Generator<JsonValue> {
  if (depth === 0 || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[]
    for (const [i, item] of items.entries()) {
      yield items.toSpliced(i, 1)
      for (const smaller of fewerMembers(item, depth - 1)) yield items.with(i, smaller)
    }
    return
  }
  const members = Object.entries(value as MonitorJson)
  for (const [name, member] of members) {
    yield Object.fromEntries(members.filter(([other]) => other !== name))
    for (const smaller of fewerMembers(member, depth - 1)) yield { ...(value as MonitorJson), [name]: smaller }
    if (name !== 'expression' || typeof member !== 'string') continue
    const pipes = member.split(' | ')
    for (let i = 0; i < pipes.length && pipes.length > 1; i++)
      yield { ...(value as MonitorJson), [name]: pipes.toSpliced(i, 1).join(' | ') }
  }
}

export const monitorsDefinition: FuzzerDefinition<MonitorCase, CheckedMonitor> = {
  name: 'monitors',
  casesPerBlock: 50,
  laws: monitorLaws,
  block: (block, { minRows }) => {
    const { rows, seals, batchRows } = monitorData(seededRandom(block ^ 0x30717), minRows)
    return {
      ...over({ rows, seals, batchRows }),
      draw: (random) => {
        const { body, uses } = drawMonitor(random)
        const given = { body, broken: brokenMonitor(random, body), rounds: 2 + random.below(8), rows, seals, batchRows }
        return { given, uses }
      },
    }
  },
  ground: over,
  show: ({ body, broken }) => `${JSON.stringify(body)} or ${JSON.stringify(broken)}`,
  *smaller(given) {
    if (given.rounds > 1) yield { ...given, rounds: Math.ceil(given.rounds / 2) }
    if (given.seals.length > 0) yield { ...given, seals: [] }
    if (given.batchRows !== 4096) yield { ...given, batchRows: 4096 }
    for (const body of fewerMembers(given.body, 5)) yield { ...given, body: body as MonitorJson }
    for (const broken of fewerMembers(given.broken, 5)) yield { ...given, broken }
    for (const rows of fewerRows(given.rows)) yield { ...given, rows, seals: [] }
    for (const rows of fewerFields(given.rows)) yield { ...given, rows }
  },
  notes: ({ definition }) => (definition instanceof SluiceError ? ['refused', `refused: ${definition.code}`] : []),
  write: ({ body, broken, rounds, rows, seals, batchRows }) => ({
    body,
    broken,
    rounds,
    seals: [...seals],
    batchRows,
    rows: rowsToJson(rows),
  }),
  read: (kept) => {
    const { rows, ...given } = kept as unknown as Omit<MonitorCase, 'rows'> & { readonly rows: JsonValue }
    return { ...given, rows: rowsOf(rows) }
  },
}

/**
 * Fuzzer of monitors. States, labels and values must be the same over the store, over the row model, in a backtest, and
 * for monitors that share answers. A randomly changed monitor must be rejected with the position of the mistake.
 */
export const monitors = defineFuzzer(monitorsDefinition)
