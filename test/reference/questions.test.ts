import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from '../cli/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-questions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TRACE = '4bf92f3577b34da6'

const files: Readonly<Record<string, readonly string[]>> = {
  'api.log': [
    `{"time":"2026-03-10T11:00:00Z","level":"info","host":"a","path":"/orders/1","status":200,"ms":10,"user_id":"u1","order_id":"o1","trace":"${TRACE}","msg":"served"}`,
    '{"time":"2026-03-10T11:01:10Z","level":"error","host":"a","path":"/orders/2","status":500,"ms":30,"user_id":"u1","order_id":"o1","msg":"Pool exhausted"}',
    '{"time":"2026-03-10T11:03:00Z","level":"error","host":"b","path":"/orders/3","status":503,"ms":90,"user_id":"u1","order_id":"o2","msg":"pool exhausted"}',
  ],
  'access.log': [
    `10.0.2.7 - - [10/Mar/2026:11:00:00 +0000] "GET /orders/1 HTTP/1.1" 200 512 "-" "curl/8" trace=${TRACE}`,
    '10.0.1.7 - - [10/Mar/2026:11:00:01 +0000] "GET /health HTTP/1.1" 200 2 "-" "kube-probe/1.29" trace=0',
  ],
  'worker.log': [
    `2026-03-10 11:00:00,500 INFO job took 42 ms trace=${TRACE}`,
    '2026-03-10 11:00:02,000 ERROR job failed: ValueError',
  ],
  'orders.csv': ['created_at,order_id,amount', '2026-03-10 10:59:00,o1,12.50', '2026-03-10 10:59:30,o2,7'],
}
for (const [name, lines] of Object.entries(files)) writeFileSync(join(folder, name), `${lines.join('\n')}\n`)

const page = readFileSync(new URL('../../grammar/reference/questions.md', import.meta.url), 'utf8')
const commands = Array.from(page.matchAll(/^sluice (.*)$/gm), ([, command = '']) => command)

/** The words of a shell, of which quoted ones stand between single quotes; files lie in the folder. */
function wordsOf(command: string): readonly string[] {
  return Array.from(command.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, word = '']) => quoted ?? word).map((word) =>
    word.replace(/(^|=)([a-z]+\.(?:log|csv))$/, (_, before: string, name: string) => `${before}${join(folder, name)}`),
  )
}

describe('questions', () => {
  test.each(commands)('sluice %s', async (command) => {
    const { code, out, error } = await run(...wordsOf(command))
    expect([code, error]).toEqual([0, ''])
    expect(out).not.toBe('')
  })

  test('the page finds what it says', async () => {
    const answer = async (title: string): Promise<string> => {
      const [, command = ''] = page.slice(page.indexOf(`## ${title}`)).match(/^sluice (.*)$/m) ?? []
      return (await run(...wordsOf(command))).out
    }
    expect((await answer('Which lines anywhere')).trim().split('\n')).toHaveLength(3)
    expect(await answer('What does `grep')).toBe('{"count":2}\n')
    expect(await answer('What share')).toContain('"percent":50')
    expect(await answer('What became slower')).toContain('"ratio":4.5')
    expect(await answer('What led to an error')).toContain('job took 42')
    expect(await answer('How are rows of one file')).toContain('"amount":"12.50"')
  })

  test('help shows the page', async () => {
    const { out, code } = await run('help', 'questions')
    expect(code).toBe(0)
    expect(out).toContain('Which lines anywhere belong to one trace?')
    expect(out).toContain("    sluice query '*:4bf92f3577b34da6 | sort by (_time)'")
    expect((await run('help')).out).toContain('sluice help questions')
  })
})
