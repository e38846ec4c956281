import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from '../cli/terminal.ts'

const folder = join(import.meta.dirname, '../../fixtures/questions')

const page = readFileSync(new URL('../../grammar/reference/questions.md', import.meta.url), 'utf8')
const commands = Array.from(page.matchAll(/^sluice (.*)$/gm), ([, command = '']) => command)

/** Splits a shell command into words; single quotes group words. File names are resolved in the temporary folder. */
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
