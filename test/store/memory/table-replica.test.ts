import { expect, test } from 'vitest'
import { present, seededRandom } from '../../../src/base/index.ts'
import { putOnDisk } from '../../../src/fuzz/on-disk.ts'
import { Instant, JsonText, encodeText, rowsOf, type Row, type Value } from '../../../src/data/index.ts'
import type { Table } from '../../../src/plan/index.ts'
import {
  GrowingDictionary,
  TablePublisher,
  TableReplica,
  createMemoryStore,
  standardCatalog,
} from '../../../src/store/index.ts'

const startNs = 1_767_225_600_000_000_000n

function rowsOfTable(table: Table): readonly Row[] {
  const { batches } = table.scan(undefined as never)
  return [...(batches as Iterable<Parameters<typeof rowsOf>[0]>)].flatMap((batch) => [...rowsOf(batch)])
}

/** Returns a replica of the logs table, and a function that updates it as messages to another thread would. */
function replicated() {
  const table = createMemoryStore(standardCatalog).table('logs')
  const publisher = new TablePublisher(table)
  const replica = new TableReplica(structuredClone(table.definition))
  let pieces = 0
  const update = (): number => {
    const before = pieces
    for (const news of publisher.news()) {
      replica.apply(structuredClone(news))
      pieces++
    }
    return pieces - before
  }
  return { table, replica, update }
}

const odd: readonly Value[] = [
  true,
  1.5,
  2n ** 62n,
  new Instant(5n),
  new JsonText('{"a":1}'),
  'naïve',
  'lone \udc00!',
  '',
]

test('a replica gives what its table gives, after every change', () => {
  const random = seededRandom(7)
  const { table, replica, update } = replicated()
  let timeNs = startNs
  for (let round = 0; round < 60; round++) {
    const rows = Array.from({ length: random.below(round % 20 === 0 ? 2500 : 40) }, () => {
      // Some rows fall into another epoch, and some arrive out of order.
      timeNs += BigInt(random.below(1000)) - 300n
      const row = new Map<string, Value>([
        ['content', `request ${random.below(500)} took ${random.below(90)} ms`],
        ['level', random.pick(['info', 'warn', 'error', 'ERROR'])],
        ['duration_ms', random.below(5000)],
        [`rare_${random.below(30)}`, random.pick(odd)],
        ['user', `user ${random.below(2000)}`],
      ])
      return { timeNs: random.below(50) === 0 ? timeNs + 2n ** 52n : timeNs, row }
    })
    table.writer.appendRows(rows)
    if (random.below(10) === 0) table.seal()
    update()
    expect(update()).toBe(0)
    expect(replica.stats()).toEqual(table.view.stats())
    if (round % 15 === 14) expect(rowsOfTable(replica)).toEqual(rowsOfTable(table.view))
  }
})

test('segments and dictionaries are reported once, and shared', () => {
  const { table, replica, update } = replicated()
  const row = (level: string): { timeNs: bigint; row: Row } => ({ timeNs: startNs, row: new Map([['level', level]]) })
  table.writer.appendRows(Array.from({ length: 5000 }, (_, i) => row(`level ${i % 300}`)))
  table.seal()
  update()
  const [first] = replica.segments()
  table.writer.appendRows([row('another')])
  update()
  expect(replica.segments()).toHaveLength(2)
  expect(replica.segments()[0]).toBe(first)
  const codesOf = (segment: ReturnType<typeof table.view.snapshot>[number] | undefined) => {
    const column = present(present(segment).columns.get('level')).column
    if (column.kind !== 'dictionary') throw new Error('levels have codes')
    return column
  }
  expect(codesOf(replica.segments()[1]).dictionary).toBe(codesOf(first).dictionary)
  // The memory is shared, so the reader sees the writer's changes.
  const written = codesOf(table.view.snapshot()[0]).codes
  const read = codesOf(first).codes
  const before = present(written[7])
  written[7] = before + 1
  expect(read[7]).toBe(before + 1)
  written[7] = before
})

test('a reader of a dictionary sees nothing of what came after it was told', () => {
  const { table, replica, update } = replicated()
  const add = (from: number, to: number): void =>
    table.writer.appendRows(
      Array.from({ length: to - from }, (_, i) => ({ timeNs: startNs, row: new Map([['user', `user ${from + i}`]]) })),
    )
  add(0, 20)
  update()
  const dictionaryOf = (segments: ReturnType<typeof table.view.snapshot>) => {
    const column = segments[0]?.columns.get('user')?.column
    if (column?.kind !== 'dictionary') throw new Error('users have codes')
    return column.dictionary
  }
  const read = dictionaryOf(replica.segments())
  // One count fits into the reader's buffers, the other exceeds them.
  for (const to of [24, 400]) {
    add(read.size - 1, to)
    for (let i = 0; i < to; i++) {
      const bytes = encodeText(`user ${i}`)
      const isKnown = i + 1 < read.size
      expect(read.codeOfText(bytes, 0, bytes.length)).toBe(isKnown ? i + 1 : 0)
      expect(read.findFolded(`user ${i}`)).toEqual(isKnown ? [i + 1] : [])
    }
    update()
    expect(read.size).toBe(to + 1)
    expect(read.valueAt(to)).toBe(`user ${to - 1}`)
  }
})

test('dictionaries in files are reported by where they lie, and by their memory once they are in it', () => {
  const table = createMemoryStore(standardCatalog).table('logs')
  table.writer.appendRows(
    Array.from({ length: 100 }, (_, i) => ({
      timeNs: startNs + BigInt(i),
      row: new Map<string, Value>([
        ['content', `request ${i}`],
        ['level', ['info', 'error'][i % 2] ?? ''],
      ]),
    })),
  )
  table.seal()
  const before = rowsOfTable(table.view)
  const publisher = new TablePublisher(table)
  const replica = new TableReplica(table.definition, putOnDisk(table))
  const update = (): void => {
    for (const news of publisher.news()) replica.apply(structuredClone(news))
  }
  update()
  expect(rowsOfTable(replica)).toEqual(before)
  expect(table.fields.dictionary('level').stored).toBeDefined()

  const column = present(replica.segments()[0]?.columns.get('level')).column
  if (column.kind !== 'dictionary' || !(column.dictionary instanceof GrowingDictionary))
    throw new Error('levels have codes')
  const read = column.dictionary
  expect(read.stored).toBeDefined()
  table.writer.appendRows([{ timeNs: startNs, row: new Map([['level', 'another']]) }])
  expect(table.fields.dictionary('level').stored).toBeUndefined()
  update()
  expect(read.stored).toBeUndefined()
  expect(read.findFolded('another')).toEqual([table.fields.dictionary('level').entries.codeOf('another')])
  expect(rowsOfTable(replica)).toEqual(rowsOfTable(table.view))
})

test('segments of a replica have the filter of their part', () => {
  const table = createMemoryStore(standardCatalog).table('logs')
  for (const content of ['first', 'second']) {
    table.writer.appendRows([{ timeNs: startNs, row: new Map([['content', content]]) }])
    table.seal()
  }
  const replica = new TableReplica(table.definition, putOnDisk(table))
  for (const news of new TablePublisher(table).news()) replica.apply(structuredClone(news))
  const parts = replica.segments().map((segment) => present(segment.group))
  expect(parts.map(({ number }) => number)).toEqual([0, 1])
  const has = (word: string) => present(parts[0]).group.withWord(encodeText(word))
  expect([has('first'), has('second')]).toEqual([Uint32Array.of(1), Uint32Array.of(2)])
})
