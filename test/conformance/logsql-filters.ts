import { parseRfc3339, present } from '../../src/base/index.ts'
import { compileTest, Instant, type Row, type Value } from '../../src/data/index.ts'
import { parseStreamName } from '../../src/functions/index.ts'
import { visit, visitExpr, expressions } from '../../src/plan/index.ts'
import { checkAll, readVectors, type Outcome, type Vector, type Verdict, type VectorText } from './logsql-outcome.ts'
import { noRenaming, renamingOf, type Renaming } from './logsql-rename.ts'
import { answer, engineOver, rowOfTexts, type VectorRow } from './logsql-table.ts'

/** Where the reference engine is held to differ, with the reason. */
const differences: ReadonlyMap<string, string> = new Map([
  ['3007f05bd5f9', 'an escaped letter in a JSON text is that letter'],
])

interface ClockAst {
  readonly type: 'day_range' | 'week_range'
  readonly startNs?: string
  readonly endNs?: string
  readonly startDay?: number
  readonly endDay?: number
  readonly offsetNs?: string
}

interface FilterVector extends Vector {
  readonly kind: string
  readonly q?: string
  readonly type?: string
  readonly ds?: string
  readonly rows?: readonly number[]
  readonly value?: VectorText
  readonly match?: boolean
  readonly row?: VectorRow
  readonly timestampsNs?: readonly string[]
  readonly ast?: ClockAst
  readonly expandsTo?: readonly string[]
}

type DataSet = Readonly<Record<string, readonly string[]>>

const INDEX = '#'

/** The indexes of the rows that match. */
async function matching(
  rows: readonly Row[],
  query: string,
  streamFields: readonly string[],
): Promise<readonly number[]> {
  const numbered = rows.map((row, i) => new Map<string, Value>([...row, [INDEX, String(i)]]))
  const found = await answer(engineOver(numbered, { streamFields }), query)
  return found.map((row) => Number(row.get(INDEX))).sort((a, b) => a - b)
}

function rowsOfDataSet(columns: DataSet, renaming: Renaming): readonly Row[] {
  const length = Math.max(...Object.values(columns).map((values) => values.length))
  return Array.from({ length }, (_, i) => {
    const own = Object.entries(columns).map(([name, values]): [string, Value] => [
      name,
      renaming.text(present(values[i])),
    ])
    const time = new Instant(BigInt(i) * 1_000_000_000n)
    const row: [string, Value][] = [
      ['job', renaming.text('foobar')],
      ['instance', renaming.text('host1:234')],
      ['_stream', renaming.text('{instance="host1:234",job="foobar"}')],
      ['_time', time],
      ...own,
    ]
    return new Map(row.map(([name, value]) => [renaming.text(name), value]))
  })
}

function isSame(actual: readonly number[], expected: readonly number[], query: string): Verdict {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return undefined
  return { failure: `${query} finds ${actual.join()}, not ${expected.join()}` }
}

async function checkOne(
  row: Row,
  query: string,
  isMatch: boolean,
  streamFields: readonly string[] = [],
): Promise<Verdict> {
  return isSame(await matching([row], query, streamFields), isMatch ? [0] : [], query)
}

/** Filters whose bounds the text cannot say, as the test they become. */
function checkClock({ ast, timestampsNs = [], rows = [] }: FilterVector): Verdict {
  if (ast === undefined) return { failure: 'neither text nor tree' }
  const isDay = ast.type === 'day_range'
  const args = isDay ? [Number(ast.startNs), Number(ast.endNs)] : [ast.startDay ?? 0, ast.endDay ?? 6]
  const holds = compileTest({
    kind: 'named',
    name: isDay ? 'day-range' : 'week-range',
    args: [...args, Number(ast.offsetNs ?? 0)],
  })
  const found = timestampsNs.flatMap((ns, i) => (holds(new Instant(BigInt(ns))) ? [i] : []))
  return isSame(found, rows, JSON.stringify(ast))
}

/** The texts that a common-case filter stands for, as they are in its plan. */
function checkCommonCase(query: string, expected: readonly string[]): Verdict {
  const texts: string[] = []
  visit(engineOver([]).plan(query, { dialect: 'logsql', lint: 'off' }).bound, (node) => {
    for (const root of expressions(node)) {
      visitExpr(root, (expr) => {
        if (expr.kind === 'test' && expr.test.kind === 'contains-any') texts.push(...expr.test.phrases)
      })
    }
  })
  return JSON.stringify(texts.sort()) === JSON.stringify([...expected].sort())
    ? undefined
    : { failure: `${query} becomes ${texts.join()}` }
}

function checker(
  datasets: Readonly<Record<string, DataSet>>,
): (vector: FilterVector, renaming: Renaming) => Promise<Verdict> {
  return async (vector, renaming) => {
    const reason = differences.get(vector.id)
    if (reason !== undefined) return { skip: reason }
    const { kind, q = '', type = '', rows = [], match = false, value } = vector
    switch (kind) {
      case 'columns':
        if (type === 'ValueType') return { skip: 'column encodings of the reference engine' }
        return isSame(
          await matching(
            rowsOfDataSet(present(datasets[vector.ds ?? '']), renaming),
            q,
            ['job', 'instance'].map((name) => renaming.text(name)),
          ),
          rows,
          q,
        )
      case 'match':
        if (typeof value !== 'string') return { skip: 'no UTF-8' }
        return checkOne(rowOfTexts({ [renaming.text('foo')]: value }), q, match)
      case 'row': {
        const labels = parseStreamName(vector.row?.['_stream'] ?? '') ?? []
        const row = new Map<string, Value>([...rowOfTexts(vector.row ?? {}), ...labels])
        const text = vector.row?.['_time'] ?? ''
        const ns = parseRfc3339(text) ?? parseRfc3339(`${text}Z`)
        if (ns !== undefined) row.set('_time', new Instant(ns))
        return checkOne(
          row,
          q,
          match,
          labels.map(([name]) => name),
        )
      }
      case 'stream-match': {
        const labels = parseStreamName(typeof value === 'string' ? value : '') ?? []
        const row = new Map<string, Value>(labels)
        const names = [...q.matchAll(/[\w.]+/g)].map(([name]) => name)
        return checkOne(row, q, match, [...new Set([...row.keys(), ...names])])
      }
      case 'timestamps': {
        if (vector.q === undefined) return checkClock(vector)
        const times = (vector.timestampsNs ?? []).map(
          (ns) => new Map<string, Value>([['_time', new Instant(BigInt(ns))]]),
        )
        return isSame(await matching(times, q, []), rows, q)
      }
      case 'stream-id':
        return { skip: 'stream ids are hashes of the reference engine' }
      case 'common-case':
        return checkCommonCase(q, vector.expandsTo ?? [])
      default:
        return { failure: `a vector of kind ${kind}` }
    }
  }
}

export async function checkFilters(directory: string, seed?: number): Promise<Outcome> {
  const { vectors, datasets } = readVectors<FilterVector, { readonly datasets: Readonly<Record<string, DataSet>> }>(
    directory,
    'filters.json',
  )
  const dataOf = ({ ds, value, row }: FilterVector): unknown => [
    ...(ds === undefined ? [] : [datasets[ds], { job: 'foobar', instance: 'host1:234' }]),
    ...(value === undefined ? [] : [{ foo: value }]),
    row,
  ]
  return checkAll('filters.json', vectors, checker(datasets), (vector) =>
    seed === undefined ? noRenaming : renamingOf(vector.id, seed, vector.q ?? '', dataOf(vector), vector.expandsTo),
  )
}
