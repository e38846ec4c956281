// @module-tag slow
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { parseRfc3339, seededRandom } from '../../src/base/index.ts'
import { fuzzBaseNs } from '../../src/fuzz/dataset.ts'
import { everyForm, undrawnForms } from '../../src/fuzz/forms.ts'
import type { KeptCase } from '../../src/fuzz/runner/index.ts'
import { differential } from './cli.ts'
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
/** Longer than any good reply takes on a busy machine. */
const SLOW_MS = 4_000

const open: Service[] = []

afterEach(async () => {
  for (const service of open.splice(0)) await service.close()
})

interface Setting {
  /** As a server of the reference is compared: with rulings, and in any order. */
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

/** Changes rows of an answer of logs. */
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

/** Fails from the nth query on; the counting of rows that a load waits for is none. */
function from(nth: number, reply: EditReply): EditReply {
  let seen = 0
  return (good, query) => (query.includes('stats count() as n') || ++seen < nth ? good : reply(good, query))
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

  test('in the number of rows, in a name, in an order', async () => {
    const edits: readonly [EditReply, Setting][] = [
      [editRows((rows) => rows.slice(0, Math.max(1, rows.length - 1))), { isServer: true }],
      [editRows((rows) => rows.map((row) => row.replace('"status"', '"Status"'))), { isServer: true }],
      [editRows((rows) => rows.toReversed()), {}],
    ]
    for (const [edit, setting] of edits)
      expect((await runLogs({ ...setting, edit, queries: 200 })).failures.length).toBeGreaterThan(0)
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

  test('in notes and in types', async () => {
    const noted: EditReply = (reply) => ({
      ...reply,
      body: reply.body.replace(/\}$/, ',"warnings":["PromQL warning: none"]}'),
    })
    const typed: EditReply = (reply) => ({ ...reply, body: reply.body.replace('"matrix"', '"vector"') })
    for (const edit of [noted, typed])
      expect((await runMetrics({ edit, queries: 20, isServer: true })).failures.length).toBeGreaterThan(0)
  })
})

describe('a run', () => {
  const edit = editRows((rows) => rows.map((row) => row.replace(/^\{/, '{"odd":"1",')))

  test('goes on after differences, up to a stated number', async () => {
    const comparison = await logs({ edit, isServer: true })
    const { failures, queries } = await runComparison(comparison, { ...options({ queries: 500 }), mostFailures: 15 })
    expect(failures).toHaveLength(15)
    expect(queries).toBeGreaterThan(15)
  })

  test('makes a difference small in a bounded time, however slow the server is', async () => {
    const { definition, forms } = await logs({ edit, isServer: true })
    expect(definition.maxShrinks).toBe(60)
    expect(definition.maxShrinkMs).toBe(10_000)
    let asked = 0
    const counted = await logs({ isServer: true, edit: (reply, query) => (asked++, edit(reply, query)) })
    const bounded = { forms, definition: { ...counted.definition, maxShrinkMs: 0 } }
    const { failures, queries } = await runComparison(bounded, options({ queries: 500 }))
    expect(failures).toHaveLength(1)
    // Each query once, the failing one once more alone and once for its message, and the counts of what was loaded.
    expect(asked).toBeLessThan(2 * queries + 30)
  })
})

describe('rules of forms that only we have', () => {
  test.each([
    [
      'pipe facets',
      'L30',
      (rows: readonly string[]) => [...rows, '{"field_name":"_stream","field_value":"{}","hits":"1"}'],
    ],
    [
      'pipe pack_json',
      'L30',
      (rows: readonly string[]) => rows.map((row) => row.replaceAll('\\"}"', '\\",\\"_stream\\":\\"{}\\"}"')),
    ],
  ] as const)('%s', async (only, ruling, change) => {
    const edit = editRows((rows, query) =>
      new RegExp(`${only.split(' ')[1]}[^|]*$`).test(query) ? change(rows) : rows,
    )
    const { failures, ruled } = await runLogs({ isServer: true, edit, only, queries: 80 })
    expect(failures).toEqual([])
    expect([...ruled.keys()].join()).toContain(ruling)
  })
})

describe('a difference that a ruling explains', () => {
  test('names and ids of streams, order without a sort', async () => {
    const edit = editRows((rows, query) =>
      query.includes('|')
        ? rows
        : rows.map((row) => row.replace(/^\{/, '{"_stream_id":"0000","_stream":"{}",')).toReversed(),
    )
    const { failures, ruled } = await runLogs({ isServer: true, edit, queries: 300, seed: 3 })
    expect(failures).toEqual([])
    expect([...ruled.keys()].map((rule) => rule.split(':')[0])).toEqual(expect.arrayContaining(['L30', 'L32']))
  })

  test('flags of the server, digits of its library', async () => {
    const edit: EditReply = (reply, query) => {
      if (/\bmad_over_time\b/.test(query))
        return { status: 400, body: '{"status":"error","errorType":"bad_data","error":"experimental"}' }
      return /\bexp\(/.test(query) && !query.includes('count_values')
        ? {
            ...reply,
            body: reply.body.replaceAll(
              /(\d\.\d{12,})"/g,
              (_, digits: string) => `${String(Number(digits) * (1 + Number.EPSILON))}"`,
            ),
          }
        : reply
    }
    for (const [only, ruling] of [
      ['call mad_over_time', '§5, flags'],
      ['call exp', '§5, digits'],
    ] as const) {
      const { failures, ruled } = await runMetrics({ isServer: true, edit, only, queries: 60 })
      expect(failures).toEqual([])
      expect([...ruled.keys()].join()).toContain(ruling)
    }
  })
})

describe('a server', () => {
  test('that goes away ends the run, in words', async () => {
    for (const start of [logs, metrics] as const) {
      const comparison = await start({
        edit: from(5, async (reply) => {
          void open.at(-1)?.close()
          return reply
        }),
      })
      // oxlint-disable-next-line typescript/no-explicit-any
      const { queries, fault, failures } = await runComparison<any>(comparison as never, options({}))
      expect(fault?.message).toMatch(/cannot be reached: /)
      expect(queries).toBeLessThan(7)
      expect(failures).toEqual([])
    }
  })

  test('that is not there', async () => {
    const model = await startLogModel(NOW_NS)
    await model.close()
    const comparison = compareLogs({ server: new Server(model.url, 1000), isModel: false, nowNs: NOW_NS })
    expect((await runComparison(comparison, options({}))).fault?.message).toMatch(
      /insert\/jsonline.* cannot be reached/,
    )
  })

  test('that refuses what we answer', async () => {
    const edit = from(3, () => ({ status: 400, body: 'cannot parse query' }))
    const { failures, fault } = await runLogs({ isServer: true, edit, queries: 10 })
    expect(fault).toBeUndefined()
    expect(failures[0]?.message).toMatch(/theirs: refused \(cannot parse query\)/)
  })

  test.each([
    ['answers what is not JSON', { body: 'hello' }, /not JSON: "hello"/],
    ['answers a list', { body: '[1]' }, /not an object: "\[1\]"|neither a result nor an error/],
    ['answers numbers', { body: '{"a":1}' }, /not text: |neither a result nor an error/],
    ['fails', { status: 503, body: 'out of memory' }, /answers 503: "out of memory"/],
    ['breaks off', { body: '{"a":"1"}\n{', isCut: true }, /breaks off its answer: /],
  ])('that %s is told, then given up', async (_, reply, text) => {
    for (const run of [runLogs, runMetrics]) {
      const { unanswered, fault, failures } = await run({ isServer: true, edit: from(4, () => reply), queries: 20 })
      expect(unanswered).toHaveLength(3)
      expect(unanswered[0]).toMatch(text)
      expect(fault?.message).toMatch(text)
      expect(failures).toEqual([])
    }
  })

  test('that fails once is asked on', async () => {
    let isFirst = true
    const edit = from(4, (reply) => {
      const wasFirst = isFirst
      isFirst = false
      return wasFirst ? { body: '{' } : reply
    })
    const { unanswered, fault, queries } = await runLogs({ edit, queries: 20 })
    expect({ unanswered: unanswered.length, fault, queries }).toEqual({ unanswered: 1, fault: undefined, queries: 19 })
  })

  test('that is slow is told by its time', async () => {
    const edit = from(4, async (reply) => {
      await new Promise((resolve) => setTimeout(resolve, 20 * SLOW_MS).unref())
      return reply
    })
    const { unanswered } = await runLogs({ edit, queries: 4, timeoutMs: SLOW_MS })
    expect(unanswered[0]).toMatch(/gave no answer in 4 s$/)
  })

  test('that keeps only some of the rows is told why that may be', async () => {
    const edit: EditReply = (reply, query) => (query.includes('count() as n') ? { body: '{"n":"-1"}\n' } : reply)
    const { fault } = await runLogs({ edit, queries: 1, timeoutMs: SLOW_MS })
    expect(fault?.message).toMatch(/holds -1 of \d+ rows sent to it.*-retentionPeriod/)
  })
})

describe('the command', () => {
  async function command(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
    const lines: string[] = []
    const code = await differential(args, (line) => lines.push(line))
    return { code, text: lines.join('\n') }
  }

  test('without a server says so', async () => {
    const { code, text } = await command('--seconds', '1')
    expect(code).toBe(2)
    expect(text).toMatch(/^There is no server to compare with.*\nusage: /)
  })

  test.each([
    [['--logs', 'somewhere'], /--logs takes the address of a server/],
    [['--logs', 'model', '--queries', 'many'], /--queries takes a number, not "many"/],
    [['--logs', 'model', '--only', 'pipe riddle'], /no form is called "pipe riddle"/],
    [['--logs', 'model', '--only', 'metrics'], /--only metrics needs --metrics/],
    [['--colour'], /--colour/],
    [['--metrics', 'model', '--reference', '2.0'], /--reference takes 3\.5 or 3\.14, not "2\.0"/],
    [['--logs', 'model', '--differences', 'few'], /--differences takes a number, not "few"/],
    [['--logs', 'http://127.0.0.1:1', '--queries', '1'], /cannot be reached/],
  ])('%j is told in words', async (args, text) => {
    const result = await command(...args)
    expect(result.code).toBe(2)
    expect(result.text).toMatch(text)
  })

  test('runs, writes failing cases and replays them', async () => {
    const keep = mkdtempSync(join(tmpdir(), 'differential-'))
    try {
      const table = join(keep, 'pairs.tsv')
      const good = await command(
        '--logs',
        'model',
        '--metrics',
        'model',
        '--queries',
        '10',
        '--seed',
        '4',
        '--coverage',
        table,
      )
      expect(good).toMatchObject({
        code: 0,
        text: expect.stringMatching(/^seed 4\nlogs: 10 queries asked of .*, 0 differ\n/),
      })
      expect(readFileSync(table, 'utf8')).toMatch(/^filter all-*|pipe .* \+ pipe .*\t\d+$/m)
      const fake = await startLogModel(
        NOW_NS,
        editRows((rows) => [...rows, '{"x":"1"}']),
      )
      open.push(fake)
      const bad = await command('--logs', fake.url, '--queries', '20', '--seed', '4', '--keep', keep)
      expect(bad.code).toBe(1)
      expect(bad.text).toMatch(/^ {4}covered by no rule: \d+$/m)
      const ended = await command(
        '--logs',
        fake.url,
        '--queries',
        '20',
        '--seed',
        '4',
        '--keep',
        keep,
        '--differences',
        '2',
      )
      expect(ended).toMatchObject({ code: 1, text: expect.stringMatching(/, 2 differ\n[^]*ended after 2 differences/) })
      const failing = await startLogModel(
        NOW_NS,
        from(5, () => ({ status: 503, body: 'busy' })),
      )
      open.push(failing)
      expect(await command('--logs', failing.url, '--queries', '5', '--seed', '4')).toMatchObject({
        code: 2,
        text: expect.stringMatching(/not answered: .*answers 503: "busy"/),
      })
      const file = readdirSync(keep).find((name) => name.startsWith('differential-logs-'))
      expect(bad.text).toContain(`--replay ${join(keep, file ?? '')}`)
      expect(await command('--logs', fake.url, '--replay', join(keep, file ?? ''))).toMatchObject({ code: 1 })
      expect(await command('--logs', 'model', '--replay', join(keep, file ?? ''))).toEqual({
        code: 0,
        text: 'both give the same answer',
      })
      expect(await command('--metrics', 'model', '--replay', join(keep, file ?? ''))).toMatchObject({ code: 2 })
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
