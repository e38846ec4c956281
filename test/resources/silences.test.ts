import { describe, expect, test } from 'vitest'
import { isSilencing } from '../../src/resources/index.ts'
import { isActive } from '../../src/resources/silences/active.ts'

const labels = new Map([
  ['team', 'shop'],
  ['host', 'a.example\nb'],
])

function matcher(name: string, value: string, isEqual = true, isRegex = false) {
  return { name, value, isEqual, isRegex }
}

describe('whether a silence holds for an alert', () => {
  test.each([
    ['all matchers hold', [matcher('team', 'shop'), matcher('host', 'a.*', true, true)], true],
    ['one does not', [matcher('team', 'shop'), matcher('host', 'b')], false],
    ['a pattern matches the whole value', [matcher('team', 'sho', true, true)], false],
    ['alternatives are whole values too', [matcher('team', 'pay|sho', true, true)], false],
    ['a negated value', [matcher('team', 'pay', false)], true],
    ['a negated pattern', [matcher('team', 's.*', false, true)], false],
    ['a missing label is the empty text', [matcher('env', '')], true],
    ['and is not another text', [matcher('env', 'prod', false)], true],
    ['no matcher at all', [], false],
  ])('%s', (_, matchers, expected) => {
    expect(isSilencing(matchers, labels)).toBe(expected)
  })
})

test('a silence holds from its start, up to and without its end, beyond what milliseconds can tell', () => {
  const body = { startsAt: '2026-01-01T00:00:00.000000001Z', endsAt: '2026-01-01T00:00:00.000000003Z' }
  const startNs = 1_767_225_600_000_000_000n
  expect([0n, 1n, 2n, 3n].map((ns) => isActive(body, startNs + ns))).toEqual([false, true, true, false])
})
