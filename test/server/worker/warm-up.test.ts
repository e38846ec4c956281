import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { SluiceError, invariant, nowhere, present } from '../../../src/base/index.ts'
import { setBit } from '../../../src/data/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import type { QueryWorkerRequest } from '../../../src/server/worker/messages.ts'
import { warmUpAtStart, warmUpQueries, warmUpOverFiles, type FilesToWarm } from '../../../src/server/worker/warm-up.ts'
import { durableDiagnostic } from '../../../src/store/durable/index.ts'
import { MemoryTable, setGroups, standardCatalog, type Segment, type SegmentGroup } from '../../../src/store/index.ts'
import { BlockCache } from '../../../src/store/segments/index.ts'
import { fileOf, opened, sealedTable, sourceOf } from '../../store/segments/read-all.ts'

const SECOND = 1_000_000_000n
/** Segments of two full questions and one of six. */
const SEGMENTS = 70

/** `shard3` is in every fourth segment, the last row of segment `i` has `request70i`, and all have the rest. */
const segments = Array.from({ length: SEGMENTS }, (_, i) => {
  const second = BigInt(i) * SECOND
  const table = sealedTable([
    [second + 1n, [['content', `nothing to see in shard${i % 4}`]]],
    [second + 2n, [['content', `user asked shard${i % 4}, request70${i} was slow`]]],
  ])
  const { file, summary } = fileOf(table, present(table.snapshot()[0]))
  return opened(table, sourceOf(file), summary, new BlockCache(1 << 20))
})
/** What a filter over all of them says. */
const group: SegmentGroup = {
  textField: 'content',
  withWord: (bytes) => {
    const word = new TextDecoder().decode(bytes)
    const bits = new Uint32Array(3)
    for (let i = 0; i < SEGMENTS; i++) {
      const has = word.startsWith('shard')
        ? word === `shard${i % 4}`
        : !word.startsWith('r') || word === `request70${i}`
      if (has) setBit(bits, i)
    }
    return bits
  },
  withTexts: () => undefined,
}
setGroups([], [{ file: { path: 'a.filter', bytes: 0, crc: 0, segments: [] }, group, segments }])

interface Asked {
  readonly query: string
  readonly start: string
  readonly end: string
}

const bodyOf = ({ body }: QueryWorkerRequest): Asked => {
  invariant(body !== null, 'a body')
  return JSON.parse(new TextDecoder().decode(body)) as Asked
}

/** What is asked while segments are warmed up; `onAsk` is called with each question. */
async function askedOf(
  given: Partial<FilesToWarm>,
  signal: AbortSignal,
  onAsk: () => void = () => undefined,
  warm = warmUpOverFiles,
): Promise<{ readonly asked: readonly Asked[]; readonly reads: number }> {
  const asked: Asked[] = []
  let reads = 0
  await warm(
    {
      backend: 'default',
      segments,
      ask: async (request) => {
        asked.push(bodyOf(request))
        onAsk()
        return { head: { status: 200, headers: {}, error: undefined }, body: '[]' }
      },
      beginRead: async () => {
        reads++
        return () => void reads--
      },
      isBusy: () => false,
      workedMs: () => 0,
      ...given,
    },
    signal,
  )
  return { asked, reads }
}

const never = new AbortController().signal

describe('a thread at rest', () => {
  test('asks for a word that some of its newest segments have, and ends its reads', async () => {
    const { asked, reads } = await askedOf({}, never)
    expect(asked.map(({ query }) => query)).toEqual([
      '"shard1" | sort by (_time desc) | limit 32',
      '"shard1" | sort by (_time desc) | limit 32',
      '"shard1" | sort by (_time desc) | limit 32',
    ])
    expect(asked.map(({ start }) => Date.parse(start) / 1000)).toEqual([SEGMENTS - 32, SEGMENTS - 64, 0])
    expect(reads).toBe(0)
  })

  test('finds rows of many segments by each question', async () => {
    const { asked } = await askedOf({}, never)
    const table = new MemoryTable(present(standardCatalog.tables.get('logs')))
    table.addSealed(segments)
    const engine = createEngine({
      backends: [columnarBackend({ tables: new Map([['logs', table]]) }, standardFunctions)],
      lint: 'off',
    })
    const found: number[] = []
    for (const { query, start, end } of asked) {
      const range = { startNs: BigInt(Date.parse(start)) * 1_000_000n, endNs: BigInt(Date.parse(end) + 1) * 1_000_000n }
      let rows = 0
      for await (const batch of engine.query(query, { range }).batches()) rows += batch.rowCount
      found.push(rows)
    }
    expect(found).toEqual([16, 16, 4])
  })

  test('asks for the longest word where no group knows them', async () => {
    const alone = sealedTable([[1n, [['content', 'user asked, request709 was slow']]]])
    const { file, summary } = fileOf(alone, present(alone.snapshot()[0]))
    const { asked } = await askedOf({ segments: [opened(alone, sourceOf(file), summary)] }, never)
    expect(asked.map(({ query }) => query)).toEqual(['"request709" | sort by (_time desc) | limit 32'])
  })

  test('looks at few words of a long text', async () => {
    const long = sealedTable([[1n, [['content', `${'a '.repeat(40)}bb ${'c'.repeat(3000)} ddd`]]]])
    const { file, summary } = fileOf(long, present(long.snapshot()[0]))
    const { asked } = await askedOf({ segments: [opened(long, sourceOf(file), summary)] }, never)
    expect(asked.map(({ query }) => query)).toEqual(['"a" | sort by (_time desc) | limit 32'])
  })

  test('stops as soon as somebody asks', async () => {
    const controller = new AbortController()
    const { asked, reads } = await askedOf({}, controller.signal, () => controller.abort())
    expect(asked).toHaveLength(1)
    expect(reads).toBe(0)
    expect((await askedOf({}, controller.signal)).asked).toHaveLength(0)
  })

  test('stops when it has worked for a while', async () => {
    let worked = 0
    const { asked } = await askedOf({ workedMs: () => worked }, never, () => (worked += 300))
    expect(asked).toHaveLength(2)
  })

  test('waits while other threads are at work', async () => {
    let looks = 0
    const { asked } = await askedOf({ isBusy: () => looks++ === 0 }, never)
    expect(asked).toHaveLength(3)
    expect(looks).toBe(4)
  })

  test('leaves segments in memory alone', async () => {
    const inMemory: readonly Segment[] = sealedTable([[1n, [['content', 'request req709']]]]).snapshot()
    expect((await askedOf({ segments: inMemory }, never)).asked).toHaveLength(0)
    expect((await askedOf({ segments: [] }, never)).asked).toHaveLength(0)
  })

  test('ends at damage, which is told to whoever asks', async () => {
    const damage = new SluiceError([durableDiagnostic('damaged', { part: 'a file', what: 'torn' }, nowhere)])
    expect((await askedOf({ beginRead: () => Promise.reject(damage) }, never)).asked).toHaveLength(0)
    const table = sealedTable([[1n, [['content', 'request req709']]]])
    const { file, summary } = fileOf(table, present(table.snapshot()[0]))
    const torn = opened(table, sourceOf(file.fill(7, file.length - 60)), summary, new BlockCache(1 << 20))
    expect((await askedOf({ segments: [torn] }, never)).asked).toHaveLength(0)
  })
})

describe('the first thread of a server', () => {
  // Its moment before it is ready passes when a test says so.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('asks the same before it is ready', async () => {
    expect((await askedOf({}, never, undefined, warmUpAtStart)).asked).toEqual((await askedOf({}, never)).asked)
  })

  test('ends when somebody waits for it', async () => {
    let isBusy = false
    const { asked, reads } = await askedOf({ isBusy: () => isBusy }, never, () => (isBusy = true), warmUpAtStart)
    expect(asked).toHaveLength(1)
    expect(reads).toBe(0)
  })

  test('ends a question that takes too long', async () => {
    let asks = 0
    const ask: FilesToWarm['ask'] = (_, signal) => {
      asks++
      const answer = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('ended'))),
      )
      vi.advanceTimersByTime(1000)
      return answer
    }
    expect((await askedOf({ ask }, never, undefined, warmUpAtStart)).reads).toBe(0)
    expect(asks).toBe(1)
  })
})

describe('joins at rest', () => {
  test('stop with the first job', async () => {
    const asked = new AbortController()
    let looks = 0
    const isBusy = (): boolean => {
      if (++looks === 2) asked.abort()
      return false
    }
    await warmUpQueries({ isBusy }, asked.signal)
    expect(looks).toBe(2)
  })

  test('wait while others work', async () => {
    const asked = new AbortController()
    const busy = [true, true, false, true]
    let looks = 0
    const isBusy = (): boolean => {
      const now = busy[looks++] ?? false
      if (looks === busy.length) asked.abort()
      return now
    }
    await warmUpQueries({ isBusy }, asked.signal)
    expect(looks).toBe(busy.length)
  })
})
