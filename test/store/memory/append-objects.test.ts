import { expect, test } from 'vitest'
import { createEngine } from '../../../src/engine/index.ts'
import { createMemoryStore } from '../../../src/store/index.ts'

function logs(objects: Iterable<object>) {
  const store = createMemoryStore()
  const report = store.table('logs').writer.appendObjects(objects, { nowNs: 5_000_000_000n })
  return { report, engine: createEngine({ tables: store.tables, lint: 'off' }) }
}

test('objects are placed as JSON lines are, and a record without a time gets the time given', async () => {
  const { engine } = logs([
    { ts: '2026-03-10T11:20:00Z', level: 50, msg: 'pool exhausted', req: { id: 7n } },
    { level: 'info', msg: 'no time' },
  ])
  expect(await engine.query('exhausted level:error | fields _time, req.id').toArray()).toEqual([
    { _time: '2026-03-10T11:20:00.000000000Z', 'req.id': '7' },
  ])
  expect(await engine.query('time | fields _time').toArray()).toEqual([{ _time: '1970-01-01T00:00:05.000000000Z' }])
})

test('more objects than one text holds are all stored', async () => {
  const { engine } = logs(Array.from({ length: 2_500 }, (_, n) => ({ msg: `line ${n}` })))
  expect(await engine.query('* | count()').toArray()).toEqual([{ count: 2_500 }])
})

test.each([[['text']], [[null]], [[5]]])('%j is refused with the correct call', (rows) => {
  expect(() => logs(rows as unknown as object[])).toThrow('`writer.appendObjects` needs objects')
})

test('an object that contains itself is refused', () => {
  const object: Record<string, unknown> = {}
  object['self'] = object
  expect(() => logs([object])).toThrow('`writer.appendObjects` needs objects that JSON can hold')
})
