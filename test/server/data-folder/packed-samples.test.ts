// @module-tag slow
import { afterEach, expect, test, vi } from 'vitest'
import { createServer } from '../../../src/server/index.ts'
import { SampleSources } from '../../../src/store/samples/store/sample-sources.ts'
import { PackedSource } from '../../../src/store/packed-samples/index.ts'

afterEach(() => vi.restoreAllMocks())

const headers = { Authorization: 'Bearer secret' }
const START_S = 1_773_140_400
const PODS = 100
/** Number of samples per series: more than a column holds, so that some are packed. */
const ROUNDS = 1400
const ROUNDS_IN_BODY = 200

function body(from: number): string {
  const lines: string[] = []
  for (let pod = 0; pod < PODS; pod++)
    for (let i = from; i < from + ROUNDS_IN_BODY; i++)
      lines.push(`hits_total{pod="p${pod}"} ${i * (pod + 1)} ${(START_S + i * 15) * 1000}`)
  return `${lines.join('\n')}\n`
}

test.each([0, 1])('samples of a server without a data folder are packed, with %i workers', async (workers) => {
  const replaced = vi.spyOn(SampleSources.prototype, 'replace')
  const server = await createServer({ keys: ['secret'], workers })
  await server.loaded
  const send = async (path: string, text: string, type: string): Promise<string> => {
    const init = { method: 'POST', headers: { ...headers, 'Content-Type': type }, body: text }
    const response = await server.fetch(new Request(`http://localhost${path}`, init))
    const answer = await response.text()
    expect(response.ok, answer).toBe(true)
    return answer
  }
  const value = async (query: string, atRound = ROUNDS): Promise<number> => {
    const parameters = new URLSearchParams({ query, time: String(START_S + atRound * 15) })
    const response = await server.fetch(
      new Request(`http://localhost/api/v1/query?${parameters.toString()}`, { headers }),
    )
    const { data } = (await response.json()) as {
      readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] }
    }
    return Number(data.result[0]?.value[1])
  }
  for (let from = 0; from < ROUNDS; from += ROUNDS_IN_BODY) {
    await send('/api/v1/import/prometheus', body(from), 'text/plain')
    // Query after every step, so that worker threads receive every step.
    expect(await value('count(hits_total)', from + ROUNDS_IN_BODY)).toBe(PODS)
  }
  expect(await value('sum(count_over_time(hits_total[1d]))')).toBe(PODS * ROUNDS)
  expect(await value('sum(sum_over_time(hits_total[1d]))')).toBe(
    ((PODS * (PODS + 1)) / 2) * ((ROUNDS * (ROUNDS - 1)) / 2),
  )
  // Calls in a worker thread cannot be observed here.
  if (workers === 0) expect(replaced.mock.calls.some(([, by]) => by instanceof PackedSource)).toBe(true)
  const chosen = {
    table: 'samples',
    where: 'hits_total{pod="p7"}',
    start: '2026-03-10T00:00:00Z',
    end: '2026-03-20T00:00:00Z',
  }
  const deleted = await send('/api/rows/delete', JSON.stringify({ ...chosen, write: true }), 'application/json')
  expect(JSON.parse(deleted)).toMatchObject({ rows: ROUNDS })
  expect(await value('sum(count_over_time(hits_total[1d]))')).toBe((PODS - 1) * ROUNDS)
  await server.close()
})
