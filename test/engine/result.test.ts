import { describe, expect, test } from 'vitest'
import { collect, nowhere } from '../../src/base/index.ts'
import { Instant, JsonText, field, plainRowsOf, batchOfRows, type Value } from '../../src/data/index.ts'
import { createEngine, readRows } from '../../src/engine/index.ts'
import { columnarOver, mixedRows, rowsOver, startNs } from './data.ts'

const rows = mixedRows(300)
const engines = [columnarOver(rows), rowsOver(rows)].map((backend) =>
  createEngine({ backends: [backend], lint: 'off' }),
)

describe('answers as plain objects', () => {
  test('every kind of value', () => {
    const row = new Map<string, Value>([
      ['text', 'a'],
      ['missing', null],
      ['flag', true],
      ['number', 1.5],
      ['big', 2n ** 60n],
      ['time', new Instant(startNs)],
      ['list', new JsonText('[1,{"id":12345678901234567890}]')],
      ['nothing', new JsonText('null')],
      ['__proto__', 'own'],
    ])
    const [plain = {}] = plainRowsOf(batchOfRows({ fields: [field('text'), field('absent')], isOpen: true }, [row]))
    expect(Object.entries(plain)).toEqual([
      ['text', 'a'],
      ['absent', null],
      ['flag', true],
      ['number', 1.5],
      ['big', 2n ** 60n],
      ['time', '2026-01-01T00:00:00.000000000Z'],
      ['list', [1, { id: 12345678901234567890n }]],
      ['nothing', null],
      ['__proto__', 'own'],
    ])
    expect(Object.getPrototypeOf(plain)).toBe(Object.prototype)
  })

  test('the rows of `rows()`, with columns that the query names in each', async () => {
    for (const engine of engines) {
      const result = engine.query('* | sort by (_time, pod) | limit 3 | fields _time, pod, none')
      const found = await result.toArray()
      expect(found.map((row) => Object.keys(row).join())).toEqual(Array(3).fill('_time,pod,none'))
      expect(await collect(result.rows())).toEqual(found)
      const exact = await collect(readRows(result.batches()))
      expect(found.map(({ pod }) => pod)).toEqual(exact.map((row) => row.get('pod')))
      expect(found[0]?.['_time']).toMatch(/^2026-01-01T\d\d:\d\d:\d\d\.\d{9}Z$/)
    }
  })
})

describe('partial answers', () => {
  test('a limit of rows is reported, and only when it cut', async () => {
    for (const engine of engines) {
      const cut = engine.query('*', { limits: { answerRows: 7 } })
      expect(cut.partial()).toBeUndefined()
      expect(await cut.toArray()).toHaveLength(7)
      expect(cut.partial()).toMatchObject({ code: 'engine/answer-cut', severity: 'warning', data: { limit: 7 } })
      expect(cut.statistics().rows).toBe(7)
      const whole = engine.query('* | limit 7', { limits: { answerRows: 7 } })
      expect(await whole.toArray()).toHaveLength(7)
      expect(whole.partial()).toBeUndefined()
      const none = engine.query('*', { limits: { answerRows: 0 } })
      expect(await none.toArray()).toEqual([])
      expect(none.partial()?.code).toBe('engine/answer-cut')
    }
  })

  test('a run that meets a limit gives what it has, when it is asked to', async () => {
    for (const engine of engines) {
      const limits = { scanRows: 10, batchRows: 1 }
      await expect(engine.query('*', { limits }).toArray()).rejects.toMatchObject({ code: 'budget/rows' })
      const result = engine.query('*', { limits, overLimit: 'partial' })
      expect((await result.toArray()).length).toBeLessThan(rows.length)
      expect(result.partial()).toMatchObject({ code: 'budget/rows', severity: 'warning', origin: nowhere })
    }
  })

  test('a cancelled query is no partial answer', async () => {
    for (const engine of engines) {
      const result = engine.query('*', { overLimit: 'partial', signal: AbortSignal.abort() })
      await expect(result.toArray()).rejects.toMatchObject({ code: 'budget/cancelled' })
    }
  })
})
