// @module-tag slow
import { expect, test } from 'vitest'
import { always, nowhere, present } from '../../../../src/base/index.ts'
import { columnarBackend } from '../../../../src/backends/columnar/index.ts'
import { Instant, type StoredRow, type Value } from '../../../../src/data/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import { and, column, not, test as testOf, type Expr, type LogicalPlan } from '../../../../src/plan/index.ts'
import { createMemoryStore, logsTable, standardCatalog } from '../../../../src/store/index.ts'
import { linesOf, newContext } from '../answer.ts'

/**
 * Returns a backend whose rows of team `mine` lie among rows of another team with these texts. Further segments contain
 * only rows of the other team.
 */
function backendOf(hidden: readonly string[], segments: number) {
  const store = createMemoryStore(standardCatalog)
  const row = (i: number, team: string, content: string): StoredRow => ({
    timeNs: BigInt(i),
    sequence: i,
    row: new Map<string, Value>([
      ['_time', new Instant(BigInt(i))],
      ['team', team],
      ['content', content],
    ]),
  })
  for (let segment = 0; segment < segments; segment++) {
    const rows = Array.from({ length: 200 }, (_, i) => {
      const isMine = segment === 0 && i % 4 === 0
      return row(
        segment * 200 + i,
        isMine ? 'mine' : 'theirs',
        present(isMine ? 'a needle of mine' : hidden[i % hidden.length]),
      )
    })
    store.table('logs').writer.appendRows(rows)
    store.table('logs').seal()
  }
  return columnarBackend(store, standardFunctions)
}

const is = (name: string, value: string): Expr =>
  testOf(column(name), { kind: 'equals', value, isFolded: false, isTyped: false })
const word = (text: string): Expr => testOf(column('content'), { kind: 'phrase', text, isFolded: true })
const contains = (text: string): Expr => testOf(column('content'), { kind: 'contains', text, isFolded: true })

async function read(hidden: readonly string[], guard: Expr, predicate: Expr, segments = 2) {
  const plan: LogicalPlan = {
    kind: 'scan',
    table: 'logs',
    tableSchema: logsTable.schema,
    range: always,
    predicate,
    guard,
    columns: undefined,
    origin: nowhere,
  }
  const prepared = backendOf(hidden, segments).prepare(plan, newContext(1000))
  const lines = await linesOf(prepared)
  return { lines, counters: prepared.explain().measured?.counters ?? {} }
}

const guards: readonly (readonly [string, Expr])[] = [
  ['a value', is('team', 'mine')],
  ['not a value', not(is('team', 'theirs'))],
  ['two conditions', and([not(is('team', 'theirs')), not(is('team', ''))])],
]

test.each(guards)(
  'where all rows are behind the guard (%s) nothing of them is read for the condition',
  async (_, guard) => {
    for (const predicate of [
      word('needle'),
      contains('eedl'),
      and([word('needle'), contains('eedl')]),
      not(word('x')),
    ]) {
      const without = await read(['nothing here', 'nor here!!!!'], guard, predicate)
      const among = await read(['needle here!', 'needle needl'], guard, predicate)
      expect(among.lines).toEqual(without.lines)
      expect(among.lines).toHaveLength(50)
      // Only one segment may be read, whatever the other one contains.
      const alone = await read(['needle here!', 'needle needl'], guard, predicate, 1)
      for (const name of ['postingsRead', 'bytesTouched'])
        expect(among.counters[name] ?? 0).toBe(alone.counters[name] ?? 0)
    }
  },
)
