import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addToLedger,
  endOfUntested,
  firstUntested,
  ledgerTotal,
  readLedger,
  semanticsFingerprint,
} from '../../src/cli/commands/fuzz-ledger.ts'
import { mergedReports, runVocabulary, type FuzzArguments, type Vocabulary } from '../../src/cli/commands/fuzz-run.ts'
import type { Terminal } from '../../src/cli/terminal.ts'

let folder = ''
let count = 0
const fresh = (): string => join(folder, `${count++}.json`)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const entry = (fromSeed: number, cases: number, semantics = 's') => ({ fromSeed, cases, semantics })

test('runs that touch or overlap become one entry; runs of other code go', () => {
  const file = fresh()
  addToLedger(file, entry(1, 10, 'old'))
  addToLedger(file, entry(100, 10))
  addToLedger(file, entry(110, 5))
  addToLedger(file, entry(1, 50))
  addToLedger(file, entry(40, 20))
  expect(readLedger(file).entries).toEqual([entry(1, 59), entry(100, 15)])
  expect(ledgerTotal(readLedger(file), 's')).toBe(74)
  expect(ledgerTotal(readLedger(file), 'other')).toBe(0)
})

test('what is tested is told from what is not', () => {
  const ledger = { entries: [entry(10, 10), entry(20, 5), entry(40, 10)] }
  expect([0, 10, 24, 25, 40].map((seed) => firstUntested(ledger, 's', seed))).toEqual([0, 25, 25, 25, 50])
  expect([0, 25, 50].map((seed) => endOfUntested(ledger, 's', seed, 60))).toEqual([10, 40, 60])
  expect(firstUntested(ledger, 'other', 10)).toBe(10)
})

test('three processes that add to one ledger lose nothing', { timeout: 60_000 }, async () => {
  const file = fresh()
  const module = new URL('../../src/cli/commands/fuzz-ledger.ts', import.meta.url).href
  const script = `
    const { addToLedger } = await import(${JSON.stringify(module)})
    const from = Number(process.argv[1])
    for (let i = 0; i < 40; i++) addToLedger(${JSON.stringify(file)}, { fromSeed: from + i * 3, cases: 1, semantics: 's' })
  `
  const run = promisify(execFile)
  await Promise.all([0, 1, 2].map((from) => run(process.execPath, ['--input-type=module', '-e', script, String(from)])))
  expect(readLedger(file).entries).toEqual([entry(0, 120)])
  expect(existsSync(`${file}.lock`)).toBe(false)
})

test('the fingerprint speaks of the files and not of where they lie', () => {
  const sourceOf = (name: string, text: string): string => {
    const source = join(folder, name)
    for (const room of ['data', 'optimize', 'backends']) mkdirSync(join(source, room), { recursive: true })
    writeFileSync(join(source, 'data/a.ts'), text)
    return source
  }
  const [here, there, changed] = [sourceOf('here', 'a'), sourceOf('over there', 'a'), sourceOf('changed', 'b')]
  expect(semanticsFingerprint(`${here}/`)).toBe(semanticsFingerprint(here))
  expect(semanticsFingerprint(there)).toBe(semanticsFingerprint(here))
  expect(semanticsFingerprint(changed)).not.toBe(semanticsFingerprint(here))
})

interface Report {
  cases: number
  readonly failures: number[]
  readonly uses: Map<string, number>
}

function fuzzer(bad: readonly number[]): { readonly vocabulary: Vocabulary<Report>; readonly ran: [number, number][] } {
  const ran: [number, number][] = []
  const vocabulary: Vocabulary<Report> = {
    fingerprint: () => 's',
    chunkCases: 10,
    run: async ({ seed, runs }) => {
      ran.push([seed, runs])
      const failures = bad.filter((each) => each >= seed && each < seed + runs)
      return { cases: runs, failures, uses: new Map([['x', runs]]) }
    },
    failureText: (failure) => `broken at ${String(failure)}`,
    summary: ({ cases }) => ({ lines: [], sentence: `${cases} cases` }),
  }
  return { vocabulary, ran }
}

async function told(vocabulary: Vocabulary<Report>, given: Partial<FuzzArguments>): Promise<string> {
  let text = ''
  const terminal: Terminal = {
    write: async (part) => void (text += part),
    writeError: () => undefined,
    isOutputTty: false,
    isErrorTty: false,
    columns: 80,
    env: {},
    nowNs: () => 0n,
    nowMs: () => 0,
    signal: new AbortController().signal,
  }
  const options = { runs: '35', seed: '0', source: '', maxFailures: '10', quiet: true, ...given }
  const end = await runVocabulary(vocabulary, options, terminal).then(
    () => 'clean',
    (error: unknown) => (error instanceof Error ? error.name : 'thrown'),
  )
  return `${text}${end}`
}

test('a long run is recorded chunk by chunk as one entry, and what is recorded is not run again', async () => {
  const ledger = fresh()
  addToLedger(ledger, entry(15, 3))
  const { vocabulary, ran } = fuzzer([])
  expect(await told(vocabulary, { ledger })).toBe('32 cases, 0.0 s, 3 recorded before, ledger 35\nclean')
  expect(ran).toEqual([
    [0, 10],
    [10, 5],
    [18, 10],
    [28, 7],
  ])
  expect(readLedger(ledger).entries).toEqual([entry(0, 35)])
  expect(await told(vocabulary, { ledger })).toBe('0 cases, 35 recorded before, ledger 35\nclean')
})

test('what a change of the code cannot touch is carried over, what it can runs again', async () => {
  const ledger = fresh()
  addToLedger(ledger, entry(0, 30, 'before'))
  addToLedger(ledger, entry(100, 5, 'before'))
  const { vocabulary, ran } = fuzzer([])
  const carried = { ledger, carry: 'before', only: 'join', change: 'joins' }
  const selective = { ...vocabulary, isSelective: true }
  expect(await told(vocabulary, carried)).toBe('CommandError')
  expect(await told(selective, { ...carried, change: undefined })).toBe('CommandError')
  expect(await told(selective, { ...carried, carry: 'another' })).toBe('CommandError')
  expect(await told({ ...fuzzer([103]).vocabulary, isSelective: true }, carried)).toContain('broken at 103')
  expect(readLedger(ledger).entries).toEqual([entry(0, 30, 'before'), entry(100, 5, 'before')])
  expect(await told(selective, carried)).toContain('ledger 35\nclean')
  expect(ran).toEqual([
    [0, 30],
    [100, 5],
  ])
  expect(readLedger(ledger)).toEqual({
    entries: [entry(0, 30), entry(100, 5)],
    carried: [{ from: 'before', to: 's', rerun: 35, change: 'joins', only: 'join', cases: 35 }],
  })
  addToLedger(ledger, entry(200, 1))
  expect(readLedger(ledger).carried).toHaveLength(1)
  addToLedger(ledger, entry(200, 1, 'later'))
  expect(readLedger(ledger).carried).toBeUndefined()
})

test('nothing is recorded from a failure on', async () => {
  const ledger = fresh()
  const { vocabulary, ran } = fuzzer([14, 31])
  expect(await told(vocabulary, { ledger })).toBe('\nbroken at 14\n20 cases, 0.0 s, ledger 10\nCommandError')
  expect(ran.length).toBe(2)
  expect(readLedger(ledger).entries).toEqual([entry(0, 10)])
  // Without a ledger it goes on.
  expect(await told(vocabulary, {})).toContain('35 cases')
})

test('reports add up', () => {
  const a = { cases: 1, failures: [1], uses: new Map([['x', 1]]), plans: new Set(['p']), isAll: true }
  const b = {
    cases: 2,
    failures: [2],
    uses: new Map([
      ['y', 1],
      ['x', 4],
    ]),
    plans: new Set(['q']),
    isAll: false,
  }
  expect(mergedReports(a, b)).toEqual({
    cases: 3,
    failures: [1, 2],
    uses: new Map([
      ['x', 5],
      ['y', 1],
    ]),
    plans: new Set(['p', 'q']),
    isAll: false,
  })
})
