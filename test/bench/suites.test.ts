import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('bench/README.md has a question for each suite', () => {
  const bench = join(import.meta.dirname, '../../bench')
  const table = readFileSync(join(bench, 'README.md'), 'utf8').split('## All suites')[1] ?? ''
  const listed = Array.from(table.matchAll(/^\| (`.*?`) \|/gm), ([, names = '']) => names.match(/[\w-]+/g) ?? []).flat()
  const suites = readdirSync(join(bench, 'suites')).flatMap((name) => /^(.*)\.ts$/.exec(name)?.[1] ?? [])
  expect(listed.toSorted()).toEqual(suites.filter((name) => name !== 'questions').toSorted())
})
