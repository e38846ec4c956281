import { always, isError, SluiceError, seededRandom, type Diagnostic, type JsonValue } from '../../base/index.ts'
import { rowsBackend } from '../../backends/index.ts'
import { columnarBackend } from '../../backends/columnar/index.ts'
import { toText, type StoredRow } from '../../data/index.ts'
import { languageOf, PlanEngine } from '../../engine/index.ts'
import { parse } from '../../lang/log/index.ts'
import type { Dialect } from '../../plan/index.ts'
import { createMemoryStore, standardCatalog } from '../../store/index.ts'
import { answerOf } from '../answer.ts'
import { fuzzBaseNs, fuzzData } from '../dataset.ts'
import { generateQuery, queryText } from '../log-query.ts'
import { drawText, textPool } from '../parser/index.ts'
import { defineFuzzer, type FuzzerDefinition, type Ground } from '../runner/fuzzer.ts'
import { rowsOf, rowsToJson } from '../stored-rows.ts'
import { nowOf } from '../subject.ts'
import { allKinds, plainKinds } from './kinds.ts'
import { firstFixIsMeant, fixesHold, fixesInventNothing, reportedOnce, type FixedText } from './laws.ts'

/** A damaged text, and the valid query from which it was made, if there was one. */
export interface FixCase {
  readonly text: string
  readonly dialect: Dialect
  readonly kind: string
  readonly original?: string
  readonly rows: readonly StoredRow[]
  readonly baseNs: bigint
}

/** Share of cases made from a valid query. The others are damaged at random. */
const BROKEN_SHARE = 0.7
/** Maximum number of queries that are drawn until the mistake can be made in one of them. */
const MOST_DRAWS = 40

function wordsOf(rows: readonly StoredRow[]): ReadonlySet<string> {
  const texts = rows.flatMap(({ row }) => [...row].flatMap(([name, value]) => [name, toText(value)]))
  return new Set(texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{Nd}_]+/gu) ?? []))
}

function over(rows: readonly StoredRow[], baseNs: bigint): Ground<FixCase, FixedText> {
  const { functions } = languageOf({})
  const store = createMemoryStore(standardCatalog)
  store.table('logs').writer.appendRows(rows)
  const checking = new PlanEngine({ backends: [columnarBackend(store, functions)] })
  const model = new PlanEngine({ backends: [rowsBackend(new Map([['logs', rows]]), functions)], lint: 'off' })
  const nowNs = nowOf({ baseNs })
  const dataWords = wordsOf(rows)
  return {
    prepare: ({ text, dialect, kind, original }) => {
      const check = (checked: string): readonly Diagnostic[] => {
        try {
          return checking.check(checked, { dialect, nowNs, range: always })
        } catch (error) {
          if (error instanceof SluiceError) return error.diagnostics
          throw error
        }
      }
      // A typing mistake shows what was meant only if the query is valid without the mistake and invalid with it.
      const isReported = original !== undefined && plainKinds.has(kind) && !check(original).some(isError)
      return {
        text,
        dialect,
        diagnostics: check(text),
        meant: isReported ? original : undefined,
        dataWords,
        check,
        answer: (asked) => answerOf(() => model.query(asked, { dialect, nowNs, range: always })),
      }
    },
  }
}

/**
 * Yields smaller texts: first without a half, then without smaller and smaller pieces. A case made from a valid query
 * is not reduced.
 */
function* smaller(given: FixCase): Generator<FixCase> {
  const { text, original, rows } = given
  for (let size = Math.ceil(rows.length / 2); size >= 1 && rows.length > 0; size = Math.floor(size / 2))
    for (let at = 0; at < rows.length; at += size) yield { ...given, rows: rows.toSpliced(at, size) }
  if (original !== undefined) return
  for (let size = Math.ceil(text.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < text.length; at += size) yield { ...given, text: text.slice(0, at) + text.slice(at + size) }
}

export const fixesDefinition: FuzzerDefinition<FixCase, FixedText> = {
  name: 'fixes',
  casesPerBlock: 100,
  laws: [fixesHold, fixesInventNothing, firstFixIsMeant, reportedOnce].map((law) => ({ law, share: 1 })),
  block: (block) => {
    const { rows, baseNs } = fuzzData(seededRandom(block ^ 0x0f1_5e5), 0)
    const pool = textPool(block)
    const names = [...allKinds.keys()]
    return {
      ...over(rows, baseNs),
      draw: (random) => {
        if (random.next() < BROKEN_SHARE) {
          const kind = random.pick(names)
          for (let i = 0; i < MOST_DRAWS; i++) {
            const query = random.next() < 0.5 ? random.pick(pool.texts) : queryText(generateQuery(random, baseNs))
            const fault = allKinds.get(kind)?.(query, random)
            if (fault === undefined) continue
            const { text, original } = fault
            const isShared = random.next() < 0.3 && !parse(original, { dialect: 'logsql' }).diagnostics.some(isError)
            const dialect = isShared ? 'logsql' : 'native'
            return { given: { text, original, dialect, kind, rows, baseNs }, uses: new Set([kind]) }
          }
        }
        const { text, how } = drawText(random, pool)
        const dialect = random.next() < 0.8 ? 'native' : 'logsql'
        return { given: { text, dialect, kind: how, rows, baseNs }, uses: new Set([how]) }
      },
    }
  },
  ground: ({ rows, baseNs }) => over(rows, baseNs),
  show: ({ text, dialect, kind }) => `${text}${dialect === 'logsql' ? ' (logsql)' : ''} (${kind})`,
  smaller,
  notes: ({ diagnostics, meant }) => [
    ...(meant === undefined ? [] : ['meant']),
    ...diagnostics.filter(({ fixes }) => fixes.length > 0).map(({ code }) => `fixed: ${code}`),
  ],
  write: ({ rows, baseNs, ...rest }) => ({ ...rest, baseNs: String(baseNs), rows: rowsToJson(rows) }),
  read: (kept) => {
    const { rows, baseNs, ...rest } = kept as unknown as Omit<FixCase, 'rows' | 'baseNs'> & {
      readonly rows: JsonValue
      readonly baseNs?: string
    }
    return { ...rest, rows: rowsOf(rows), baseNs: baseNs === undefined ? fuzzBaseNs : BigInt(baseNs) }
  },
}

/**
 * The fuzzer of fixes for damaged texts. Each fix gives a text that parses, has the original meaning and contains
 * nothing invented. No message is repeated.
 */
export const fixes = defineFuzzer(fixesDefinition)
