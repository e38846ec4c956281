import { valueMeter } from '../../src/base/index.ts'
import { toText, type Value } from '../../src/data/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { checkAll, readVectors, type Outcome, type Vector, type Verdict } from './logsql-outcome.ts'
import { noRenaming, renamingOf } from './logsql-rename.ts'
import { answer, engineOver, rowOfTexts, sameAnswer, type VectorRow } from './logsql-table.ts'

interface PipeVector extends Vector {
  readonly q: string
  readonly in?: readonly VectorRow[]
  readonly out: readonly VectorRow[] | string
  readonly ordered?: boolean
  readonly values?: readonly string[]
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
  for (const value of values) accumulator?.add([value])
  const actual: Value = accumulator?.finish() ?? null
  return toText(actual) === out ? undefined : { failure: `quantile(${phi}, ${values.join()}) gives ${toText(actual)}` }
}

/** Where the reference engine is held to differ, with the reason. */
const differences: ReadonlyMap<string, string> = new Map([
  ['bca2f42f48aa', 'a row without a time comes last, as in every sort'],
])

/** Rows as JSON: the reference engine sorts the names of `stats`, and keeps the order of fields elsewhere. */
async function checkPipe(vector: PipeVector, isSorted: boolean): Promise<Verdict> {
  const reason = differences.get(vector.id)
  if (reason !== undefined) return { skip: reason }
  if (vector.kind === 'quantile') return checkQuantile(vector)
  const { q, out, in: input = [], ordered = false } = vector
  if (typeof out === 'string') return { failure: `a vector of kind ${vector.kind ?? ''}` }
  // Stored rows have a time; a pipe in front makes them rows of any kind.
  const source = input.every((row) => '_time' in row) ? '*' : '* | fields *'
  const actual = await answer(engineOver(input.map(rowOfTexts), { isSorted }), `${source} | ${q}`)
  const difference = sameAnswer(actual, out, ordered)
  return difference === undefined ? undefined : { failure: `${q} ${difference}` }
}

async function checkFile(
  directory: string,
  file: string,
  isSorted: boolean,
  seed: number | undefined,
): Promise<Outcome> {
  return checkAll(
    file,
    readVectors<PipeVector>(directory, file).vectors,
    (vector) => checkPipe(vector, isSorted),
    ({ id, q, in: rows, out }) => (seed === undefined ? noRenaming : renamingOf(id, seed, q, rows, out)),
  )
}

export async function checkPipes(directory: string, seed?: number): Promise<readonly Outcome[]> {
  return [await checkFile(directory, 'pipes.json', false, seed), await checkFile(directory, 'stats.json', true, seed)]
}
