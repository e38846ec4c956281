import { SluiceError, present } from '../../base/index.ts'
import {
  QueryFault,
  SeriesCollector,
  outcomeOf,
  runQuery,
  type MonitorDefinition,
  type QueryOutcome,
  type QueryOutput,
  type QueryTools,
  type RowResult,
} from '../monitors/index.ts'
import { passQuery, type PassQuery, type RoundRange } from './pass-query.ts'
import { isWorthwhile, passesOver } from './point-grid.ts'

type OutputAt = (roundMs: number) => QueryOutput | Promise<QueryOutput>

/** Called between queries; if it rejects, the run ends. */
export type Pause = () => Promise<void>

/**
 * Runs `work`; resolves to `undefined` if a query fails. The caller then runs one query for each round, which gives the
 * exact error.
 */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SluiceError || error instanceof QueryFault) return undefined
    throw error
  }
}

/** Runs all passes over some rounds. Returns the output for each round. */
async function readPasses(
  { grid, read, ofNoRows, countsRows }: PassQuery,
  name: string,
  roundsMs: readonly number[],
  intervalMs: number,
  pause: Pause,
): Promise<OutputAt> {
  const found = new Map<number, RowResult[]>()
  const add = (atMs: number, result: RowResult): void => {
    const known = found.get(atMs)
    if (known === undefined) found.set(atMs, [result])
    else known.push(result)
  }
  for (const pass of passesOver(grid, roundsMs, intervalMs)) {
    await pause()
    await read(pass, add)
  }
  return (roundMs) => {
    const collect = new SeriesCollector()
    for (let i = grid.count - 1; i >= 0; i--) {
      const atMs = roundMs + grid.lastMs - i * grid.stepMs
      for (const { labels, point, others } of found.get(atMs) ?? []) collect.add(labels, point, others)
      if (found.has(atMs)) continue
      for (const { labels, point, others } of ofNoRows) collect.add(labels, { ...point, timeMs: atMs }, others)
    }
    return { name, series: collect.series(), countsRows }
  }
}

/** Answers the queries of a monitor for many rounds, with the same results as separate queries for each round. */
export class RoundQueries {
  readonly #definition: MonitorDefinition
  readonly #tools: QueryTools
  readonly #pause: Pause
  readonly #passQueries: readonly (PassQuery | undefined)[]

  private constructor(
    definition: MonitorDefinition,
    tools: QueryTools,
    pause: Pause,
    passQueries: readonly (PassQuery | undefined)[],
  ) {
    this.#definition = definition
    this.#tools = tools
    this.#pause = pause
    this.#passQueries = passQueries
  }

  static async open(
    definition: MonitorDefinition,
    rounds: RoundRange,
    tools: QueryTools,
    pause: Pause,
  ): Promise<RoundQueries> {
    const queries: (PassQuery | undefined)[] = []
    for (const [i, query] of definition.queries.entries())
      queries.push(await unlessRefused(() => passQuery(query, i, rounds, tools)))
    return new RoundQueries(definition, tools, pause, queries)
  }

  /** Reads the answers for consecutive rounds. The returned function gives the outcome for each of these rounds. */
  async read(roundsMs: readonly number[]): Promise<(roundMs: number) => Promise<QueryOutcome>> {
    const { queries, intervalMs } = this.#definition
    const outputs: OutputAt[] = []
    for (const [i, query] of queries.entries()) {
      const passes = this.#passQueries[i]
      const isOnePass = passes !== undefined && isWorthwhile(passes.grid, intervalMs, roundsMs.length)
      const read = isOnePass
        ? await unlessRefused(() => readPasses(passes, query.name ?? '', roundsMs, intervalMs, this.#pause))
        : undefined
      const runOne: OutputAt = async (roundMs) => {
        await this.#pause()
        return runQuery(query, i, roundMs, intervalMs, this.#tools)
      }
      outputs.push(read ?? runOne)
    }
    return (roundMs) => outcomeOf(queries, (_, i) => present(outputs[i])(roundMs))
  }
}
