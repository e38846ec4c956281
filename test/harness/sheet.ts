import { collect, parseRfc3339, present, spanOf, type Diagnostic } from '../../src/base/index.ts'
import { createEngine, type QueryOptions, readRows } from '../../src/engine/index.ts'
import { hasSubqueries } from '../../src/engine/subqueries.ts'
import { printPlan } from '../../src/plan/index.ts'
import { rowsBackend } from '../../src/backends/rows/index.ts'
import { sqliteBackend } from '../../src/backends/sql/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { standardCatalog } from '../../src/store/index.ts'
import { openSqlite, sqliteTelemetry } from '../../src/store/sqlite/index.ts'
import { backendFixtures, type BackendFixture } from './backends.ts'
import { answerLines, storedRowsOf } from './rows.ts'
import { asItIs, type Setting } from './settings.ts'
import type { ExpectationKind, SheetCase } from './sheet-file.ts'

/** Value of `now` in the queries of every sheet. */
export const SHEET_NOW_NS = parseRfc3339('2026-01-01T12:00:00Z') ?? 0n

const clock = { nowMs: () => performance.now(), nowNs: () => SHEET_NOW_NS }

const planner = createEngine({ backends: [rowsBackend(new Map([['logs', []]]), standardFunctions)], clock })

function options(sheetCase: SheetCase, setting?: Setting): QueryOptions {
  return { ...setting?.options, dialect: sheetCase.dialect, lint: 'warn' }
}

const runsOfCases = new WeakMap<SheetCase, Map<Setting, string>>()

/**
 * Returns a key for the plan and options of a case under a setting. Settings with equal keys give equal answers, so one
 * run serves them all. The key holds the options and the rules that change the plan, in order. Subqueries are optimized
 * only during the query, so a query that has some is keyed by its disabled rules.
 */
function runOf(sheetCase: SheetCase, setting: Setting): string {
  const runs = runsOfCases.get(sheetCase) ?? new Map<Setting, string>()
  runsOfCases.set(sheetCase, runs)
  let run = runs.get(setting)
  if (run === undefined) {
    const { disabledRules, ...others } = setting.options
    const { optimized, steps } = planner.plan(sheetCase.query, { ...options(sheetCase, setting), lint: 'off' })
    run = JSON.stringify([others, hasSubqueries(optimized) ? disabledRules : steps.map(({ rule }) => rule.name)])
    runs.set(setting, run)
  }
  return run
}

/**
 * Returns the answers of one backend under several settings, as JSON lines in order. Settings with the same plan and
 * options share one run.
 */
export async function answersOf(
  sheetCase: SheetCase,
  fixture: BackendFixture,
  among: readonly Setting[],
): Promise<ReadonlyMap<Setting, readonly string[]>> {
  const opened = await fixture.open(storedRowsOf(sheetCase.data, SHEET_NOW_NS))
  try {
    const engine = createEngine({ backends: [opened.backend], upper: rowsBackend(new Map(), standardFunctions), clock })
    const answers = new Map<Setting, readonly string[]>()
    const runs = new Map<string, readonly string[]>()
    for (const setting of among) {
      const run = runOf(sheetCase, setting)
      let lines = runs.get(run)
      if (lines === undefined) {
        const rows = await collect(readRows(engine.query(sheetCase.query, options(sheetCase, setting)).batches()))
        runs.set(run, (lines = answerLines(rows, sheetCase.dialect)))
      }
      answers.set(setting, lines)
    }
    return answers
  } finally {
    await opened.close()
  }
}

async function modelAnswer(sheetCase: SheetCase): Promise<readonly string[]> {
  const answers = await answersOf(sheetCase, present(backendFixtures[0]), [asItIs])
  return answers.get(asItIs) ?? []
}

/** Formats a diagnostic as `severity code "marked text": message`. */
export function diagnosticLine(diagnostic: Diagnostic, query: string): string {
  const span = spanOf(diagnostic.origin)
  const marked = span === undefined ? '' : ` ${JSON.stringify(query.slice(span.start, span.end))}`
  return `${diagnostic.severity} ${diagnostic.code}${marked}: ${diagnostic.message}`
}

async function statementOf(sheetCase: SheetCase): Promise<readonly string[]> {
  const telemetry = sqliteTelemetry(await openSqlite(':memory:'), standardCatalog)
  telemetry.append('logs', storedRowsOf(sheetCase.data, SHEET_NOW_NS))
  const backend = sqliteBackend(telemetry, standardFunctions, { mode: 'in-process' })
  try {
    const statement = backend.compile(planner.plan(sheetCase.query, options(sheetCase)).optimized)
    return statement.sql.split('\n')
  } finally {
    await backend.close()
  }
}

/** Returns the actual results in the format of sheets. Rows come from the row model. */
export async function actualOf(sheetCase: SheetCase, kind: ExpectationKind): Promise<readonly string[]> {
  switch (kind) {
    case 'rows':
      return (await modelAnswer(sheetCase)).toSorted()
    case 'ordered rows':
      return modelAnswer(sheetCase)
    case 'plan':
      return printPlan(planner.plan(sheetCase.query, options(sheetCase)).bound).split('\n')
    case 'optimized plan':
      return printPlan(planner.plan(sheetCase.query, options(sheetCase)).optimized).split('\n')
    case 'sql sqlite':
      return statementOf(sheetCase)
    case 'diagnostics':
      return planner
        .check(sheetCase.query, options(sheetCase))
        .map((diagnostic) => diagnosticLine(diagnostic, sheetCase.query))
  }
}
