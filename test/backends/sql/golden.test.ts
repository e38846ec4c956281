import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayStartNs, storedRows, traceId } from '../../../bench/datasets.ts'
import { questions } from '../../../bench/questions.ts'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import { sqliteBackend, verifyGuards, type SqliteBackend } from '../../../src/backends/sql/index.ts'
import { present, type Interval } from '../../../src/base/index.ts'
import type { StoredRow } from '../../../src/data/index.ts'
import type { LogicalPlan } from '../../../src/plan/index.ts'
import { standardCatalog } from '../../../src/store/index.ts'
import {
  knowledgeOfAnything,
  openSqlite,
  sqliteTelemetry,
  type SqliteConnection,
} from '../../../src/store/sqlite/index.ts'
import { planOf } from './questions.ts'
import { answer, contextOf, functions } from './support.ts'

/** The statements of the questions are stored under test/golden/sql; `UPDATE_GOLDEN=1` rewrites them. */
const folder = join(import.meta.dirname, '../../golden/sql')
const isUpdate = process.env['UPDATE_GOLDEN'] === '1'

const ROWS = 20_000
const SEED = 1

function clockNs(clock: string): bigint {
  const [hour, minute] = clock.split(':').map(Number)
  return dayStartNs + BigInt(present(hour) * 3600 + present(minute) * 60) * 1_000_000_000n
}

interface Case {
  readonly id: string
  readonly query: string
  readonly range: Interval | undefined
}

const cases: readonly Case[] = questions.map(({ id, query, range }) => ({
  id,
  query: query.replaceAll('$page', '1000').replaceAll('$trace', traceId(SEED, 17)),
  range: range === undefined ? undefined : { startNs: clockNs(range[0]), endNs: clockNs(range[1]) },
}))

/** Returns the rows in time order, as from a single source. */
function orderedRows(): StoredRow[] {
  const rows = [...storedRows({ rows: ROWS, seed: SEED })]
  rows.sort((a, b) => (a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : a.sequence - b.sequence))
  return rows.map((row, sequence) => ({ ...row, sequence }))
}

function checkGolden(path: string, text: string): void {
  const file = join(folder, path)
  if (isUpdate || !existsSync(file)) {
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, text)
  }
  expect(text).toBe(readFileSync(file, 'utf8'))
}

/** Matches calls of host functions that SQLite makes once for each row, not for each group. */
const PER_ROW = /sluice_(test|expr|field|any_field|stats|join_key|hash|sort_key|group_key)\(/

let connection: SqliteConnection
let backend: SqliteBackend
let rows: readonly StoredRow[]

beforeAll(async () => {
  connection = await openSqlite(':memory:')
  const telemetry = sqliteTelemetry(connection, standardCatalog)
  rows = orderedRows()
  telemetry.load('logs', rows)
  backend = sqliteBackend(telemetry, functions, { mode: 'in-process' })
})

afterAll(() => connection.close())

function statementOf(plan: LogicalPlan): { readonly sql: string; readonly plan: string } {
  const statement = backend.compile(plan)
  const [, ...lines] = backend.prepare(plan, contextOf()).explain().notes
  return { sql: statement.sql, plan: lines.join('\n') }
}

describe('statements of the questions', () => {
  for (const { id, query, range } of cases) {
    test(`${id} ${query}`, () => {
      const plan = planOf(query, range)
      expect(backend.accept(plan)).toEqual({ kind: 'whole' })
      const statement = statementOf(plan)
      checkGolden(`${id.toLowerCase()}/query.log`, `${query}\n`)
      checkGolden(`${id.toLowerCase()}/sqlite.sql`, `${statement.sql}\n`)
      checkGolden(`${id.toLowerCase()}/plan.txt`, `${statement.plan}\n`)
    })
  }

  test('only these call functions of ours on rows', () => {
    const found = cases.filter(({ query, range }) => PER_ROW.test(backend.compile(planOf(query, range)).sql))
    expect(found.map(({ id }) => id)).toEqual(['Q10', 'Q11', 'Q23'])
  })

  test('one of them only on rows the word index leaves', () => {
    const q10 = cases.find(({ id }) => id === 'Q10')
    expect(backend.compile(planOf(q10?.query ?? '')).sql).toContain('MATCH')
  })

  test('each is proved to read under the guard of its scan', () => {
    for (const { query, range } of cases) {
      const plan = planOf(query, range)
      expect(verifyGuards(backend.compile(plan).query).size).toBe(1)
    }
  })
})

describe('answers to the questions', () => {
  const sampled = 400
  test('are those of the row model', async () => {
    const few = rows.filter((_, i) => i % (ROWS / sampled) === 0)
    const small = await openSqlite(':memory:')
    const telemetry = sqliteTelemetry(small, standardCatalog)
    telemetry.append('logs', few)
    const sqlite = sqliteBackend(telemetry, functions, { mode: 'in-process' })
    const model = rowsBackend(new Map([['logs', few]]), functions)
    // These statements are compiled without statistics of the rows.
    const { epoch } = telemetry.knowledge()
    const unknowing = { ...telemetry, knowledge: () => ({ ...knowledgeOfAnything(telemetry.layouts), epoch }) }
    const blind = sqliteBackend(unknowing, functions, { mode: 'in-process' })
    for (const { id, query, range } of cases) {
      const plan = planOf(query.replace('offset 1000', 'offset 3'), range)
      const expected = await answer(model, plan)
      expect(await answer(sqlite, plan), id).toEqual(expected)
      expect(await answer(blind, plan), `${id} without knowledge`).toEqual(expected)
    }
    small.close()
  })
})
