// @module-tag slow
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { parseRfc3339, seededRandom } from '../../../src/base/index.ts'
import { fuzzBaseNs } from '../../../src/fuzz/dataset.ts'
import { everyForm, undrawnForms } from '../../../src/fuzz/forms.ts'
import type { KeptCase } from '../../../src/fuzz/runner/index.ts'
import { runStress } from '../command.ts'
import { Coverage } from './coverage.ts'
import type { EditReply, Service } from './http-service.ts'
import { startLogModel } from './log-model.ts'
import { compareLogs, drawLogQuery } from './logs.ts'
import { startMetricModel } from './metric-model.ts'
import { compareMetrics, drawMetricQuery, everyMetricForm, undrawnMetricForms } from './metrics.ts'
import { replay, runComparison, type RunReport } from './run.ts'
import { Server } from './server.ts'

const NOW_NS = parseRfc3339('2027-01-01T00:00:00Z') ?? 0n
const BASE_MS = 1_767_322_800_000

const open: Service[] = []

afterEach(async () => {
  for (const service of open.splice(0)) await service.close()
})

interface Setting {
  /**
   * True to compare as with a server of the reference implementation: with known differences allowed, and rows in
   * any order.
   */
  readonly isServer?: boolean
  readonly edit?: EditReply
  readonly queries?: number
  readonly timeoutMs?: number
  readonly only?: string
  readonly seed?: number
}

async function logs({ isServer = false, edit, timeoutMs = 30_000, only }: Setting) {
  const model = await startLogModel(NOW_NS, edit)
  open.push(model)
  const server = new Server(model.url, timeoutMs)
  return compareLogs({ server, isModel: !isServer, nowNs: NOW_NS, only })
}

async function metrics({ isServer = false, edit, timeoutMs = 30_000, only }: Setting) {
  const model = await startMetricModel(edit)
  open.push(model)
  const server = new Server(model.url, timeoutMs)
  return compareMetrics({ server, isModel: !isServer, baseMs: () => BASE_MS, run: 'test', only })
}

const options = ({ queries = 60, seed = 11 }: Setting) => ({ seed, queries, timeMs: Infinity, mostFailures: 1 })

async function runLogs(setting: Setting = {}): Promise<RunReport> {
  return runComparison(await logs(setting), options(setting))
}

async function runMetrics(setting: Setting = {}): Promise<RunReport> {
  return runComparison(await metrics(setting), options(setting))
}

/** Returns a function that changes the rows in a reply to a log query. */
function editRows(change: (rows: string[], query: string) => readonly string[]): EditReply {
  return (reply, query) => {
    if (reply.status !== undefined) return reply
    const rows = reply.body.split('\n').filter((line) => line !== '')
    return {
      ...reply,
      body: change(rows, query)
        .map((row) => `${row}\n`)
        .join(''),
    }
  }
}

describe('with the model in the place of a server', () => {
  test('logs and metrics are answered alike', async () => {
    const reports = [await runLogs({ queries: 120 }), await runMetrics({ queries: 120 })]
    for (const { queries, failures, unanswered, ruled, fault } of reports) {
      expect({ failures, unanswered, fault }).toEqual({ failures: [], unanswered: [], fault: undefined })
      expect(queries).toBe(120)
      expect([...ruled.keys()].filter((rule) => !rule.startsWith('no rule changes'))).toEqual([])
    }
  })

  test('what a server is compared by explains nothing that is not there', async () => {
    const { failures, fault } = await runLogs({ isServer: true, queries: 120 })
    expect({ failures, fault }).toEqual({ failures: [], fault: undefined })
    expect((await runMetrics({ isServer: true })).failures).toEqual([])
  })
})

describe('a planted difference', () => {
  test('in logs is found, made small and can be asked again', async () => {
    const edit = editRows((rows) => rows.map((row) => row.replace('"level":"warn"', '"level":"Warn"')))
    for (const isServer of [false, true]) {
      const { failures } = await runLogs({ edit, queries: 300, isServer })
      expect(failures.length).toBeGreaterThan(0)
      const { kept, message } = failures[0]!
      expect(message).toContain('"warn"')
      const { rows } = kept.case as { rows: readonly unknown[] }
      expect(rows.length).toBeLessThan(4)
      const again = JSON.parse(JSON.stringify(kept)) as KeptCase
      expect(await replay(await logs({ edit, isServer }), again)).toContain('"Warn"')
      expect(await replay(await logs({ isServer }), again)).toBeUndefined()
    }
  })

  test('in metrics is found and made small', async () => {
    const edit: EditReply = (reply, query) =>
      query.includes('sum') ? { ...reply, body: reply.body.replaceAll(/"-?\d+"\]/g, '"77.5"]') } : reply
    const { failures } = await runMetrics({ edit, queries: 150 })
    expect(failures.length).toBeGreaterThan(0)
    const { kept, message } = failures[0]!
    expect(message).toContain('77.5')
    expect(await replay(await metrics({ edit }), kept)).toContain('77.5')
    expect(await replay(await metrics({}), kept)).toBeUndefined()
  })
})

describe('the command', () => {
  async function command(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
    const lines: string[] = []
    const code = await runStress(['differential', '--seed', '4', ...args], (line) => lines.push(line))
    return { code, text: lines.join('\n') }
  }

  test.each([
    [[], /There is no server to compare with.*\nusage: /],
    [['--logs', 'somewhere'], /--logs takes the address of a server/],
    [['--logs', 'model', '--only', 'pipe riddle'], /no form is called "pipe riddle"/],
    [['--logs', 'model', '--only', 'metrics'], /--only metrics needs --metrics/],
    [['--metrics', 'model', '--reference', '2.0'], /--reference takes 3\.5 or 3\.14, not "2\.0"/],
    [['--logs', 'http://127.0.0.1:1'], /cannot be reached/],
  ])('%j is refused in words', async (args, text) => {
    const result = await command(...args)
    expect(result.code).toBe(2)
    expect(result.text).toMatch(text)
  })

  test('runs, writes failing cases and replays them', async () => {
    const keep = mkdtempSync(join(tmpdir(), 'differential-'))
    try {
      const good = await command('--logs', 'model', '--metrics', 'model', '--seconds', '1')
      expect(good).toMatchObject({
        code: 0,
        text: expect.stringMatching(/^seed 4\nlogs: \d+ queries asked of .*, 0 differ\n/),
      })
      const fake = await startLogModel(
        NOW_NS,
        editRows((rows) => [...rows, '{"x":"1"}']),
      )
      open.push(fake)
      const bad = await command('--logs', fake.url, '--seconds', '1', '--keep', keep)
      expect(bad.code).toBe(1)
      const file = readdirSync(keep).find((name) => name.startsWith('differential-logs-'))
      expect(bad.text).toContain(`--replay ${join(keep, file ?? '')}`)
      expect(await command('--logs', fake.url, '--replay', join(keep, file ?? ''))).toMatchObject({ code: 1 })
      expect(await command('--logs', 'model', '--replay', join(keep, file ?? ''))).toMatchObject({ code: 0 })
    } finally {
      rmSync(keep, { recursive: true })
    }
  })
})

describe('the draws', () => {
  test('hold every form of the log language, and most pairs of filters, pipes and functions', () => {
    const coverage = new Coverage(everyForm('logsql').filter((form) => !undrawnForms.has(form)))
    for (let seed = 0; seed < 12_000; seed++)
      coverage.add(drawLogQuery(seededRandom(seed), seed, { isModel: true, baseNs: fuzzBaseNs }).uses)
    expect(coverage.missing).toEqual([])
    const { held, all } = coverage.pairs
    expect(held / all).toBeGreaterThan(0.75)
  })

  test('hold every function, aggregation, operator and modifier of metric queries', () => {
    const coverage = new Coverage(everyMetricForm().filter((form) => !undrawnMetricForms.has(form)))
    for (let seed = 0; seed < 12_000; seed++) coverage.add(drawMetricQuery(seededRandom(seed), seed).uses)
    expect(coverage.missing).toEqual([])
    const { held, all } = coverage.pairs
    expect(held / all).toBeGreaterThan(0.75)
  })
})
