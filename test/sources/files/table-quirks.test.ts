import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { valueAt } from '../../../src/data/index.ts'
import { loadFiles } from '../../../src/sources/files/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-tables-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0

/** Reads a file with this extension and returns the values of some columns, row by row. */
async function read(text: string, columns: readonly string[], ending = 'csv') {
  const path = join(folder, `${files++}.${ending}`)
  writeFileSync(path, text)
  const table = createMemoryStore(standardCatalog).table('logs')
  const { badLines } = await loadFiles([path], table, { format: 'auto', nowNs: 1_767_225_600_000_000_000n })
  const rows = table.view.snapshot().flatMap((segment) =>
    Array.from({ length: segment.rowCount }, (_, row) =>
      columns.map((name) => {
        const column = segment.columns.get(name)?.column
        return column === undefined ? null : valueAt(column, row)
      }),
    ),
  )
  return { rows, badLines }
}

test.each([
  ['a quote', String.raw`"say (\"hi\")"`, 'say ("hi")'],
  ['a separator behind it', String.raw`"a\, \"b\""`, 'a, "b"'],
  ['a backslash', String.raw`"C:\\x \"y\""`, String.raw`C:\x "y"`],
  ['a separator behind a quote', String.raw`"\"a\", b \"c\""`, '"a", b "c"'],
  ['a line break', '"a\n\\"b\\" c"', 'a\n"b" c'],
])('a backslash in quotes before %s', async (_, cell, expected) => {
  const text = `"id","name","note"\n"1","say \\"x\\" y","a"\n"2",${cell},"b"\n"3","plain","c"\n`
  expect(await read(text, ['id', 'name', 'note'])).toEqual({
    rows: [
      ['1', 'say "x" y', 'a'],
      ['2', expected, 'b'],
      ['3', 'plain', 'c'],
    ],
    badLines: 0,
  })
})

test.each([
  ['a path that ends with one', String.raw`"C:\dir\"`, String.raw`C:\dir` + '\\'],
  ['a doubled quote behind one', String.raw`"a\""b"`, String.raw`a\"b`],
  ['none', '"say ""hi"""', 'say "hi"'],
])('quotes are doubled where backslashes mean nothing: %s', async (_, cell, expected) => {
  expect((await read(`id,name,note\n1,${cell},a\n2,"x",b\n`, ['name', 'note'])).rows).toEqual([
    [expected, 'a'],
    ['x', 'b'],
  ])
})

test.each([
  ['1250,5', '1250.5'],
  ['-12,5', '-12.5'],
  ['1.250,75', '1250.75'],
  ['"1,5"', '1.5'],
  ['a,5', 'a,5'],
  ['1,5,7', '1,5,7'],
])('between semicolons %s is %s', async (cell, expected) => {
  expect((await read(`name;count;place\nx;2,5;a\ny;${cell};b\n`, ['count'])).rows).toEqual([['2.5'], [expected]])
})

test.each([
  ['numbers have points', 'name;count;place\nx;2.5;a\ny;1,250;b\n', '1,250'],
  ['commas separate', 'name,count,place\nx,"2,5",a\ny,"1,250",b\n', '1,250'],
])('a comma stays where %s', async (_, text, expected) => {
  expect((await read(text, ['count'])).rows[1]).toEqual([expected])
})

test.each([
  ['Report of sales\n', 1],
  ['Report of sales\nMade on 2026-01-02\n\n', 2],
])('titles above a table are told, and the columns have their names: %j', async (titles, badLines) => {
  const text = `${titles}name,count,place\nx,2,a\ny,3,b\n`
  for (const ending of ['csv', 'log'])
    expect(await read(text, ['name', 'count'], ending)).toEqual({
      rows: [
        ['x', '2'],
        ['y', '3'],
      ],
      badLines,
    })
})

test('a text of sentences with a title is no table', async () => {
  const text = 'Notes\nfirst we came, saw, and left\nthen it rained, as ever, and more\n'
  expect((await read(text, ['content'], 'log')).rows).toHaveLength(3)
})
