import { afterEach, describe, expect, test } from 'vitest'
import { agentOver, type Agent, type Answered } from './agent.ts'
import { incidents } from './incidents.ts'

const MAX_CALLS = 6
const MAX_BYTES = 24_000

/** Size limit of one answer in bytes, so that all calls together stay below the limit. */
const ANSWER_BYTES = MAX_BYTES / MAX_CALLS

type Row = Answered['answer']['data'][number]

/** A sequence of tool calls and their answers. */
class Triage {
  readonly answers: Answered[] = []
  readonly #agent: Agent

  constructor(agent: Agent) {
    this.#agent = agent
  }

  async call(name: string, args: object): Promise<readonly Row[]> {
    const answered = await this.#agent.call(name, { bytes: ANSWER_BYTES, ...args })
    if (answered.answer.error !== undefined) throw new Error(answered.text)
    this.answers.push(answered)
    return answered.answer.data
  }
}

const minutesFrom = (time: string, minutes: number): string =>
  new Date(Date.parse(time) + minutes * 60_000).toISOString()

/** Returns the time of the first step that has many more rows than usual. */
function onsetOf(steps: readonly Row[]): string | undefined {
  const counts = steps.map(({ hits }) => Number(hits)).toSorted((a, b) => a - b)
  const usual = counts[Math.floor(counts.length / 4)] ?? 0
  return steps.find(({ hits }) => Number(hits) > 5 * Math.max(usual, 1))?._time as string | undefined
}

/**
 * Returns the conclusion of an agent: the text that best explains the errors. The agent knows nothing about the
 * incident.
 */
async function triage(found: Triage): Promise<string> {
  const onset = onsetOf(await found.call('hits', { query: 'level:error', step: '5m' }))
  if (onset === undefined) return slowCall(found)
  const around = { start: minutesFrom(onset, -5), end: minutesFrom(onset, 15) }
  // A value explains the errors if other rows of the same service and time do not have it.
  const shares = await found.call('compare', {
    query: 'workload:in(frontend, checkout)',
    filter: 'level:error',
    count: 12,
    ...around,
  })
  const place = shares.find(
    ({ field_name, share, share_others }) =>
      ['pod', 'version', 'region', 'customer', 'workload'].includes(String(field_name)) &&
      Number(share) > 0.9 &&
      Number(share_others) < 0.75,
  )
  if (place !== undefined) return String(place['field_value'])
  const events = await found.call('query', {
    table: 'events',
    query: 'type:Warning | fields _time, reason, message',
    ...around,
  })
  if (events.length > 0) return String(events[0]?.['message'])
  // A message that occurs only around the onset, in few lines, precedes the symptoms.
  const before = { start: minutesFrom(onset, -10), end: minutesFrom(onset, 5) }
  const patterns = await found.call('patterns', { query: 'level:error OR level:warn', count: 12, ...before })
  const rare = patterns.filter(({ pattern }) => !/client|upstream request|dependency/.test(String(pattern)))
  return String(rare.at(-1)?.['sample'])
}

/** Without errors, returns the name of the deepest span of a slow trace. */
async function slowCall(found: Triage): Promise<string> {
  const slow = await found.call('query', {
    table: 'traces',
    query:
      'duration_seconds:>1 | sort by (duration_seconds desc) | limit 3 | fields trace_id, span_name, duration_seconds',
  })
  const spans = await found.call('trace', { trace_id: String(slow[0]?.['trace_id']) })
  const parents = new Set(spans.map(({ parent_span_id }) => parent_span_id))
  return String(spans.find(({ span_id }) => !parents.has(span_id))?.['span_name'])
}

let agent: Agent | undefined
afterEach(() => agent?.close())

describe('planted incidents', () => {
  test('are twenty', () => {
    expect(incidents()).toHaveLength(20)
  })

  test.each(incidents().map(({ name, ...incident }) => [name, incident] as const))(
    '%s',
    async (_, { records, fact }) => {
      agent = await agentOver(records)
      const found = new Triage(agent)
      const concluded = await triage(found)
      expect(concluded).toBe(fact)
      const { answers } = found
      expect(answers.length).toBeLessThanOrEqual(MAX_CALLS)
      expect(answers.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(MAX_BYTES)
      expect(answers.at(-1)?.text).toContain(fact)
    },
  )
})
