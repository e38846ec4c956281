import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { defineFuzz } from '../../../src/cli/commands/fuzz.ts'
import { testTerminal } from '../../cli/terminal.ts'
import { defineFuzzer, type Fuzzer } from '../../../src/fuzz/runner/index.ts'

/**
 * Returns a fuzzer whose cases are lists of digits. A 7 breaks a law. An 8 in a list of fewer than two digits cannot be
 * prepared.
 */
function digits(): { readonly fuzzer: Fuzzer; readonly open: () => number } {
  let open = 0
  const ground = () => {
    open++
    const prepare = (given: readonly number[]): readonly number[] => {
      if (given.includes(8) && given.length < 2) throw new TypeError('a lonely 8')
      return given
    }
    return { prepare, close: () => void open-- }
  }
  const fuzzer = defineFuzzer<readonly number[], readonly number[]>({
    name: 'digits',
    casesPerBlock: 10,
    laws: [
      { law: { name: 'no-seven', check: (given) => (given.includes(7) ? 'a 7' : undefined) }, share: 1 },
      { law: { name: 'short', check: (given) => (given.length > 9 ? 'long' : undefined) }, share: 0 },
    ],
    block: () => ({
      ...ground(),
      draw: (_, seed) => ({ given: Array.from(String(seed), Number), uses: new Set([`first/${String(seed)[0]}`]) }),
    }),
    ground,
    show: (given) => given.join(''),
    *smaller(given) {
      for (let i = 0; i < given.length; i++) yield given.toSpliced(i, 1)
    },
    notes: (given) => (given.length === 1 ? ['one digit'] : []),
    write: (given) => [...given],
    read: (kept) => kept as readonly number[],
  })
  return { fuzzer, open: () => open }
}

async function command(...args: readonly string[]): Promise<{ readonly text: string; readonly end: string }> {
  const { terminal, told } = testTerminal({ nowMs: () => 0 })
  const program = new Command('fuzz').exitOverride()
  defineFuzz(program, terminal, [digits().fuzzer])
  const end = await program.parseAsync(args, { from: 'user' }).then(
    () => 'clean',
    (error: unknown) => (error instanceof Error ? `${error.name} ${error.message}`.trim() : 'thrown'),
  )
  return { text: told.out, end }
}

test('a broken law is found, made small and kept; the kept case is broken when it is checked again', async () => {
  const { fuzzer, open } = digits()
  const report = await fuzzer.run({ seed: 25, runs: 3 })
  expect(report.cases).toBe(3)
  expect(report.failures).toEqual([
    {
      law: 'no-seven',
      seed: 27,
      shown: '7',
      message: 'a 7',
      kept: { fuzzer: 'digits', law: 'no-seven', seed: 27, case: [7] },
    },
  ])
  expect(await fuzzer.replay({ fuzzer: 'digits', law: 'no-seven', seed: 27, case: [7] })).toBe('a 7')
  expect(await fuzzer.replay({ fuzzer: 'digits', law: 'no-seven', seed: 27, case: [6] })).toBeUndefined()
  await expect(fuzzer.replay({ fuzzer: 'digits', law: 'even', seed: 1, case: [] })).rejects.toThrow(/no law even/)
  expect(open()).toBe(0)
})

test('a case that crashes is a failure, and stays one while it is made smaller', async () => {
  const { fuzzer } = digits()
  const { failures } = await fuzzer.run({ seed: 8, runs: 1 })
  expect(failures.map(({ law, shown }) => [law, shown])).toEqual([['no-crash', '8']])
  expect(failures[0]?.message).toMatch(/^throws TypeError: a lonely 8/)
  expect(await fuzzer.replay({ fuzzer: 'digits', law: 'no-crash', seed: 8, case: [8] })).toMatch(/a lonely 8/)
  expect(await fuzzer.replay({ fuzzer: 'digits', law: 'no-crash', seed: 8, case: [8, 1] })).toBeUndefined()
})

test('one law alone is checked on every case; cases can be left out by their text; time and failures end a run', async () => {
  const { fuzzer, open } = digits()
  const long = await fuzzer.run({ seed: 10 ** 10, runs: 5, law: 'short', shrinks: false })
  expect(long.failures.length).toBe(5)
  const some = await fuzzer.run({ seed: 0, runs: 100, matching: /^1/, maxFailures: 99 })
  expect([some.cases, some.failures.length, some.notes.get('one digit')]).toEqual([11, 1, 1])
  expect((await fuzzer.run({ seed: 0, runs: 1000, maxFailures: 2 })).failures.length).toBe(2)
  const timed = await fuzzer.run({ seed: 10 ** 6, timeMs: 0, maxFailures: Infinity, shrinks: false })
  expect(timed.cases).toBeGreaterThan(0)
  expect(open()).toBe(0)
})

test('the command prints its seed first and ends with an error when a law is broken', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  try {
    const broken = await command('--seed', '70', '--runs', '1', '--keep', folder, '--histogram')
    expect(broken.text.split('\n')).toEqual([
      'seed 70',
      expect.stringMatching(/^ {2}first\/7 +100\.0 %$/),
      '',
      'no-seven, seed 70: 7',
      '  a 7',
      `  kept as ${join(folder, 'digits-no-seven-70.json')}`,
      'digits: 1 cases, 1 failures, 0.0 s',
      '',
    ])
    expect(broken.end).toBe('CommandError')
    const [file] = readdirSync(folder)
    const path = join(folder, file ?? '')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ fuzzer: 'digits', case: [7] })
    expect((await command('--replay', path)).end).toBe('CommandError no-seven is broken: a 7')
  } finally {
    rmSync(folder, { recursive: true })
  }
  const clean = await command('--seed', '1', '--runs', '5')
  expect(clean).toEqual({ text: 'seed 1\ndigits: 5 cases, 0 failures, 100.0 % one digit, 0.0 s\n', end: 'clean' })
  const fresh = [await command('--runs', '0'), await command('--runs', '0')].map(({ text }) => text.split('\n')[0])
  expect(fresh[0]).toMatch(/^seed \d+$/)
  expect(fresh[0]).not.toBe(fresh[1])
})

test.each([
  [['--only', 'letters'], /There is no fuzzer `letters`; there are digits/],
  [['--law', 'even'], /There is no law `even`; there are no-seven, short/],
  [['--runs', 'x'], /--runs needs a whole number, not `x`/],
  [['--matching', '('], /--matching/],
])('%j is refused', async (args, message) => {
  expect((await command(...args)).end).toMatch(message)
})
