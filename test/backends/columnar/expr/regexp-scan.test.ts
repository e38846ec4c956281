import { expect, test } from 'vitest'
import { present } from '../../../../src/base/index.ts'
import { rowsMatching } from '../../../../src/backends/columnar/expr/regexp-scan.ts'
import { safeRegexp } from '../../../../src/backends/columnar/expr/safe-regexp.ts'
import { Draw } from '../random-plans.ts'

test('rows searched together match as they do alone', () => {
  const draw = new Draw(5)
  let matches = 0
  for (let round = 0; round < 200; round++) {
    const letters = draw.pick(['ab', 'abc1', 'a0 '])
    const rows = Array.from({ length: 1 + draw.below(draw.chance(20) ? 9000 : 60) }, () =>
      Array.from({ length: draw.below(25) }, () => letters.charAt(draw.below(letters.length))).join(''),
    )
    const offsets = new Uint32Array(rows.length + 1)
    rows.forEach((row, i) => {
      offsets[i + 1] = present(offsets[i]) + row.length
    })
    const bytes = Buffer.from(rows.join(''), 'latin1')
    const column = { kind: 'text', length: rows.length, bytes, offsets, validity: undefined, wide: undefined } as const
    const pattern = draw.pick(['ab', 'a[bc]{2}', '[a-c]{3}1', 'aa|b', 'a{2,4}b', '[^a]b?0', 'ba?b'])
    const regexp = safeRegexp(pattern, false)?.regexp
    if (regexp === undefined) throw new Error(pattern)
    const from = draw.below(rows.length)
    const to = from + draw.below(rows.length - from + 1)
    const found = rowsMatching(regexp, column, from, to)
    for (let i = from; i < to; i++) {
      const isFound = ((present(found[(i - from) >>> 5]) >>> ((i - from) & 31)) & 1) === 1
      expect([pattern, rows[i], isFound]).toEqual([pattern, rows[i], regexp.test(present(rows[i]))])
      if (isFound) matches++
    }
  }
  expect(matches).toBeGreaterThan(100)
})

test('anchors and unbounded repeats are not searched together', () => {
  for (const pattern of ['^a', 'a$', '\\ba', 'a+', 'a.*b', 'a?', 'x|', '(a|\\Bb)']) {
    expect([pattern, safeRegexp(pattern, false)?.isLocal]).toEqual([pattern, false])
  }
  expect(safeRegexp('a{2}[0-9]?', false)?.isLocal).toBe(true)
})
