import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from '../../cli/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-widths-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0

async function read(text: string, fields: string, name = 'table.csv') {
  const path = join(folder, `${files++}-${name}`)
  writeFileSync(path, text)
  const { out, error } = await run('query', `* | sort by (_time) | fields ${fields}`, path, '--format', 'ndjson')
  return { rows: out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown])), error }
}

const time = (second: number): string => `2025-11-30T10:11:${String(second).padStart(2, '0')}Z`

describe('a name of several columns', () => {
  test.each(['table.csv', 'table.log'])('gets a number in %s, and is reported once', async (name) => {
    const text = `time,amount,level,amount,amount\n${time(1)},1,info,2,3\n${time(2)},4,warn,5,6\n`
    const { rows, error } = await read(text, 'level, amount, amount_2, amount_3', name)
    expect(rows).toEqual([
      { level: 'info', amount: '1', amount_2: '2', amount_3: '3' },
      { level: 'warn', amount: '4', amount_2: '5', amount_3: '6' },
    ])
    expect(error).toBe('Several columns are called `amount`: the second is `amount_2`, and so on.\n')
  })

  test('takes no name that another column has', async () => {
    const { rows } = await read(`time,a,a_2, a\n${time(1)},1,2,3\n`, 'a, a_2, a_3')
    expect(rows).toEqual([{ a: '1', a_2: '2', a_3: '3' }])
  })

  test('is no name where most cells are the same', async () => {
    expect((await read('x,x,x\ny,y,y\n', 'column1')).rows).toContainEqual({ column1: 'x' })
  })
})

describe('records of another width than the names', () => {
  test('are counted, whichever of the readers reads them', async () => {
    const rows = Array.from({ length: 40 }, (_, i) =>
      i % 10 === 3 ? `${time(i)},info,m,more,most` : i % 20 === 7 ? `${time(i)},info` : `${time(i)},info,m${i}`,
    )
    const { rows: found, error } = await read(`time,level,msg\n${rows.join('\n')}\n`, 'content, column4, column5')
    expect(found).toHaveLength(40)
    expect(found[3]).toEqual({ content: 'm', column4: 'more', column5: 'most' })
    expect(found[7]).toEqual({ content: null, column4: null, column5: null })
    expect(error).toBe(
      '4 records have values behind the last named column: their fields are called `column` with the place of the column.\n' +
        '2 records have fewer cells than there are columns: the last fields are missing.\n',
    )
  })

  test.each([
    ['empty cells behind the last name', `time,level,msg\n${time(1)},info,a,,\n`],
    ['a table without names', `${time(1)},info,a\n${time(2)},info\n`],
  ])('are not told of %s', async (_, text) => {
    expect((await read(text, 'level')).error).not.toMatch(/last named column|cells/)
  })
})
