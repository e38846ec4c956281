import { seededRandom, type JsonValue } from '../base/index.ts'
import type { StoredRow } from '../data/index.ts'
import { answerNotes, answerOf } from './answer.ts'
import { fuzzBaseNs, fuzzData } from './dataset.ts'
import { fingerprintOf } from './fingerprint-of.ts'
import { defineFuzzer, type FuzzerDefinition, type Ground } from './runner/fuzzer.ts'
import { generateQuery, queryText, type QueryParts } from './log-query.ts'
import { oracles, type FuzzCase } from './oracles/index.ts'
import { ownDefinitions } from './own-definitions.ts'
import { fewerFields, fewerRows } from './runner/shrink-by.ts'
import { rowsOf, rowsToJson } from './stored-rows.ts'
import { makeSubject, type Subject, type SubjectSetting } from './subject.ts'

/** A query text with rows and storage settings. */
export interface TextCase extends QueryParts {
  readonly rows: readonly StoredRow[]
  /** Middle of the times of the data, ns since 1970. Default: `fuzzBaseNs`. */
  readonly baseNs?: bigint
  /** Row numbers at which all earlier rows are sealed. Default: the middle row. */
  readonly seals?: readonly number[]
  readonly batchRows?: number
}

/**
 * Returns the operands of a filter text, split at blanks outside quotes and parentheses. Each is a simpler filter,
 * which may show the same failure.
 */
function simplerFilters(filter: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let from = 0
  for (let i = 0; i < filter.length; i++) {
    const c = filter.charAt(i)
    if (quote !== '') {
      if (c === '\\') i++
      else if (c === quote) quote = ''
    } else if (c === '"') quote = c
    else if (c === '(') depth++
    else if (c === ')') depth--
    else if (c === ' ' && depth === 0) {
      parts.push(filter.slice(from, i))
      from = i + 1
    }
  }
  parts.push(filter.slice(from))
  const operands = parts.filter((part) => part !== '' && !/^(AND|OR|NOT)$/i.test(part))
  const inner = operands
    .filter((part) => /^[-!]?\(.*\)$/s.test(part))
    .map((part) => part.replace(/^[-!]?\(/, '').slice(0, -1))
  return ['*', ...(operands.length > 1 ? operands : []), ...inner]
}

/** Yields smaller versions of a case, the most reduced first. */
export function* smallerTexts(given: TextCase): Generator<TextCase> {
  if ((given.options ?? '') !== '') yield { ...given, options: '' }
  if (given.batchRows !== undefined && given.batchRows !== 4096) yield { ...given, batchRows: 4096 }
  if (given.seals !== undefined && given.seals.length > 0) yield { ...given, seals: [] }
  for (let i = 0; i < given.pipes.length; i++) yield { ...given, pipes: given.pipes.toSpliced(i, 1) }
  if (given.dialect === 'logsql') yield { ...given, dialect: 'native' }
  for (const filter of simplerFilters(given.filter)) if (filter !== given.filter) yield { ...given, filter }
  for (const rows of fewerRows(given.rows)) yield { ...given, rows }
  for (const rows of fewerFields(given.rows)) yield { ...given, rows }
}

function over(stored: Subject): Ground<TextCase, FuzzCase> {
  return {
    prepare: async (query, seed) => {
      const text = queryText(query)
      const subject = stored.reading(query.dialect ?? 'native')
      const model = await answerOf(() => subject.query(text, 'rows', { disabledRules: ['*'] }))
      return { query, text, subject, model, random: seededRandom(seed ^ 0x51f15e) }
    },
    close: () => stored.close(),
  }
}

/** Additions of a user: language definitions, and a backend to compare with the row model. */
export type TextSetting = Partial<Pick<SubjectSetting, 'extend' | 'backend'>>

type KeptText = Omit<TextCase, 'rows' | 'baseNs'> & { readonly rows: JsonValue; readonly baseNs?: string }

/** Defines the fuzzer of query texts, in the standard language plus the given definitions. */
export const textDefinition = ({ extend, backend }: TextSetting = {}): FuzzerDefinition<TextCase, FuzzCase> => ({
  name: 'texts',
  casesPerBlock: 100,
  laws: oracles,
  block: async (block, { minRows }) => {
    const { rows, ...setting } = fuzzData(seededRandom(block ^ 0xda7a5e7), minRows)
    return {
      ...over(await makeSubject(rows, { ...setting, extend, backend })),
      draw: (random) => {
        const { uses, ...query } = generateQuery(random, setting.baseNs, extend)
        return { given: { ...query, ...setting, rows }, uses }
      },
    }
  },
  ground: async ({ rows, baseNs = fuzzBaseNs, seals, batchRows = 4096 }) =>
    over(await makeSubject(rows, { baseNs, seals, batchRows, extend, backend })),
  show: (given) => `${queryText(given)}${given.dialect === 'logsql' ? ' (logsql)' : ''}`,
  smaller: smallerTexts,
  notes: ({ model }) => answerNotes(model),
  fingerprint: ({ model, subject, text }) => ('error' in model ? undefined : fingerprintOf(subject.plan(text))),
  write: ({ options, filter, pipes, dialect, seals, batchRows, baseNs, rows }) => ({
    ...(options === undefined ? {} : { options }),
    filter,
    pipes,
    ...(dialect === undefined ? {} : { dialect }),
    ...(baseNs === undefined ? {} : { baseNs: String(baseNs) }),
    ...(seals === undefined ? {} : { seals }),
    ...(batchRows === undefined ? {} : { batchRows }),
    rows: rowsToJson(rows),
  }),
  read: (kept) => {
    const { rows, baseNs, ...rest } = kept as unknown as KeptText
    return { ...rest, ...(baseNs === undefined ? {} : { baseNs: BigInt(baseNs) }), rows: rowsOf(rows) }
  },
})

/** The fuzzer of random texts over random rows, with one definition of each kind that users can add. */
export const texts = defineFuzzer(textDefinition({ extend: ownDefinitions }))
