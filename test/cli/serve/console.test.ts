import { expect, test } from 'vitest'
import { consoleFolder, consoleLine } from '../../../src/cli/serve/console.ts'

const server = { consoleCode: () => 'abc' }

test.each([
  ['http://127.0.0.1:7400', 'http://127.0.0.1:7400/#code=abc'],
  ['http://0.0.0.0:80', 'http://127.0.0.1:80/#code=abc'],
  ['http://[::]:7400', 'http://127.0.0.1:7400/#code=abc'],
  ['http://[::1]:7400', 'http://[::1]:7400/#code=abc'],
])('a server at %s prints the link %s', (address, link) => {
  expect(consoleLine(address, server, true)).toBe(
    `Console, signed in (the link works once, within 10 minutes): ${link}`,
  )
})

test('no link is made for a log, or without a console', () => {
  let made = 0
  const counting = { consoleCode: () => String(++made) }
  expect(consoleLine('http://127.0.0.1:7400', counting, false)).toBeUndefined()
  expect(made).toBe(0)
  expect(consoleLine('http://127.0.0.1:7400', { consoleCode: () => undefined }, true)).toBeUndefined()
})

test('the folder of the console is found from the source and from the package', () => {
  expect(consoleFolder('file:///a/src/cli/commands/serve.ts')).toBe('/a/dist/console')
  expect(consoleFolder('file:///a/dist/cli/serve-1a2b.js')).toBe('/a/dist/console')
})
