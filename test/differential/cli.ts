import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseRfc3339 } from '../../src/base/index.ts'
import type { KeptCase } from '../../src/fuzz/runner/index.ts'
import type { Comparison } from './comparison.ts'
import { startLogModel } from './log-model.ts'
import { compareLogs } from './logs.ts'
import { startMetricModel } from './metric-model.ts'
import { references, type Reference } from './metric-rules.ts'
import { compareMetrics } from './metrics.ts'
import { MOST_DIFFERENCES, replay, runComparison, type RunReport } from './run.ts'
import { Server, ServerFault } from './server.ts'

const USAGE = `usage: differential --logs URL|model --metrics URL|model
  --seconds N    of each language, 60 unless --queries is given
  --queries N    of each language at most
  --seed S       the same seed draws the same queries
  --only NAME    logs, metrics, or a form such as 'pipe sort' or 'call rate': queries without it are left out
  --reference V  version of the metric server, 3.5 or 3.14 (unless given): what it has and how it words notes
  --differences N  differences after which a language ends, 100 unless given
  --timeout N    seconds that a server has for an answer, 30 unless given
  --keep DIR     where failing cases go, the system's folder for temporary files unless given
  --replay FILE  asks one kept case again
  --coverage FILE  writes how often each form and each pair of forms was drawn`

const options = {
  logs: { type: 'string' },
  metrics: { type: 'string' },
  seconds: { type: 'string' },
  queries: { type: 'string' },
  seed: { type: 'string' },
  only: { type: 'string' },
  reference: { type: 'string', default: '3.14' },
  differences: { type: 'string' },
  timeout: { type: 'string', default: '30' },
  keep: { type: 'string', default: tmpdir() },
  replay: { type: 'string' },
  coverage: { type: 'string' },
} as const

class Misuse extends Error {}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text === '' || !(value >= 0)) throw new Misuse(`--${name} takes a number, not ${JSON.stringify(text)}`)
  return value
}

/** After all data: relative times of queries find the same on both sides, which is nothing. */
const MODEL_NOW_NS = parseRfc3339('2027-01-01T00:00:00Z') ?? 0n
const MODEL_BASE_MS = Number(parseRfc3339('2026-01-02T03:00:00Z') ?? 0n) / 1e6
/** Samples of a data set end minutes before it is sent: a server that reads its own metrics takes none older than an hour. */
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
  readonly timeoutMs: number
  readonly only: string | undefined
  readonly reference: Reference
}

async function open({ language, given, timeoutMs, only, reference }: Target): Promise<Opened> {
  const isModel = given === 'model'
  if (!isModel && !/^https?:\/\//.test(given))
    throw new Misuse(`--${language} takes the address of a server (http://…) or "model", not ${JSON.stringify(given)}`)
  if (language === 'logs') {
    const nowNs = isModel ? MODEL_NOW_NS : BigInt(Date.now()) * 1_000_000n
    const model = isModel ? await startLogModel(nowNs) : undefined
    const server = new Server(model?.url ?? given, timeoutMs)
    return {
      comparison: compareLogs({ server, isModel, nowNs, only }),
      url: server.url,
      close: model?.close ?? noClose,
    }
  }
  const model = isModel ? await startMetricModel() : undefined
  const server = new Server(model?.url ?? given, timeoutMs)
  const baseMs = (): number => (isModel ? MODEL_BASE_MS : Date.now() - (Date.now() % 60_000) - BEFORE_MS)
  const run = isModel ? 'model' : Date.now().toString(36)
  return {
    comparison: compareMetrics({ server, isModel, baseMs, run, only, reference }),
    url: server.url,
    close: model?.close ?? noClose,
  }
}

function tell(
  { language, url, keep, mostFailures }: { language: string; url: string; keep: string; mostFailures: number },
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
  if (failures.length >= mostFailures) print(`    ended after ${mostFailures} differences (--differences)`)
  for (const line of coverage.summary()) print(`    ${line}`)
  const { held, all } = coverage.pairs
  print(`    ${held} of ${all} pairs of forms were drawn; never drawn: ${coverage.missing.join(', ') || 'none'}`)
  if (fault !== undefined) print(`${language}: given up after ${queries} queries: ${fault.message}`)
}

/** 2 if the server went away, 1 if answers differ, 2 if none do but some did not come. */
function codeOf({ failures, unanswered, fault }: RunReport): number {
  if (fault !== undefined) return 2
  return failures.length > 0 ? 1 : unanswered.length > 0 ? 2 : 0
}

async function run(args: readonly string[], print: (line: string) => void): Promise<number> {
  const { values } = parseArgs({ args: [...args], options })
  const given = (['logs', 'metrics'] as const).flatMap((language) => {
    const target = values[language]
    return target === undefined ? [] : [{ language, target }]
  })
  if (given.length === 0) {
    throw new Misuse('There is no server to compare with: give --logs, --metrics or both; "model" stands in for one.')
  }
  const timeoutMs = (numberOf('timeout', values.timeout) ?? 30) * 1000
  const reference = references.find((version) => version === values.reference)
  if (reference === undefined)
    throw new Misuse(`--reference takes ${references.join(' or ')}, not ${JSON.stringify(values.reference)}`)
  const mostFailures = numberOf('differences', values.differences) ?? MOST_DIFFERENCES
  const isLanguage = values.only === 'logs' || values.only === 'metrics'
  const only = isLanguage ? undefined : values.only
  const seed = numberOf('seed', values.seed) ?? Date.now() % 2 ** 30
  const queries = numberOf('queries', values.queries)
  const seconds = numberOf('seconds', values.seconds) ?? (queries === undefined ? 60 : Infinity)
  const kept =
    values.replay === undefined ? undefined : (JSON.parse(readFileSync(resolve(values.replay), 'utf8')) as KeptCase)
  const chosen = given.filter(({ language }) =>
    kept === undefined ? !isLanguage || values.only === language : kept.fuzzer === language,
  )
  if (chosen.length === 0)
    throw new Misuse(
      kept === undefined ? `--only ${values.only} needs --${values.only}` : `the case needs --${kept.fuzzer}`,
    )
  const opened = await Promise.all(
    chosen.map(async ({ language, target }) => ({
      language,
      ...(await open({ language, given: target, timeoutMs, only, reference })),
    })),
  )
  const known = opened.filter(({ comparison }) => only === undefined || comparison.forms.includes(only))
  if (known.length === 0) throw new Misuse(`no form is called ${JSON.stringify(only)}; names are such as "pipe sort"`)
  let code = 0
  try {
    if (kept !== undefined) {
      const difference = await replay(known[0]!.comparison, kept)
      print(difference ?? 'both give the same answer')
      return difference === undefined ? 0 : 1
    }
    print(`seed ${seed}`)
    const tables: string[] = []
    for (const { language, url, comparison } of known) {
      const report = await runComparison(comparison, {
        seed,
        queries: queries ?? Infinity,
        timeMs: seconds * 1000,
        mostFailures,
        ...(process.stderr.isTTY === true
          ? { progress: (count: number) => void process.stderr.write(`\r${language}: ${count}`) }
          : {}),
      })
      tell({ language, url, keep: resolve(values.keep), mostFailures }, report, print)
      code = Math.max(code, codeOf(report))
      tables.push(...report.coverage.lines())
    }
    if (values.coverage !== undefined) writeFileSync(resolve(values.coverage), `${tables.join('\n')}\n`)
  } finally {
    for (const { close } of opened) await close()
  }
  return code
}

/**
 * Compares what the arguments name; README.md has them. The exit code: 0 all answers are equal or explained by a rule, 1 some
 * differ, 2 there is no server, it went away or did not answer, or an argument is wrong; `print` is told in words.
 */
export async function differential(args: readonly string[], print: (line: string) => void): Promise<number> {
  try {
    return await run(args, print)
  } catch (error) {
    if (error instanceof ServerFault) print(error.message)
    else if (error instanceof Misuse || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true)
      print(`${(error as Error).message}\n${USAGE}`)
    else throw error
    return 2
  }
}
