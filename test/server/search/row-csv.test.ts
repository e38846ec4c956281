import { expect, test } from 'vitest'
import { GivenRows, SEARCH, appOf, post, row, searchBody, type Sent } from '../harness/harness.ts'
import { defaultServerLimits } from '../../../src/server/index.ts'

const csv = { Accept: 'text/csv' }

async function ask(rows: GivenRows, body: object = {}, limits = defaultServerLimits): Promise<Sent> {
  return post(appOf({ search: rows, limits }), SEARCH, { ...searchBody, ...body }, csv)
}

test('an answer is CSV with the columns of all rows', async () => {
  const { status, headers, text } = await ask(
    new GivenRows([
      [row({ _time: { time: '1767225600000000001' }, text: 'a "b", c', n: { integer: '9007199254740993' } })],
      [row({ text: 'two\nlines', other: { json: '{"a":[1]}' } }), row({ text: '=1+1' })],
    ]),
  )
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
  expect(text).toBe(
    '_time,text,n,other\r\n' +
      '2026-01-01T00:00:00.000000001Z,"a ""b"", c",9007199254740993,\r\n' +
      ',"two\nlines",,"{""a"":[1]}"\r\n' +
      ',=1+1,,\r\n',
  )
})

test('rows are cut as in an array, groups are not', async () => {
  const rows = Array.from({ length: 5 }, (_, n) => row({ n }))
  const limits = { ...defaultServerLimits, answerRows: 3 }
  const cut = await ask(new GivenRows([rows.slice(0, 2), rows.slice(2)]), {}, limits)
  expect([cut.text, cut.headers.get('x-row-limit-reached')]).toEqual(['n\r\n0\r\n1\r\n2\r\n', '3'])
  const groups = await ask(new GivenRows([rows], { isAggregate: true }), {}, limits)
  expect([groups.text.split('\r\n').length, groups.headers.get('x-row-limit-reached')]).toEqual([7, null])
})

test('a large answer, an error and an empty answer are as with JSON', async () => {
  const limits = { ...defaultServerLimits, answerBytes: 100 }
  const large = await ask(new GivenRows([[row({ text: 'x'.repeat(200) })]]), {}, limits)
  expect([large.status, (large.body as { code: string }).code]).toEqual([400, 'server/answer-too-large'])
  expect((await ask(new GivenRows([], { error: new Error('broken') }))).status).toBe(500)
  const none = await ask(new GivenRows([]))
  expect([none.status, none.text]).toEqual([200, ''])
})

test('with enableStream too, since all rows are needed for the columns', async () => {
  const { text } = await ask(new GivenRows([[row({ n: 1 })]]), { enableStream: true })
  expect(text).toBe('n\r\n1\r\n')
})
