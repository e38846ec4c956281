import type { Random } from '../base/index.ts'
import { fieldNames } from './dataset.ts'
import { writeFilter } from './filters.ts'
import { allPipes } from './pipes.ts'
import { Writer, type PipeGenerator } from './writer.ts'

export interface GeneratedQuery {
  readonly filter: string
  /** Pipes without the bars. */
  readonly pipes: readonly string[]
  readonly uses: ReadonlySet<string>
}

export function queryText(query: Pick<GeneratedQuery, 'filter' | 'pipes'>): string {
  return [query.filter, ...query.pipes].join(' | ')
}

/** Weighted by how much each pipe is used. */
function pickPipe(w: Writer): PipeGenerator {
  let at = w.random.next() * allPipes.reduce((sum, g) => sum + g.weight, 0)
  return allPipes.find((g) => (at -= g.weight) < 0) ?? allPipes[0]
}

/** A random query over the fuzz data: a filter, then up to four pipes. */
export function generateQuery(random: Random): GeneratedQuery {
  const w = new Writer(random, ['_time', ...fieldNames])
  const filter = w.chance(0.4) ? '*' : writeFilter(w, 2)
  const pipes: string[] = []
  const count = random.below(5)
  for (let i = 0; i < count; i++) {
    const generator = pickPipe(w)
    // A sample is of records: above a part that another backend ran there are none (grammar/semantics.md).
    if (generator.name === 'sample' && pipes.length > 0) continue
    w.use(`pipe/${generator.name}`)
    pipes.push(generator.write(w))
  }
  return { filter, pipes, uses: w.uses }
}
