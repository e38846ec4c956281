// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsBackend } from '../../../../src/backends/rows/index.ts'
import { createEngine, type Engine } from '../../../../src/engine/index.ts'
import { functions, Random } from '../support.ts'
import { foreignEngines, type LoadedEngine } from './engines.ts'
import { layoutRows, layouts } from './layouts.ts'

/**
 * Queries whose statements return partial results that the reader combines: aggregates of strings that may be numbers,
 * durations or times.
 */
const ofColumns = [
  '* | stats sum(pod) as total, avg(pod) as mean, min(pod) as least, max(pod) as most',
  '* | stats by (workload) sum(pod) as total, avg(content) as mean',
  '* | stats by (level) min(pod) as least, max(content) as most, count() as n',
  '* | stats by (level) min(content) if (status:>300) as least, sum(pod) if (pod:*) as total',
  'content:none_has_this | stats min(pod) as least, max(pod) as most, sum(pod) as total, avg(pod) as mean',
  '* | stats by (workload) rate() as r',
  '* | stats by (_time:1m, level) rate() if (status:>300) as r',
  '_time:[2026-01-01T00:00:00Z, 2027-01-01T00:00:00Z) | stats rate() as r',
  'content:none_has_this | stats rate() as r',
]
const ofNative = [
  '* | join by (workload) (level:error | stats by (workload) rate() as r) | fields seq, r',
  '* | join by (workload) (level:none | stats by (workload) sum(pod) as s, max(pod) as m) | fields seq, s, m',
]
const ofAttributes = [
  '* | stats by (status) min(user) as least, max(path) as most, sum(user) as total',
  '* | stats by (_stream) count() as n',
  '* | sort by (_stream desc, seq) | limit 20 | fields _stream, seq',
  '_stream:~"w[12]" | stats count() as n',
]

describe.each(foreignEngines)('what $name gives in parts', (engine) => {
  describe.each(layouts)('of the $name layout', (layout) => {
    const rows = layoutRows(layout, new Random(7), 200)
    let loaded: LoadedEngine
    let asked: Engine
    let model: Engine
    beforeAll(async () => {
      loaded = await engine.load(layout, rows)
      const { catalog } = loaded.backend
      asked = createEngine({ backends: [loaded.backend], catalog, lint: 'off' })
      model = createEngine({ backends: [rowsBackend(new Map([['logs', rows]]), functions)], catalog, lint: 'off' })
    })
    afterAll(() => loaded.close())

    test.each([...ofColumns, ...(layout.attributes.length === 0 ? ofNative : ofAttributes)])('%s', async (query) => {
      const { optimized } = asked.plan(query)
      expect(loaded.backend.accept(optimized)).toEqual({ kind: 'whole' })
      const wanted = await model.query(query).toArray()
      expect(await asked.query(query).toArray()).toEqual(wanted)
    })
  })
})
