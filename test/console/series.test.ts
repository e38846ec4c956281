import { expect, test } from 'vitest'
import type { ShownRow } from '../../src/console/ask/requests.ts'
import { chartOf } from '../../src/console/pages/search/series.ts'

const row = (values: Readonly<Record<string, string>>, type: 'text' | 'number'): ShownRow =>
  Object.entries(values).map(([name, text]) => ({ name, text, type: name === 'n' ? type : 'text' }))

test.each(['number', 'text'] as const)(
  'what a query computes is drawn, as a %s too, and its groups are named',
  (type) => {
    const rows = [row({ status: '200', n: '7' }, type), row({ status: '500', n: '2' }, type)]
    expect(chartOf(rows, ['n'])).toEqual({
      timesMs: undefined,
      names: ['200', '500'],
      series: [{ name: 'n', values: [7, 2] }],
    })
  },
)

test('where the columns are not known, only numbers are drawn', () => {
  const rows = [row({ status: '200', n: '7' }, 'number')]
  expect(chartOf(rows, []).series).toEqual([{ name: 'n', values: [7] }])
  expect(chartOf([row({ status: '200', n: '7' }, 'text')], []).series).toEqual([])
})
