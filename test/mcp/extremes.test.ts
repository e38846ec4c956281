import { afterAll, describe, expect, test } from 'vitest'
import { agentOver, handleOf, type Agent } from './agent.ts'

const LIMIT = 12_000

/** Length of one line in bytes. */
const LONG_LINE = 7_000_000

const agents: Agent[] = []

async function over(...args: Parameters<typeof agentOver>): Promise<Agent> {
  const agent = await agentOver(...args)
  agents.push(agent)
  return agent
}

afterAll(async () => {
  for (const agent of agents) await agent.close()
})

describe('answers stay within 12,000 bytes', () => {
  test('of a line of 7 MB, whose end can be read', async () => {
    const line = `begin ${'x'.repeat(LONG_LINE)} end`
    const agent = await over({ logs: [{ _time: '2026-03-10T12:00:00Z', content: line }] })
    const first = await agent.call('query', { query: 'begin' })
    expect(first.bytes).toBeLessThanOrEqual(LIMIT)
    expect(first.answer.cut).toEqual([{ shown: `500 of ${line.length} characters`, handle: expect.any(String) }])
    const [row, field, , ...rest] = handleOf(first, /characters/).split('.')
    const handle = [row, field, line.length - 10, ...rest].join('.')
    const last = await agent.call('query', { query: 'begin', handle })
    expect(last.answer).toMatchObject({ cut: [], data: [{ content: line.slice(-10) }] })
  })

  test('a row of 4,096 fields is returned completely over several handles', async () => {
    const fields = Object.fromEntries(Array.from({ length: 4094 }, (_, at) => [`field_${at}`, `value ${at}`]))
    const agent = await over({ logs: [{ _time: '2026-03-10T12:00:00Z', content: 'wide', ...fields }] })
    const names = new Set<string>()
    let handle: string | undefined
    do {
      const answered = await agent.call('query', { query: 'wide', ...(handle === undefined ? {} : { handle }) })
      expect(answered.bytes).toBeLessThanOrEqual(LIMIT)
      for (const name of Object.keys(answered.answer.data[0] ?? {})) names.add(name)
      handle = answered.answer.cut[0]?.handle
      if (handle !== undefined) expect(answered.answer.cut[0]?.shown).toMatch(/^\d+ of 4096 fields$/)
    } while (handle !== undefined)
    expect(names.size).toBe(4096)
  })

  test('of a million groups, of which the last can be read', async () => {
    // A million groups need more memory than a query may use by default.
    const logs = [{ _time: '2026-03-10T12:00:00Z', content: 'one' }]
    const agent = await over({ logs }, {}, { queryBytes: 2 * 1024 ** 3 })
    const query = '* | generate_sequence 1000000 | stats by (content) count() as n'
    const grouped = await agent.call('query', { query })
    expect(grouped.bytes).toBeLessThanOrEqual(LIMIT)
    expect(grouped.answer.rows).toMatch(/^0 to \d+ of 1000000$/)
    const handle = handleOf(grouped, /of 1000000 rows/).replace(/^\d+/, '999999')
    const last = await agent.call('query', { query, handle })
    expect(last.answer).toMatchObject({ rows: '999999 to 999999 of 1000000', cut: [] })
  })

  test('of texts that take six bytes a character, and of long names', async () => {
    const name = 'n'.repeat(5000)
    const row = { _time: '2026-03-10T12:00:00Z', content: '\u0001'.repeat(9000), [name]: '語'.repeat(9000) }
    const agent = await over({ logs: Array.from({ length: 50 }, () => row) })
    const answered = await agent.call('query', { bytes: 4000 })
    expect(answered.bytes).toBeLessThanOrEqual(4000)
    expect(answered.answer.data).toHaveLength(1)
  })

  test('of a query of 400 kB that is wrong', async () => {
    const agent = await over({ logs: [] })
    const answered = await agent.call('query', { query: `level:error | ${'x'.repeat(400_000)}` })
    expect(answered.bytes).toBeLessThanOrEqual(LIMIT)
    expect(answered.answer.error).toContain('refused')
  })

  test('unless the caller requests more', async () => {
    const rows = Array.from({ length: 400 }, (_, at) => ({ content: `line ${at} ${'y'.repeat(100)}` }))
    const agent = await over({ logs: rows })
    const few = await agent.call('query')
    const many = await agent.call('query', { bytes: 200_000 })
    expect(few.answer.rows).toMatch(/^0 to \d+ of 400$/)
    expect(many.answer.rows).toBe('0 to 399 of 400')
    expect(many.bytes).toBeGreaterThan(LIMIT)
  })
})
