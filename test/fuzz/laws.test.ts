import { describe, expect, test, vi } from 'vitest'
import { always, nowhere, seededRandom } from '../../src/base/index.ts'
import {
  batchOfRows,
  columnOfValues,
  field,
  Instant,
  recordBatch,
  type Column,
  type Value,
} from '../../src/data/index.ts'
import { defineStats } from '../../src/functions/index.ts'
import { rules } from '../../src/optimize/index.ts'
import { literal, type LogicalPlan } from '../../src/plan/index.ts'
import { bytesAreTexts } from '../../src/fuzz/oracles/bytes-are-texts.ts'
import { deletesAgree } from '../../src/fuzz/oracles/deletes-agree.ts'
import { filtersAgree } from '../../src/fuzz/oracles/filters-agree.ts'
import { jsonParametersAreValues } from '../../src/fuzz/oracles/json-parameters-are-values.ts'
import { looksChangeNothing } from '../../src/fuzz/oracles/looks-change-nothing.ts'
import type { FuzzCase } from '../../src/fuzz/oracles/oracle.ts'
import { parametersAreValues } from '../../src/fuzz/oracles/parameters-are-values.ts'
import { plansSettle } from '../../src/fuzz/oracles/plans-settle.ts'
import { sameAfterOptimize } from '../../src/fuzz/oracles/same-after-optimize.ts'
import { planOfPipeline } from '../../src/fuzz/pipeline/pipeline-plan.ts'
import { SeriesCallJob } from '../../src/backends/columnar/series/call-morsels.ts'
import { DATA_MS, fuzzSamples, memoryStore } from '../../src/fuzz/promql/dataset.ts'
import { parametersAreValues as metricParametersAreValues } from '../../src/fuzz/promql/laws/parameters-are-values.ts'
import { SamplesPublisher } from '../../src/store/index.ts'
import { SampleSources } from '../../src/store/samples/store/sample-sources.ts'
import { deletedIsNeverSent } from '../../src/fuzz/promql/laws/deleted-is-never-sent.ts'
import { filesAreMemory } from '../../src/fuzz/promql/laws/files-are-memory.ts'
import { droppedIsNeverSent } from '../../src/fuzz/promql/laws/dropped-is-never-sent.ts'
import { exportedIsMemory } from '../../src/fuzz/promql/laws/exported-is-memory.ts'
import { packedIsMemory } from '../../src/fuzz/promql/laws/packed-is-memory.ts'
import { sharedIsAlone } from '../../src/fuzz/promql/laws/shared-is-alone.ts'
import { filedStore } from '../../src/fuzz/promql/filed-store.ts'
import { packedStore } from '../../src/fuzz/promql/packed-store.ts'
import { runQuery } from '../../src/fuzz/promql/run-query.ts'
import { makeSubject } from '../../src/fuzz/subject.ts'

async function caseOf(text: string, change: object = {}): Promise<FuzzCase> {
  const subject = { ...(await makeSubject([])), ...change }
  return { text, subject, query: { filter: text, pipes: [] }, model: { rows: [] }, random: seededRandom(1) }
}

describe('laws are broken when what they speak of is', () => {
  test('plans-settle: rules that do not rest', async () => {
    const filter = (input: LogicalPlan): LogicalPlan => ({
      kind: 'filter',
      input,
      predicate: literal(true, nowhere),
      origin: nowhere,
    })
    const { subject } = await caseOf('level:error')
    const plan = filter(filter(subject.plan('level:error')))
    expect(await plansSettle.check(await caseOf('level:error'))).toBeUndefined()
    expect(await plansSettle.check(await caseOf('level:error', { plan: () => plan }))).toMatch(/rules change the plan/)
  })

  test('same-after-optimize: finds a disabled rule that runs', async () => {
    const names = rules.map(({ name }) => name)
    expect(await sameAfterOptimize.check(await caseOf('level:error'))).toBeUndefined()
    expect(await sameAfterOptimize.check(await caseOf('level:error', { rulesOf: () => names }))).toMatch(/left out/)
  })

  test('filters-agree: two ways of writing that find different rows, or one that is refused', async () => {
    const sound = await caseOf('*')
    for (let seed = 0; seed < 40; seed++)
      expect(await filtersAgree.check({ ...sound, random: seededRandom(seed) })).toBeUndefined()
    let calls = 0
    const query = (): unknown => ({
      async *batches() {
        if (calls++ % 2 === 0) yield batchOfRows({ fields: [], isOpen: true }, [new Map<string, Value>([['a', 1]])])
      },
    })
    const odd = await caseOf('*', { reading: () => ({ query }) })
    expect(await filtersAgree.check(odd)).toMatch(/1 against 0 rows/)
  })

  test('deletes-agree: other rows are deleted than the filter finds', async () => {
    const rows = ['error', 'info', 'error'].map((level, i) => ({
      timeNs: BigInt(i),
      sequence: i,
      row: new Map<string, Value>([
        ['_time', new Instant(BigInt(i))],
        ['level', level],
      ]),
    }))
    const subject = await makeSubject(rows)
    const sound = { ...(await caseOf('level:error')), subject }
    expect(await deletesAgree.check(sound)).toBeUndefined()
    const odd = { ...subject, lowered: () => subject.lowered('level:info') }
    expect(await deletesAgree.check({ ...sound, subject: odd })).toMatch(/2 rows are left, of which 1 do not pass/)
  })

  test('looks-change-nothing: a result that takes its state with it', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({
      timeNs: BigInt(i),
      sequence: i,
      row: new Map<string, Value>([['_time', new Instant(BigInt(i))]]),
    }))
    const counting = (name: string, finish: (state: { rows: number }) => number) =>
      defineStats({
        name,
        parameters: [{ name: 'field', type: 'any' }],
        returns: 'number',
        init: () => ({ rows: 0 }),
        add: ({ rows: before }) => ({ rows: before + 1 }),
        merge: (a, b) => ({ rows: a.rows + b.rows }),
        finish,
        isOrderSensitive: false,
        doc: { summary: 'How many rows.' },
      })
    const drained = (state: { rows: number }): number => {
      const { rows: count } = state
      state.rows = 0
      return count
    }
    const stats = [counting('kept', (state) => state.rows), counting('drained', drained)]
    const subject = await makeSubject(rows, { extend: { stats } })
    const check = async (text: string): Promise<unknown> =>
      looksChangeNothing.check({ ...(await caseOf(text)), subject, random: seededRandom(1) })
    expect(await check('* | stats kept(_time) as n')).toBeUndefined()
    expect(await check('* | stats drained(_time) as n')).toMatch(/looked at against not looked at/)
    await subject.close()
  })

  test('bytes-are-texts: a row that is another when it is read again', async () => {
    let reads = 0
    const changing: Column = {
      kind: 'values',
      length: 2,
      get values() {
        return [reads++, 'x']
      },
    }
    const answering = (column: Column) => async () => {
      const batch = recordBatch({ fields: [field('n')], isOpen: false }, 2, [column])
      const query = (): unknown => ({
        async *batches() {
          yield batch
        },
      })
      return bytesAreTexts.check({ ...(await caseOf('*', { query })), random: seededRandom(1) })
    }
    expect(await answering(columnOfValues([1, 'x']))()).toBeUndefined()
    expect(await answering(changing)()).toMatch(/texts and bytes differ: row 0 in native/)
  })

  test('parameters-are-values: a value that is lost', async () => {
    const sound = await caseOf('level:"error" | limit 5')
    const lost = {
      ...sound.subject,
      queryPlan: () => ({
        async *batches() {
          yield batchOfRows({ fields: [], isOpen: true }, [new Map<string, Value>([['a', 1]])])
        },
      }),
    }
    for (let seed = 0; seed < 8; seed++) {
      const random = seededRandom(seed)
      expect(await parametersAreValues.check({ ...sound, random })).toBeUndefined()
      expect(await parametersAreValues.check({ ...sound, subject: lost as never, random })).toMatch(/0 against 1 rows/)
    }
  })

  test('json-parameters-are-values: a value that is lost', async () => {
    const { subject } = await caseOf('*')
    const body = { filters: { conditions: [{ key: 'level', filters: [{ op: 'eq', value: 'error' }] }] } }
    const plan = planOfPipeline(body)
    const sound = { body, plan, subject, range: always, model: { rows: [] }, random: seededRandom(1) }
    expect(await jsonParametersAreValues.check(sound)).toBeUndefined()
    const lost = { ...subject, lowered: () => subject.lowered('* | stats count()') }
    expect(await jsonParametersAreValues.check({ ...sound, subject: lost })).toMatch(/0 against 1 rows/)
  })

  test('files-are-memory, packed-is-memory: a sample that is lost', async () => {
    const samples = fuzzSamples(1)
    const memory = memoryStore(samples)
    const times = { startMs: 0, endMs: 600_000, stepMs: 60_000 }
    const text = 'count({__name__=~".+"})'
    const answer = await runQuery(text, times, memory.reader)
    const given = {
      ...times,
      text,
      answer,
      samples,
      memory: memory.reader,
      sqlite: memory.reader,
      packed: packedStore(samples),
      secondReader: undefined,
      random: seededRandom(1),
    }
    expect(await filesAreMemory.check({ ...given, files: filedStore(samples).reader })).toBeUndefined()
    const files = filedStore(samples.filter((_, i) => i % 10 > 0))
    expect(await filesAreMemory.check({ ...given, files: files.reader })).toBeTypeOf('string')
    const whole = { ...given, files: memory.reader }
    expect(await packedIsMemory.check(whole)).toBeUndefined()
    const packed = packedStore(samples.filter((_, i) => i % 10 > 0))
    expect(await packedIsMemory.check({ ...whole, packed })).toBeTypeOf('string')
    const half = { store: whole.packed.store, replica: packed.replica }
    expect(await packedIsMemory.check({ ...whole, packed: half })).toBeTypeOf('string')
  })

  test('dropped-is-never-sent, exported-is-memory: a sample that is lost', async () => {
    const samples = fuzzSamples(1)
    const memory = memoryStore(samples)
    const times = { startMs: 0, endMs: 600_000, stepMs: 60_000 }
    const text = 'count({__name__=~".+"})'
    const answer = await runQuery(text, times, memory.reader)
    const packed = packedStore(samples)
    const rest = { secondReader: undefined, random: seededRandom(1), files: memory.reader, sqlite: memory.reader }
    const given = { ...times, ...rest, text, answer, samples, memory: memory.reader, packed }
    expect(await droppedIsNeverSent.check(given)).toBeUndefined()
    expect(await exportedIsMemory.check(given)).toBeUndefined()
    const fewer = packedStore(samples.filter((_, i) => i % 10 > 0))
    expect(await exportedIsMemory.check({ ...given, packed: fewer })).toBeTypeOf('string')
    const news = Object.getOwnPropertyDescriptor(SamplesPublisher.prototype, 'news')?.value as SamplesPublisher['news']
    // Suppress the messages about removed series, so that replicas never learn of them.
    const tells = vi.spyOn(SamplesPublisher.prototype, 'news').mockImplementation(function* (this: SamplesPublisher) {
      for (const { sources, ...piece } of news.call(this)) yield { ...piece, sources: { ...sources, gone: [] } }
    })
    expect(await droppedIsNeverSent.check(given)).toBeTypeOf('string')
    tells.mockRestore()
  })

  test('shared-is-alone: series that another thread leaves out', async () => {
    const samples = fuzzSamples(1)
    const memory = memoryStore(samples)
    const times = { startMs: DATA_MS, endMs: DATA_MS + 60_000, stepMs: 10_000 }
    const text = 'count_over_time({__name__=~".+_total"}[1d])'
    const random = seededRandom(1)
    const answer = await runQuery(text, times, memory.reader)
    const given = {
      ...times,
      text,
      answer,
      memory: memory.reader,
      sqlite: memory.reader,
      files: memory.reader,
      packed: { store: memory, replica: memory },
      samples,
      secondReader: undefined,
      random,
    }
    expect(await sharedIsAlone.check(given)).toBeUndefined()
    vi.spyOn(SeriesCallJob.prototype, 'run').mockImplementation(() => undefined)
    expect(await sharedIsAlone.check(given)).toBeTypeOf('string')
    vi.restoreAllMocks()
  })

  test('deleted-is-never-sent: a sample that stays', async () => {
    const samples = fuzzSamples(1)
    const memory = memoryStore(samples)
    const times = { startMs: DATA_MS, endMs: DATA_MS, stepMs: 1000 }
    const given = {
      ...times,
      memory: memory.reader,
      sqlite: memory.reader,
      files: memory.reader,
      packed: { store: memory, replica: memory },
      secondReader: undefined,
    }
    // This query reads every sample.
    const text = 'sum(count_over_time({__name__=~".+"}[1d]))'
    const answer = await runQuery(text, times, memory.reader)
    let differing = 0
    for (let seed = 0; seed < 20; seed++) {
      const check = (found: typeof samples): Promise<string | undefined> | string | undefined =>
        deletedIsNeverSent.check({ ...given, text, answer, samples: found, random: seededRandom(seed) })
      expect(await check(samples)).toBeUndefined()
      vi.spyOn(SampleSources.prototype, 'replace').mockImplementation(() => undefined)
      if ((await check(samples)) !== undefined) differing++
      vi.restoreAllMocks()
    }
    expect(differing).toBeGreaterThan(0)
  })

  test('metric parameters-are-values: a value that is lost', async () => {
    const memory = memoryStore(fuzzSamples(1))
    const times = { startMs: 0, endMs: 0, stepMs: 1000 }
    const given = {
      ...times,
      samples: [],
      memory: memory.reader,
      sqlite: memory.reader,
      files: memory.reader,
      packed: { store: memory, replica: memory },
      secondReader: undefined,
      random: seededRandom(1),
    }
    const answer = await runQuery('vector(5)', times, memory.reader)
    expect(await metricParametersAreValues.check({ ...given, text: 'vector(5)', answer })).toBeUndefined()
    const other = await runQuery('vector(6)', times, memory.reader)
    expect(await metricParametersAreValues.check({ ...given, text: 'vector(5)', answer: other })).toMatch(/otherwise/)
  })
})
