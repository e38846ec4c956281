import { valueMeter } from '../../src/base/index.ts'
import { toText } from '../../src/data/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { checkAll, checkFile, textOf, type Outcome, type Vector, type Verdict } from './outcome.ts'
import { noRenaming, renamingOf } from './logsql-rename.ts'
import { answer, engineOver, rowOfTexts, sameAnswer, type VectorRow } from './logsql-table.ts'

interface PipeVector extends Vector {
  readonly q?: string
  readonly in?: readonly VectorRow[]
  readonly out?: unknown
  readonly ordered?: boolean
  readonly values?: readonly unknown[]
  readonly phi?: number
}

function checkQuantile({ values = [], phi = 0, out }: PipeVector): Verdict {
  const accumulator = standardFunctions.stats.get('quantile')?.accumulator({
    params: [phi],
    limit: undefined,
    argNames: ['x'],
    orderDirections: [],
    context: { rangeSeconds: undefined },
    meter: valueMeter(),
  })
  for (const value of values) accumulator?.add([textOf(value)])
  const actual = toText(accumulator?.finish() ?? null)
  return actual === textOf(out) ? undefined : { failure: `quantile(${phi}, ${values.join()}) gives ${actual}` }
}

/**
 * Known differences from the reference implementation, with the reason. A failed vector is skipped if one of them
 * applies.
 */
const differences: readonly { readonly reason: string; readonly test: (vector: PipeVector) => boolean }[] = [
  {
    reason: 'a row without a time comes last, as in every sort',
    test: ({ q = '', in: input = [] }) =>
      /^(total|running)_stats\s/.test(q) &&
      input.some((row) => '_time' in row) &&
      !input.every((row) => '_time' in row),
  },
]

/**
 * Runs one vector. With `isSorted`, the table's fields are sorted by name, as the reference implementation does for
 * `stats`; otherwise they keep their order.
 */
async function checkPipe(vector: PipeVector, isSorted: boolean): Promise<Verdict> {
  if (vector.kind === 'quantile') return checkQuantile(vector)
  const { kind = 'rows', q, out, in: input = [], ordered = false } = vector
  if (kind !== 'rows') return { failure: `is of a kind that is not known: ${kind}` }
  if (q === undefined) return { failure: 'has no query' }
  if (!Array.isArray(out)) return { failure: 'has no rows as its answer' }
  // Stored rows must have a time. A leading pipe lifts that restriction for rows without one.
  const source = input.every((row) => '_time' in row) ? '*' : '* | fields *'
  const actual = await answer(engineOver(input.map(rowOfTexts), { isSorted }), `${source} | ${q}`)
  const failure = sameAnswer(actual, out as readonly VectorRow[], ordered)
  if (failure === undefined) return undefined
  const difference = differences.find(({ test }) => test(vector))
  return difference === undefined ? { failure: `${q} ${failure}` } : { skip: difference.reason }
}

async function checkRows(
  directory: string,
  file: string,
  isSorted: boolean,
  seed: number | undefined,
): Promise<readonly Outcome[]> {
  return checkFile<PipeVector>(directory, file, ({ vectors }) =>
    checkAll(
      file,
      vectors,
      (vector) => checkPipe(vector, isSorted),
      ({ id = '', q = '', in: rows, out }) => (seed === undefined ? noRenaming : renamingOf(id, seed, q, rows, out)),
    ),
  )
}

export async function checkPipes(directory: string, seed?: number): Promise<readonly Outcome[]> {
  return [
    ...(await checkRows(directory, 'pipes.json', false, seed)),
    ...(await checkRows(directory, 'stats.json', true, seed)),
  ]
}
