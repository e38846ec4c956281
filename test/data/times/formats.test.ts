import { describe, expect, test } from 'vitest'
import { parseRfc3339 } from '../../../src/base/index.ts'
import { exampleContext, leadingTime, readTime, timeFormats } from '../../../src/data/index.ts'

const examples = timeFormats.flatMap(({ name, contexts, examples: list }) =>
  list.map(([text, time]) => ({ name, contexts, text, ns: parseRfc3339(time) })),
)

test.each([
  ['15/06/09 23:01:05 INFO Executor: up', '2015-06-09T23:01:05Z'],
  ['15/06/09 23:01:05 something', undefined],
  ['27/06/09 23:01:05 INFO Executor: up', undefined],
  ['25/13/09 23:01:05 INFO Executor: up', undefined],
])('%s with two digits of the year begins with %s', (line, time) => {
  expect(leadingTime(line, exampleContext)?.ns).toBe(time === undefined ? undefined : parseRfc3339(time))
})

describe('examples of each format', () => {
  test.each(examples.filter(({ contexts }) => contexts.includes('value')))(
    '$name: $text as a value',
    ({ text, ns }) => {
      expect(readTime(text, exampleContext)).toBe(ns)
      expect(readTime(` [${text}]`, exampleContext)).toBe(ns)
    },
  )

  test.each(examples.filter(({ contexts }) => contexts.includes('line')))('$name: $text in a line', ({ text, ns }) => {
    for (const [before, behind] of [
      ['', ''],
      ['', ' something happened'],
      ['[', '] something happened'],
      ['<34>', ' host something'],
      ['INFO ', ' something'],
      ['[WARN] ', ': something'],
    ] as const) {
      const line = `${before}${text}${behind}`
      expect(leadingTime(line, exampleContext), line).toEqual({ ns, end: before.length + text.length })
    }
  })
})
