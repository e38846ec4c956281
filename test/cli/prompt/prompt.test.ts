import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Pager } from '../../../src/cli/prompt/pager.ts'
import { Prompt } from '../../../src/cli/prompt/prompt.ts'
import { historyPath, readPrompt } from '../../../src/cli/prompt/read-lines.ts'
import { isUnfinished } from '../../../src/cli/prompt/unfinished.ts'
import { openSession } from '../../../src/cli/session.ts'
import { loadFiles } from '../../../src/sources/files/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { runOn, testTerminal } from '../terminal.ts'

const fixture = join(import.meta.dirname, '../../../fixtures/logs/payments-pool-exhausted.ndjson')
const folder = mkdtempSync(join(tmpdir(), 'sluice-prompt-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const open = new AbortController().signal

async function promptOver(path: string, startPager?: () => Pager) {
  const { terminal, told } = testTerminal({ env: { XDG_STATE_HOME: folder } })
  const store = createMemoryStore(standardCatalog)
  await loadFiles([path], store.table('logs'), { format: 'auto', nowNs: terminal.nowNs() })
  const { engine } = await openSession(store, 'columnar', terminal, 'off')
  const what = { engine, terminal, table: 'logs', dialect: 'native', format: 'ndjson', timeoutMs: 60_000 } as const
  const prompt = new Prompt({ ...what, startPager })
  const say = async (text: string): Promise<{ readonly out: string; readonly error: string }> => {
    told.out = ''
    told.error = ''
    await prompt.take(text, open)
    return { ...told }
  }
  return { prompt, terminal, told, say }
}

describe('a query goes on in the next line', () => {
  test.each([
    ['level:error |', true],
    ['level:error | stats by (a,', true],
    ['stats by (', true],
    ['content:"one', true],
    ['content:"one \\" two', true],
    ['content:`one \\`', false],
    ['level:error \\', true],
    ['level:error', false],
    ['content:"(" x', false],
    ['level:error # a comment |', true],
    ['level:error # a (comment', false],
    [')', false],
  ])('%s: %j', (text, expected) => expect(isUnfinished(text)).toBe(expected))
})

describe('what is typed', () => {
  let over: Awaited<ReturnType<typeof promptOver>>
  beforeAll(async () => {
    over = await promptOver(fixture)
    await over.prompt.learn(open)
  })

  test('is a query', async () => {
    const { out, error } = await over.say('level:error | stats count() as n')
    expect(out).toBe('{"n":31}\n')
    expect(error).toMatch(/^\d+\.\d ms\n$/)
  })

  test('may be wrong, and the prompt goes on', async () => {
    expect((await over.say('* | nonsense')).error).toContain('There is no pipe named `nonsense`')
    expect((await over.say('\\nonsense')).error).toBe('There is no \\nonsense; \\h lists what there is.\n')
    expect((await over.say('\\r someday')).error).toContain('needs a time')
    expect((await over.say('\\f xml')).error).toContain('\\f takes one of table')
    expect((await over.say('* | stats count() as n')).out).toBe('{"n":604}\n')
  })

  test('asks for fields and values', async () => {
    expect((await over.say('\\d')).out).toContain('{"name":"workload","hits":604}\n')
    expect((await over.say('\\d level')).out).toBe(
      '{"level":"info","hits":394}\n{"level":"debug","hits":163}\n{"level":"error","hits":31}\n{"level":"warn","hits":16}\n',
    )
  })

  test('asks for a pipe, filter or function', async () => {
    expect((await over.say('\\h limit')).out).toMatch(/^limit \(pipe\)\n/)
    expect((await over.say('\\h limits')).error).toBe(
      'There is no pipe, filter or function `limits`. Did you mean `limit`?\n',
    )
  })

  test('sets the range and the format of what follows', async () => {
    await over.say('\\r 2026-03-10T11:00:00Z 2026-03-10T11:10:00Z')
    await over.say('\\f csv')
    expect((await over.say('* | stats count() as n')).out).toBe('n\r\n36\r\n')
    await over.say('\\r')
    await over.say('\\f ndjson')
    expect((await over.say('* | stats count() as n')).out).toBe('{"n":604}\n')
  })

  test.each(['\\q', 'quit', 'exit', ' Quit '])('ends by %j', async (text) => {
    const { prompt, say } = await promptOver(fixture)
    await say(text)
    expect(prompt.hasEnded).toBe(true)
  })

  test('is a word to search for in quotes, as are `quit` and `help` beside others', async () => {
    expect((await over.say('"quit" | stats count() as n')).out).toBe('{"n":0}\n')
    expect((await over.say('"help"')).error).toMatch(/^\d+\.\d ms\n$/)
    expect((await over.say('help')).error).toBe((await over.say('\\h')).error)
    expect((await over.say('help')).error).toContain('\\d [field]')
  })

  test('is shown by the pager if its answer is higher than the screen', async () => {
    const pages: string[] = []
    const { say } = await promptOver(fixture, () => ({
      write: async (text) => void pages.push(text),
      hasEnded: () => pages.length > 0,
      end: async () => 'The pager is broken.',
    }))
    expect((await say('* | limit 3')).out.split('\n')).toHaveLength(4)
    const { out, error } = await say('*')
    expect(out).toBe('')
    expect(pages[0]?.split('\n').length).toBeGreaterThan(22)
    expect(error).toMatch(/^The pager is broken\.\n\d+\.\d ms\n$/)
  })
})

describe('completion', () => {
  test('knows fields and values of the data', async () => {
    const { prompt } = await promptOver(fixture)
    await prompt.learn(open)
    expect(prompt.complete('workl')).toEqual([['workload:'], 'workl'])
    expect(prompt.complete('* | stats by (workl')).toEqual([['workload'], 'workl'])
    expect(prompt.complete('level:e')[0]).toContain('error')
    expect(prompt.complete('level:')[0]).not.toContain('workload:')
    expect(prompt.complete('* | sta')[0]).toContain('stats')
    expect(prompt.complete('\\d nam')).toEqual([['namespace'], 'nam'])
    expect(prompt.complete('\\h lim')).toEqual([['limit', 'limit_ties'], 'lim'])
    expect(prompt.complete('\\f nd')).toEqual([['ndjson'], 'nd'])
    expect(prompt.complete('\\')).toEqual([[], ''])
  })
})

describe('lines', () => {
  test('that are pasted together are answered in turn; history is kept for its owner', async () => {
    const { prompt, told, terminal } = await promptOver(fixture)
    const input = new PassThrough()
    const output = new PassThrough().resume()
    const done = readPrompt(prompt, { input, output }, terminal)
    input.write('level:error |\nstats count() as n\nlevel:warn | stats count() as n\n\\q\n')
    await done
    expect(told.out).toBe('{"n":31}\n{"n":16}\n')
    const path = historyPath(terminal)
    expect(readFileSync(path, 'utf8')).toBe('level:error | stats count() as n\nlevel:warn | stats count() as n\n\\q\n')
    expect(statSync(path).mode & 0o077).toBe(0)
  })
})

test('a file in the place of a command is what the prompt is opened on', async () => {
  expect(await runOn({}, fixture, '--tz', 'UTC')).toEqual({
    code: 2,
    out: '',
    error: `The prompt needs a terminal; in a script use: sluice query '*' ${fixture}\n`,
  })
  expect((await runOn({}, 'no-such-file.ndjson')).error).toContain("unknown command 'no-such-file.ndjson'")
})

test('a prompt without a terminal is refused, and no arguments show the help', async () => {
  expect(await runOn({}, 'prompt')).toMatchObject({
    code: 2,
    error: expect.stringContaining('needs a terminal') as string,
  })
  expect((await runOn({})).error).toContain('Usage: sluice')
})
