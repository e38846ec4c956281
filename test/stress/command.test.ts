import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runStress, stressRuns } from './command.ts'

test('README.md and the command list every run with its question', async () => {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  const rows = [...readme.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(([, name, question]) => [name, question])
  expect(rows).toEqual(Object.entries(stressRuns).map(([name, { question }]) => [name, question]))
  const lines: string[] = []
  expect(await runStress([], (line) => lines.push(line))).toBe(0)
  for (const [name, { question }] of Object.entries(stressRuns))
    expect(lines.join('\n')).toMatch(new RegExp(`^  ${name} +${question.replace('?', '\\?')}$`, 'm'))
})

test.each([
  [['riddle'], 'There is no stress run "riddle".'],
  [['growth', '--seconds', 'many'], '--seconds takes a whole number, not "many"'],
  [['growth', '--colour'], "Unknown option '--colour'"],
])('%j is refused in words', async (args, message) => {
  const lines: string[] = []
  expect(await runStress(args, (line) => lines.push(line))).toBe(2)
  expect(lines.join('\n')).toContain(message)
})
