import { describe, expect, test } from 'vitest'
import { collapseNumbers, collapseNumbersPretty } from '../../../src/data/index.ts'

describe('collapseNumbers', () => {
  test.each([
    ['', ''],
    ['abc', 'abc'],
    ['a1 b2c 3d', 'a1 b2c 3d'],
    ['deadbeef cafe beef1', '<N> <N> beef1'],
    ['1h5m took 3.5s', '<N>h<N>m took <N>.<N>s'],
    ['12x 12h 12hx', '12x <N>h 12hx'],
    ['0x1F 0xZZ x0x1', '0x<N> 0xZZ x0x1'],
    ['_1 1_ (2)', '_1 1_ (<N>)'],
    ['2026-01-02T03:04:05Z', '<N>-<N>-<N>T<N>:<N>:<N>Z'],
    ['ж1 1ж -5', 'ж1 1ж -<N>'],
  ])('%j', (text, collapsed) => {
    expect(collapseNumbers(text)).toBe(collapsed)
  })

  test.each([
    ['10.1.2.3:80', '<IP4>:<N>'],
    ['at 2026-01-02 03:04:05.678+01:00 by 2edfed59-3e98-4073-bbb2-28d321ca71a7', 'at <DATETIME> by <UUID>'],
    ['2026/01/02 or 03:04:05,6', '<DATE> or <TIME>'],
    ['1.2.3', '<N>.<N>.<N>'],
  ])('pretty %j', (text, collapsed) => {
    expect(collapseNumbersPretty(text)).toBe(collapsed)
  })
})
