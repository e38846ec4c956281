import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkAll, readLines, unreadable, type Outcome } from './outcome.ts'
import type { VectorSet } from './report.ts'
import { checkTraceql, traceServer, type TraceqlVector } from './traceql-api.ts'
import { ruledTraceql } from './traceql-rulings.ts'

const known = resolve(import.meta.dirname, '../../../shared/vectors/traceql')

const FILES = ['search.jsonl', 'metrics.jsonl', 'errors.jsonl', 'api.jsonl']

/** The TraceQL vectors. Another directory may hold only queries; they then run over the default directory's spans. */
export const traceqlVectors: VectorSet = {
  language: 'traceql',
  directory: known,
  run: async (directory) => {
    const data = [directory, known].map((each) => join(each, 'data.ndjson')).find((path) => existsSync(path))
    if (data === undefined) return []
    const server = await traceServer(readFileSync(data, 'utf8'))
    const outcomes: Outcome[] = []
    try {
      for (const file of FILES) {
        const vectors = readLines<TraceqlVector>(directory, file)
        if (vectors === undefined) continue
        outcomes.push(
          await checkAll(file, vectors, async (vector) => ruledTraceql(vector, await checkTraceql(vector, server))),
        )
      }
    } catch (error) {
      outcomes.push(unreadable('traceql', error))
    } finally {
      await server.close()
    }
    return outcomes
  },
}
