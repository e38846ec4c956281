// @module-tag slow
import { expect, test } from 'vitest'
import { present, seededRandom, type Random } from '../../src/base/index.ts'
import { defaultCeilings, runTool, tools, type ToolCaller, type ToolAnswer } from '../../src/mcp/index.ts'
import { agentOver, key } from './agent.ts'
import { readAll, textOf, type ReadRow } from './read-all.ts'

/** Number of tool calls to make, including calls that continue a cut answer. */
const CALLS = 1000

const LETTERS = ['a', 'b', ' ', 'é', '語', '😀', '"', '\\', '\n', '\u0001', '…', '<', '}']

function drawText(random: Random, longest: number): string {
  const length = random.below(longest) + 1
  let text = ''
  while (text.length < length) text += random.pick(LETTERS).repeat(random.below(40) + 1)
  return text
}

function drawValue(random: Random): unknown {
  const kind = random.next()
  if (kind < 0.6) return drawText(random, 80)
  if (kind < 0.7) return drawText(random, 6000)
  if (kind < 0.85) return random.below(1000)
  return kind < 0.9 ? Array.from({ length: random.below(300) }, () => random.below(100)) : random.next() < 0.5
}

function drawRecord(random: Random, index: number): object {
  const fields = random.next() < 0.05 ? random.below(400) : random.below(8)
  const own = Array.from({ length: fields }, (_, at) => {
    const name = random.next() < 0.02 ? `n${drawText(random, 400)}${at}` : `f${random.below(60)}`
    return [name, drawValue(random)] as const
  })
  return {
    _time: new Date(1_767_000_000_000 + index * 1000).toISOString(),
    level: random.pick(['info', 'error']),
    content: drawText(random, 200),
    ...Object.fromEntries(own),
  }
}

function drawCall(random: Random): readonly [string, Record<string, unknown>] {
  const query = random.pick(['*', 'level:error', 'f1:*', 'level:info f2:*'])
  return random.pick<readonly [string, Record<string, unknown>]>([
    ['query', { query }],
    ['query', { query: `${query} | limit ${random.below(20)}` }],
    ['query', { query: `${query} | sort by (content, _time)` }],
    ['query', { query: `${query} | stats by (f${random.below(60)}) count() as n` }],
    ['query', { query: `${query} | fields _time, f${random.below(60)}` }],
    ['fields', { query }],
    ['values', { query, field: `f${random.below(60)}` }],
    ['hits', { query, step: random.pick(['1s', '10s', '1m']) }],
    ['patterns', { query, count: 100 }],
    ['compare', { filter: 'level:error', count: 50 }],
    ['explain', { query }],
    ['check', { query: `${query} | ${drawText(random, 60)}` }],
  ])
}

test(`${CALLS} generated calls: nothing is cut silently, and the handles lead to the rest`, async () => {
  const random = seededRandom(7)
  const agent = await agentOver({
    logs: Array.from({ length: 250 }, (_, index) => drawRecord(random, index)),
  })
  const ask: ToolCaller['ask'] = (path, { headers, ...init }) =>
    agent.server.fetch(
      new Request(`http://localhost${path}`, { ...init, headers: { ...headers, Authorization: `Bearer ${key}` } }),
    )
  const caller = { ask, ceilings: defaultCeilings, nowNs: () => 1_767_100_000_000_000_000n }
  const { signal } = new AbortController()
  const done = { calls: 0, cuts: 0 }
  const runOf =
    (name: string, bytes: number) =>
    async (args: object): Promise<ToolAnswer> => {
      done.calls++
      const tool = present(tools.find((each) => each.name === name))
      const answer = await runTool(tool, { ...args, bytes }, caller, signal)
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(bytes)
      done.cuts += answer.cut.length
      return JSON.parse(JSON.stringify(answer)) as ToolAnswer
    }
  const searched = async (query: string): Promise<ReadRow[]> => {
    const body = JSON.stringify({ query, start: '1970-01-01T00:00:00Z', end: '2100-01-01T00:00:00Z' })
    const headers = { 'Content-Type': 'application/json' }
    const response = await ask('/api/logs/v2/search', { method: 'POST', headers, body, signal })
    const rows = (await response.json()) as readonly object[]
    return rows.map((row) => Object.entries(row).map(([name, value]) => [name, textOf(value)] as const))
  }
  try {
    while (done.calls < CALLS) {
      const [name, args] = drawCall(random)
      const shown = await readAll(runOf(name, 4000 + random.below(16_000)), args)
      const wanted =
        name === 'query' ? await searched(String(args['query'])) : await readAll(runOf(name, 1_000_000), args)
      expect(shown, JSON.stringify([name, args])).toEqual(wanted)
    }
    expect(done.cuts).toBeGreaterThan(CALLS / 10)
  } finally {
    await agent.close()
  }
})
