import { seededRandom } from '../../base/index.ts'
import { parsePromql, printPromql, type PromqlExpr } from '../../lang/promql/index.ts'
import { SqliteSamples, openSqlite } from '../../store/sqlite/index.ts'
import { defineFuzzer, type FuzzerDefinition, type Ground } from '../runner/fuzzer.ts'
import { runQuery } from './run-query.ts'
import { fuzzSamples, memoryStore } from './dataset.ts'
import { filedStore } from './filed-store.ts'
import { packedStore } from './packed-store.ts'
import { generatePromql, type PromqlCase } from './generate.ts'
import { promqlLaws, type LawCase } from './laws/index.ts'
import { loadSecondReader } from './second-reader.ts'

/** A metric query over the samples of a seed. */
export interface SamplesCase extends Omit<PromqlCase, 'uses'> {
  readonly samples: number
}

async function over(samples: number): Promise<Ground<SamplesCase, LawCase>> {
  const secondReader = await loadSecondReader()
  const stored = fuzzSamples(samples)
  const memory = memoryStore(stored)
  const connection = await openSqlite(':memory:')
  const sqlite = new SqliteSamples(connection)
  sqlite.append(stored)
  const files = filedStore(stored)
  const packed = packedStore(stored)
  return {
    prepare: async (given, seed) => {
      const answer = await runQuery(given.text, given, memory.reader)
      return {
        ...given,
        memory: memory.reader,
        sqlite,
        samples: stored,
        files: files.reader,
        packed,
        secondReader,
        answer,
        random: seededRandom(seed ^ 0x3c6ef372),
      }
    },
    close: () => void connection.close(),
  }
}

/** Returns every expression inside another one. */
function partsOf(value: unknown): readonly PromqlExpr[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(partsOf)
  return 'valueType' in value ? [value as PromqlExpr, ...inner] : inner
}

/** Yields the parts of the expression, the shortest first. */
export function* smallerMetrics(given: SamplesCase): Generator<SamplesCase> {
  const { ast } = parsePromql(given.text)
  const texts = ast === undefined ? [] : partsOf(ast).map((part) => printPromql(part))
  for (const text of texts.toSorted((a, b) => a.length - b.length))
    if (text.length < given.text.length) yield { ...given, text }
}

export const promqlDefinition: FuzzerDefinition<SamplesCase, LawCase> = {
  name: 'promql',
  casesPerBlock: 500,
  laws: promqlLaws.map((law) => ({ law, share: 1 })),
  block: async (block) => ({
    ...(await over(block)),
    draw: (random) => {
      const { uses, ...query } = generatePromql(random)
      return { given: { ...query, samples: block }, uses }
    },
  }),
  ground: ({ samples }) => over(samples),
  show: ({ text }) => text,
  smaller: smallerMetrics,
  notes: ({ answer, secondReader }) => [
    ...('error' in answer ? ['refused', `refused: ${answer.error}`] : answer.values.size === 0 ? ['empty'] : []),
    ...(secondReader === undefined ? ['without the second reader'] : []),
  ],
  write: ({ text, startMs, endMs, stepMs, samples }) => ({ text, startMs, endMs, stepMs, samples }),
  read: (kept) => kept as unknown as SamplesCase,
}

/** The fuzzer of random metric queries over random samples. */
export const promql = defineFuzzer(promqlDefinition)
