import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { questions } from '../../../../bench/questions.ts'
import { assign } from '../../../../src/engine/assign.ts'
import { createEngine, type Engine } from '../../../../src/engine/index.ts'
import { hasSubqueries } from '../../../../src/engine/subqueries.ts'
import { isError, SluiceError } from '../../../../src/base/index.ts'
import type { ForeignStatements } from '../../../../src/backends/sql/index.ts'
import type { SqlParameter } from '../../../../src/backends/sql/statement/params.ts'
import type { Acceptor } from '../../../../src/backends/index.ts'
import { rowsBackend } from '../../../../src/backends/rows/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import { type Dialect, type LogicalPlan } from '../../../../src/plan/index.ts'
import { isUpdatingGolden, writeGolden } from '../../../harness/golden.ts'
import { SHEET_NOW_NS } from '../../../harness/sheet.ts'
import { parseSheet } from '../../../harness/sheet-file.ts'
import { dialectsUnderTest } from './dialects.ts'

/** The statements of all questions and sheets are stored here for review; `UPDATE_GOLDEN=1` rewrites them. */
const golden = join(import.meta.dirname, '../../../golden/sql')
const page = join(import.meta.dirname, '../../../../grammar/reference/pushdown.md')
const sheetsFolder = join(import.meta.dirname, '../../../sheets')

interface Case {
  readonly title: string
  readonly query: string
  readonly dialect: Dialect
}

const asked: readonly Case[] = questions.map(({ id, title, query }) => ({
  title: `${id} ${title}`,
  query: query.replaceAll('$page', '1000').replaceAll('$trace', 'c2f1a9'),
  dialect: 'native',
}))

const sheets = readdirSync(sheetsFolder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.sheet'))
  .sort()
  .map((path) => ({ path, cases: parseSheet(readFileSync(join(sheetsFolder, path), 'utf8')) }))

const upper = rowsBackend(new Map(), standardFunctions)
const MAX_SHOWN = 72

function shown(parameter: SqlParameter): string {
  if (parameter.kind === 'program') return 'host code'
  const { value } = parameter
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

interface Told {
  readonly text: string
  readonly isWhole: boolean
  /** The node that does not run in the database, and the reason; `undefined` if all nodes run there. */
  readonly above: { readonly node: string; readonly reason: string } | undefined
}

function planned(engine: Engine, { query, dialect }: Case): LogicalPlan | undefined {
  try {
    const { optimized, diagnostics } = engine.plan(query, { dialect, lint: 'off', nowNs: SHEET_NOW_NS })
    return diagnostics.some(isError) || hasSubqueries(optimized) ? undefined : optimized
  } catch (error) {
    if (error instanceof SluiceError) return undefined
    throw error
  }
}

/** Returns the largest subplans that the database can run; empty if there are none. */
function partsOf(plan: LogicalPlan, statements: ForeignStatements): readonly LogicalPlan[] {
  try {
    const part = assign<Acceptor>(plan, statements, upper, standardFunctions)
    return [...part.inputs.values()].map((below) => below.plan)
  } catch (error) {
    if (error instanceof SluiceError) return []
    throw error
  }
}

/** Compiles a query to SQL; if that is not possible, only the largest subplans that the database can run. */
function told(statements: ForeignStatements, engine: Engine, each: Case): Told | undefined {
  const plan = planned(engine, each)
  if (plan === undefined) return undefined
  const whole = statements.accept(plan)
  const plans = whole.kind === 'whole' ? [plan] : partsOf(plan, statements)
  const lines = [`-- ${each.title}`, ...each.query.split('\n').map((line) => `-- ${line}`)]
  if (whole.kind === 'not') lines.push(`-- above: ${whole.node.kind}: ${whole.reason}`)
  for (const below of plans) {
    const { sql, parameters } = statements.compile(below)
    lines.push(
      `${sql};`,
      ...parameters.map((parameter, i) => {
        const mark = statements.dialect.parameter(i + 1, parameter)
        const place = statements.name === 'postgres' ? `$${i + 1} ${parameter.name}` : mark
        return `-- ${place} = ${shown(parameter)}`
      }),
    )
  }
  const above = whole.kind === 'whole' ? undefined : { node: whole.node.kind, reason: whole.reason }
  return { text: lines.join('\n'), isWhole: whole.kind === 'whole', above }
}

function keep(path: string, text: string): void {
  if (isUpdatingGolden) {
    mkdirSync(dirname(path), { recursive: true })
    writeGolden(path, text)
  }
  expect(text).toBe(readFileSync(path, 'utf8'))
}

function counted(list: readonly Told[]): string {
  return `${list.filter(({ isWhole }) => isWhole).length} of ${list.length}`
}

const results = dialectsUnderTest.map((statements) => {
  const engine = createEngine({ catalog: statements.catalog, functions: standardFunctions })
  const toldOf = (cases: readonly Case[]): readonly Told[] =>
    cases.flatMap((each) => told(statements, engine, each) ?? [])
  return {
    name: statements.name,
    asked: toldOf(asked),
    sheets: sheets.map(({ path, cases }) => ({ path, list: toldOf(cases) })),
  }
})

describe.each(results)('statements of $name', ({ name, asked: list, sheets: told_ }) => {
  test('are those that are kept, for the questions', () => {
    keep(join(golden, name, 'questions.sql'), `${list.map(({ text }) => text).join('\n\n')}\n`)
  })

  test.each(told_)('are those that are kept, for $path', ({ path, list: inSheet }) => {
    keep(
      join(golden, name, 'sheets', `${path.replace(/\.sheet$/, '')}.sql`),
      `${inSheet.map(({ text }) => text).join('\n\n')}\n`,
    )
  })

  test('answer nearly all questions whole', () => {
    const least = { duckdb: 30, clickhouse: 30, postgres: 28, sqlite: 30 }[name]
    expect(list.filter(({ isWhole }) => isWhole).length).toBeGreaterThanOrEqual(least)
  })
})

test('explain reports the fallback and its reason', () => {
  const lines = [
    '# What databases run, and what runs above them',
    '',
    'Over a plain table of logs with further fields in a map; counted by `test/backends/sql/foreign/golden.test.ts`, which keeps the',
    'statements under `test/golden/sql`. What a database cannot say exactly runs above it: `explain` tells the same for any query.',
    "Sums and means of floats are the exception: they are the database's own, within 1e-9 of the sum of absolute values.",
    '',
    '| database | the 33 questions | queries of the sheets |',
    '|---|---|---|',
    ...results.map(({ name, asked: list, sheets: told_ }) => {
      return `| ${name} | ${counted(list)} | ${counted(told_.flatMap((each) => each.list))} |`
    }),
  ]
  for (const { name, asked: list, sheets: told_ } of results) {
    const reasons = new Map<string, number>()
    for (const { above } of [...list, ...told_.flatMap((each) => each.list)]) {
      if (above === undefined) continue
      const row = `| ${above.node} | ${above.reason.replaceAll('|', '\\|')} |`
      reasons.set(row, (reasons.get(row) ?? 0) + 1)
    }
    const sorted = [...reasons].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    lines.push('', `## ${name}`, '', '| stage | why it runs above | queries |', '|---|---|---|')
    lines.push(...sorted.map(([row, n]) => `${row} ${n} |`))
  }
  keep(page, `${lines.join('\n')}\n`)
})
