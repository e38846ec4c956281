import { isError, seededRandom, type JsonValue, type Random } from '../../../src/base/index.ts'
import { fuzzBaseNs, fuzzData } from '../../../src/fuzz/dataset.ts'
import { everyForm, formsIn, undrawnForms } from '../../../src/fuzz/forms.ts'
import { generatePair, generateQuery, pairCount, queryText } from '../../../src/fuzz/log-query.ts'
import type { FuzzerDefinition, Ground } from '../../../src/fuzz/runner/fuzzer.ts'
import { rowsOf, rowsToJson } from '../../../src/fuzz/stored-rows.ts'
import { smallerTexts, type TextCase } from '../../../src/fuzz/texts.ts'
import { parse } from '../../../src/lang/log/index.ts'
import type { StoredRow } from '../../../src/data/index.ts'
import { shrinkBounds, type Compared, type Comparison } from './comparison.ts'
import { judge } from './judge.ts'
import { logDifference, type LogAnswer } from './log-answers.ts'
import { answerOf, columnarEngine } from './log-engine.ts'
import { jsonLinesOf, renamed } from './log-rows.ts'
import { isComparable, logRules, type LogQuestion } from './log-rules.ts'
import { LogServer } from './log-server.ts'
import { Server, ServerFault } from './server.ts'

export type LogCase = Omit<TextCase, 'dialect'>

export interface LogSetting {
  readonly server: Server
  /** True if the server is the row model, which must return exactly the same rows in the same order. */
  readonly isModel: boolean
  /** Value of `now` for Sluice's engine, in nanoseconds since 1970. */
  readonly nowNs: bigint
  /** If set, a form that every drawn query must contain. */
  readonly only?: string | undefined
}

/** Number of attempts to draw a comparable query. After that, `*` is used instead. */
const MOST_DRAWS = 40
const MOST_DRAWS_OF_ONE = 4_000
/**
 * Step between the indexes of two drawn pairs of forms. It has no factor in common with the number of pairs, so a run
 * covers them evenly.
 */
const PAIR_STEP = 7_919
const NO_MESSAGE = 'none'

type LogQuery = Pick<LogCase, 'options' | 'filter' | 'pipes'>

function textOf(given: LogQuery): string {
  return renamed(queryText(given))
}

/**
 * Returns the forms of a query; `undefined` if it is invalid, cannot be compared with the server, or lacks the form
 * `only`.
 */
function formsOf(given: LogQuery, { isModel, only }: Pick<LogSetting, 'isModel' | 'only'>): Set<string> | undefined {
  const { ast, diagnostics } = parse(textOf(given), { dialect: 'logsql' })
  if (diagnostics.some(isError)) return undefined
  const forms = formsIn(ast)
  if (!isModel && ![...forms].every(isComparable)) return undefined
  return only !== undefined && !forms.has(only) ? undefined : forms
}

/** Draws a query: for even seeds one with a certain pair of forms, for odd seeds any query. */
export function drawLogQuery(
  random: Random,
  seed: number,
  setting: Pick<LogSetting, 'isModel' | 'only'> & { readonly baseNs: bigint },
): LogQuery & { readonly uses: ReadonlySet<string> } {
  const { baseNs, only } = setting
  for (let i = 0; ; i++) {
    const { options, filter, pipes } =
      seed % 2 === 0
        ? generatePair(random, ((seed / 2 + i) * PAIR_STEP) % pairCount, baseNs)
        : generateQuery(random, baseNs)
    const query = { options, filter, pipes }
    const uses = formsOf(query, setting)
    if (uses !== undefined) return { ...query, uses }
    if (i >= (only === undefined ? MOST_DRAWS : MOST_DRAWS_OF_ONE)) return { filter: '*', pipes: [], uses: new Set() }
  }
}

/** Returns the comparison of Sluice's log queries with a server. */
export function compareLogs({ server, isModel, nowNs, only }: LogSetting): Comparison<LogCase> {
  const client = new LogServer(server)
  const noMessage = isModel ? undefined : NO_MESSAGE

  async function over(given: Pick<LogCase, 'rows' | 'seals'>): Promise<Ground<LogCase, Compared>> {
    const { rows, seals = [] } = given
    const cuts = [0, ...seals, rows.length]
    const parts = cuts.slice(1).map((end, i) => jsonLinesOf(rows.slice(cuts[i], end), noMessage))
    const engine = columnarEngine(parts, nowNs)
    const data = await client.load(parts.join(''), rows.length)
    return {
      prepare: async (one) => {
        const text = textOf(one)
        const ours = await answerOf(engine, text)
        let theirs: LogAnswer
        try {
          theirs = await client.query(data, text)
        } catch (error) {
          if (error instanceof ServerFault) return { kind: 'fault', fault: error }
          throw error
        }
        const question: LogQuestion = { text, rows: rows.map(({ row }) => row) }
        const { failure, rules } = await judge({ ours, theirs }, question, isModel ? [] : logRules, (pair) =>
          logDifference(pair, isModel),
        )
        if (failure !== undefined) return { kind: 'different', failure }
        if (rules.length > 0) return { kind: 'ruled', rules: rules.map(({ ruling, what }) => `${ruling}: ${what}`) }
        if ('refused' in ours) return { kind: 'equal', note: 'refused by both' }
        return { kind: 'equal', note: ours.rows.length === 0 ? 'no rows' : undefined }
      },
    }
  }

  const definition: FuzzerDefinition<LogCase, Compared> = {
    name: 'logs',
    casesPerBlock: 100,
    laws: [],
    block: async (block, { minRows }) => {
      const { rows, baseNs, seals } = fuzzData(seededRandom(block ^ 0xda7a5e7), minRows)
      return {
        ...(await over({ rows, seals })),
        draw: (random, seed) => {
          const { uses, ...query } = drawLogQuery(random, seed, { isModel, only, baseNs })
          return { given: { ...query, rows, baseNs, seals }, uses }
        },
      }
    },
    ground: over,
    show: textOf,
    smaller: smallerLogs,
    ...shrinkBounds(isModel),
    write: ({ options, filter, pipes, seals, rows, baseNs }) => ({
      ...(options === undefined ? {} : { options }),
      filter,
      pipes,
      ...(seals === undefined ? {} : { seals }),
      ...(baseNs === undefined ? {} : { baseNs: String(baseNs) }),
      rows: rowsToJson(rows),
    }),
    read: (kept) => {
      const { rows, baseNs, ...rest } = kept as unknown as Omit<LogCase, 'rows' | 'baseNs'> & {
        readonly rows: JsonValue
        readonly baseNs?: string
      }
      return { ...rest, rows: rowsOf(rows), baseNs: baseNs === undefined ? fuzzBaseNs : BigInt(baseNs) }
    },
  }
  const forms = everyForm('logsql').filter((form) => !undrawnForms.has(form) && (isModel || isComparable(form)))
  return { definition, forms }
}

/** Yields smaller versions of a case. They have no dialect member, because comparisons always use `logsql`. */
function* smallerLogs(given: LogCase): Generator<LogCase> {
  for (const { dialect: _, ...smaller } of smallerTexts(given)) {
    const rows: readonly StoredRow[] = smaller.rows
    yield { ...smaller, rows, seals: (smaller.seals ?? []).map((cut) => Math.min(cut, rows.length)) }
  }
}
