import { parseRfc3339 } from '../../src/base/index.ts'
import { compileTest, Instant, type Row, type Value } from '../../src/data/index.ts'
import { parseStreamName } from '../../src/data/index.ts'
import { visit, visitExpr, expressions } from '../../src/plan/index.ts'
import { checkAll, checkFile, isSameSet, type Outcome, type Vector, textOf, type Verdict } from './outcome.ts'
import { noRenaming, renamingOf, type Renaming } from './logsql-rename.ts'
import { answer, engineOver, rowOfTexts, type VectorRow } from './logsql-table.ts'

/**
 * Known differences from the reference implementation, with the reason. A failed vector is skipped if one of them
 * applies.
 */
const differences: readonly { readonly reason: string; readonly test: (vector: FilterVector) => boolean }[] = [
  {
    reason: 'an escaped letter in a JSON text is that letter',
    test: ({ q, value }) =>
      q?.includes('json_array_contains_any') === true && typeof value === 'string' && /\\u[0-9a-f]{4}/i.test(value),
  },
]

interface ClockAst {
  readonly type: 'day_range' | 'week_range'
  readonly startNs?: string
  readonly endNs?: string
  readonly startDay?: number
  readonly endDay?: number
  readonly offsetNs?: string
}

interface FilterVector extends Vector {
  readonly q?: string
  readonly type?: string
  readonly ds?: string
  readonly rows?: readonly number[]
  readonly value?: unknown
  readonly match?: boolean
  readonly row?: VectorRow
  readonly timestampsNs?: readonly string[]
  readonly ast?: ClockAst
  readonly expandsTo?: readonly string[]
}

type DataSet = Readonly<Record<string, readonly unknown[]>>

const INDEX = '#'

/** Returns the indexes of the rows that match a query. */
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
      renaming.text(textOf(values[i])),
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

/**
 * Checks a filter on times of day or days of the week whose bounds have no written form, by running the compiled test.
 */
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

/**
 * Checks the strings to which a common-case filter expands, as listed in its plan. Such a filter matches the usual
 * capitalizations of a string.
 */
function checkCommonCase(query: string, expected: readonly string[]): Verdict {
  const texts: string[] = []
  visit(engineOver([]).plan(query, { dialect: 'logsql', lint: 'off' }).bound, (node) => {
    for (const root of expressions(node)) {
      visitExpr(root, (expr) => {
        if (expr.kind === 'test' && expr.test.kind === 'contains-any') texts.push(...expr.test.phrases)
      })
    }
  })
  return isSameSet(texts, expected) ? undefined : { failure: `${query} becomes ${texts.join()}` }
}

function checker(
  datasets: Readonly<Record<string, DataSet>>,
): (vector: FilterVector, renaming: Renaming) => Promise<Verdict> {
  return async (vector, renaming) => {
    const verdict = await checkFilter(vector, renaming, datasets)
    if (verdict === undefined || 'skip' in verdict) return verdict
    const difference = differences.find(({ test }) => test(vector))
    return difference === undefined ? verdict : { skip: difference.reason }
  }
}

async function checkFilter(
  vector: FilterVector,
  renaming: Renaming,
  datasets: Readonly<Record<string, DataSet>>,
): Promise<Verdict> {
  const { kind, q = '', type = '', rows = [], match = false, value } = vector
  switch (kind) {
    case 'columns': {
      if (type === 'ValueType') return { skip: 'column encodings of the reference engine' }
      const dataset = datasets[vector.ds ?? '']
      if (dataset === undefined) return { failure: `there is no data set ${vector.ds ?? ''}` }
      const streamFields = ['job', 'instance'].map((name) => renaming.text(name))
      return isSame(await matching(rowsOfDataSet(dataset, renaming), q, streamFields), rows, q)
    }
    case 'match':
      return checkOne(rowOfTexts({ [renaming.text('foo')]: value }), q, match)
    case 'row': {
      const labels = parseStreamName(textOf(vector.row?.['_stream'])) ?? []
      const row = new Map<string, Value>([...rowOfTexts(vector.row ?? {}), ...labels])
      const text = textOf(vector.row?.['_time'])
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
      const labels = parseStreamName(textOf(value)) ?? []
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
      return { failure: `is of a kind that is not known: ${kind ?? ''}` }
  }
}

export async function checkFilters(directory: string, seed?: number): Promise<readonly Outcome[]> {
  const file = 'filters.json'
  return checkFile<FilterVector>(directory, file, async ({ vectors, others }) => {
    const datasets = (others['datasets'] ?? {}) as Readonly<Record<string, DataSet>>
    const dataOf = ({ ds, value, row }: FilterVector): unknown => [
      ...(ds === undefined ? [] : [datasets[ds], { job: 'foobar', instance: 'host1:234' }]),
      ...(value === undefined ? [] : [{ foo: value }]),
      row,
    ]
    return checkAll(file, vectors, checker(datasets), (vector) =>
      seed === undefined
        ? noRenaming
        : renamingOf(vector.id ?? '', seed, vector.q ?? '', dataOf(vector), vector.expandsTo),
    )
  })
}
