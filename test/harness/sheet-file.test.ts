import { describe, expect, test } from 'vitest'
import { parseSheet, rewriteSheet } from './sheet-file.ts'

const text = `// a comment
=== data
{"a":1}

=== query first
a:1 |
limit 1
=== rows
{"a":1}
=== except sqlite: it cannot
=== logsql second
*
=== ordered rows
=== plan
scan
`

describe('sheets', () => {
  test('a sheet is read', () => {
    const [first, second] = parseSheet(text)
    expect(first).toMatchObject({
      title: 'first',
      line: 5,
      dialect: 'native',
      query: 'a:1 |\nlimit 1',
      data: ['{"a":1}'],
    })
    expect(first?.expectations).toEqual([{ kind: 'rows', lines: ['{"a":1}'] }])
    expect([...(first?.exemptions ?? [])]).toEqual([['sqlite', 'it cannot']])
    expect(second).toMatchObject({ title: 'second', dialect: 'logsql', data: ['{"a":1}'] })
    expect(second?.expectations).toEqual([
      { kind: 'ordered rows', lines: [] },
      { kind: 'plan', lines: ['scan'] },
    ])
  })

  test.each([
    ['=== query a\n*\n', 'line 1: a query without expectations'],
    ['=== rows\n', 'line 1: a sheet knows no `rows` here'],
    ['=== query a\n*\n=== colums\n', 'line 3: a sheet knows no `colums` here'],
    ['=== query a\n*\n=== except sqlite\n', 'line 3: a sheet knows no `except sqlite` here'],
  ])('%j is refused', (sheet, message) => {
    expect(() => parseSheet(sheet)).toThrow(message)
  })

  test('expectations are written anew, the rest stays', () => {
    const rewritten = rewriteSheet(text, (line, kind) =>
      line === 5 && kind === 'rows' ? ['{"a":2}', '{"a":3}'] : undefined,
    )
    expect(rewritten).toBe(text.replace('=== rows\n{"a":1}\n', '=== rows\n{"a":2}\n{"a":3}\n'))
    expect(rewriteSheet(text, () => undefined)).toBe(text)
  })
})
