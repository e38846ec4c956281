import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}

test('every script is explained, and there are few', () => {
  const named = [...text.matchAll(/(?:`|^)npm (?:run )?([a-z:-]+)/gm)].map(([, name]) => name)
  const names = Object.keys(scripts)
  expect(names.filter((name) => !named.includes(name))).toEqual([])
  expect(named.filter((name) => !['ci', 'install'].includes(name ?? '') && !names.includes(name ?? ''))).toEqual([])
  expect(names.length).toBeLessThanOrEqual(14)
})

test('every file and folder that is named is there', () => {
  const paths = [...text.matchAll(/`((?:src|test|bench|grammar)\/[^`]*)`/g)].map(([, path]) => path ?? '')
  const folders = paths.map((path) => path.replace(/\/?<name>.*$/, ''))
  expect(folders.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(folders.length).toBeGreaterThan(30)
})
