import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseRfc3339 } from '../../../src/base/index.ts'
import type { KeptCase } from '../../../src/fuzz/runner/index.ts'
import { StressMisuse, type StressInput, type StressRun } from '../run.ts'
import type { Comparison } from './comparison.ts'
import { startLogModel } from './log-model.ts'
import { compareLogs } from './logs.ts'
import { startMetricModel } from './metric-model.ts'
import { references, type Reference } from './metric-rules.ts'
import { compareMetrics } from './metrics.ts'
import { MOST_DIFFERENCES, replay, runComparison, type RunReport } from './run.ts'
import { Server, ServerFault } from './server.ts'

/** Milliseconds within which a server must answer a query, or find the rows that were sent to it. */
const TIMEOUT_MS = 30_000
/** Time after all data, so that queries with relative times find nothing in either engine. */
const MODEL_NOW_NS = parseRfc3339('2027-01-01T00:00:00Z') ?? 0n
const MODEL_BASE_MS = Number(parseRfc3339('2026-01-02T03:00:00Z') ?? 0n) / 1e6
/**
 * Milliseconds between the last sample of a data set and the time of sending. A server that scrapes its own metrics
 * refuses samples that are more than an hour old.
 */
const BEFORE_MS = 20 * 60_000

interface Opened {
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly comparison: Comparison<any>
  readonly url: string
  readonly close: () => Promise<void>
}

const noClose = async (): Promise<void> => {}

interface Target {
  readonly language: 'logs' | 'metrics'
  readonly given: string
  readonly only: string | undefined
  readonly reference: Reference
}

async function open({ language, given, only, reference }: Target): Promise<Opened> {
  const isModel = given === 'model'
  if (!isModel && !/^https?:\/\//.test(given))
    throw new StressMisuse(
      `--${language} takes the address of a server (http://…) or "model", not ${JSON.stringify(given)}`,
    )
  if (language === 'logs') {
    const nowNs = isModel ? MODEL_NOW_NS : BigInt(Date.now()) * 1_000_000n
    const model = isModel ? await startLogModel(nowNs) : undefined
    const server = new Server(model?.url ?? given, TIMEOUT_MS)
    return {
      comparison: compareLogs({ server, isModel, nowNs, only }),
      url: server.url,
      close: model?.close ?? noClose,
    }
  }
  const model = isModel ? await startMetricModel() : undefined
  const server = new Server(model?.url ?? given, TIMEOUT_MS)
  const baseMs = (): number => (isModel ? MODEL_BASE_MS : Date.now() - (Date.now() % 60_000) - BEFORE_MS)
  const run = isModel ? 'model' : Date.now().toString(36)
  return {
    comparison: compareMetrics({ server, isModel, baseMs, run, only, reference }),
    url: server.url,
    close: model?.close ?? noClose,
  }
}

function tell(
  { language, url, keep }: { language: string; url: string; keep: string },
  report: RunReport,
  print: (line: string) => void,
): void {
  const { queries, ruled, notes, failures, unanswered, coverage, fault } = report
  for (const failure of failures) {
    const file = join(keep, `differential-${language}-${failure.seed}.json`)
    writeFileSync(file, `${JSON.stringify(failure.kept, undefined, 1)}\n`)
    print(`${language} differ: ${failure.shown}\n    ${failure.message}\n    --replay ${file}`)
  }
  for (const text of unanswered) print(`${language} not answered: ${text}`)
  print(`${language}: ${queries} queries asked of ${url}, ${failures.length} differ`)
  for (const [note, count] of notes) print(`    ${note}: ${count}`)
  for (const [rule, count] of [...ruled].toSorted(([, a], [, b]) => b - a))
    print(`    explained ${count} times by ${rule}`)
  if (failures.length > 0) print(`    covered by no rule: ${failures.length}`)
  if (failures.length >= MOST_DIFFERENCES) print(`    ended after ${MOST_DIFFERENCES} differences`)
  for (const line of coverage.summary()) print(`    ${line}`)
  const { held, all } = coverage.pairs
  print(`    ${held} of ${all} pairs of forms were drawn; never drawn: ${coverage.missing.join(', ') || 'none'}`)
  if (fault !== undefined) print(`${language}: given up after ${queries} queries: ${fault.message}`)
}

/** Returns the exit code: 2 if the server failed, 1 if answers differ, 2 if only some answers are missing. */
function codeOf({ failures, unanswered, fault }: RunReport): number {
  if (fault !== undefined) return 2
  return failures.length > 0 ? 1 : unanswered.length > 0 ? 2 : 0
}

async function run({ seed, seconds, values, print }: StressInput): Promise<number> {
  const given = (['logs', 'metrics'] as const).flatMap((language) => {
    const target = values.get(language)
    return target === undefined ? [] : [{ language, target }]
  })
  if (given.length === 0)
    throw new StressMisuse(
      'There is no server to compare with: give --logs, --metrics or both; "model" stands in for one.',
    )
  const version = values.get('reference') ?? '3.14'
  const reference = references.find((known) => known === version)
  if (reference === undefined)
    throw new StressMisuse(`--reference takes ${references.join(' or ')}, not ${JSON.stringify(version)}`)
  const name = values.get('only')
  const isLanguage = name === 'logs' || name === 'metrics'
  const only = isLanguage ? undefined : name
  const keep = resolve(values.get('keep') ?? tmpdir())
  const file = values.get('replay')
  const kept = file === undefined ? undefined : (JSON.parse(readFileSync(resolve(file), 'utf8')) as KeptCase)
  const chosen = given.filter(({ language }) =>
    kept === undefined ? !isLanguage || name === language : kept.fuzzer === language,
  )
  if (chosen.length === 0)
    throw new StressMisuse(kept === undefined ? `--only ${name} needs --${name}` : `the case needs --${kept.fuzzer}`)
  const opened = await Promise.all(
    chosen.map(async ({ language, target }) => ({
      language,
      ...(await open({ language, given: target, only, reference })),
    })),
  )
  let code = 0
  try {
    const known = opened.filter(({ comparison }) => only === undefined || comparison.forms.includes(only))
    if (known.length === 0)
      throw new StressMisuse(`no form is called ${JSON.stringify(only)}; names are such as "pipe sort"`)
    if (kept !== undefined) {
      const difference = await replay(known[0]!.comparison, kept)
      print(difference ?? 'both give the same answer')
      return difference === undefined ? 0 : 1
    }
    for (const { language, url, comparison } of known) {
      const report = await runComparison(comparison, { seed, queries: Infinity, timeMs: seconds * 1000 })
      tell({ language, url, keep }, report, print)
      code = Math.max(code, codeOf(report))
    }
  } finally {
    for (const { close } of opened) await close()
  }
  return code
}

/** Compares generated queries with running servers. README.md lists the options and exit codes. */
export const stress: StressRun = {
  seconds: 60,
  options: { logs: 'value', metrics: 'value', only: 'value', reference: 'value', keep: 'value', replay: 'value' },
  async run(input) {
    try {
      return await run(input)
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error
      input.print(error.message)
      return 2
    }
  },
}
