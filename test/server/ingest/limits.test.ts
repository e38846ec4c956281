import { describe, expect, test } from 'vitest'
import { labelLimits } from '../../../src/data/index.ts'
import { encodeRecords } from '../../ingest/otlp-records/encode.ts'
import { createServer } from '../../../src/server/index.ts'

const KEY = 'key-of-a-sender-0123456789'
const recordLimits = { fields: 4096, bytes: 8 * 2 ** 20 }
const time = '"_time":"2026-03-17T10:00:00Z"'

interface Told {
  readonly status: number
  readonly text: string
}

async function sent(path: string, type: string, body: string | Uint8Array<ArrayBuffer>): Promise<Told> {
  const server = await createServer({ keys: [KEY] })
  const response = await server.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': type },
      body,
    }),
  )
  const told = { status: response.status, text: await response.text() }
  await server.close()
  return told
}

const members = (count: number): string => Array.from({ length: count }, (_, i) => `"f${i}":1`).join(',')
const labels = (count: number): string => Array.from({ length: count }, (_, i) => `l${i}="v"`).join(',')
const good = `{${time},"content":"fine"}`

describe('records', () => {
  // The time counts as a field too.
  const fits = `{${time},${members(recordLimits.fields - 1)}}`
  const wide = `{${time},${members(recordLimits.fields)}}`
  const long = `{${time},"content":"${'x'.repeat(recordLimits.bytes)}"}`

  test.each([
    ['application/x-ndjson', `${fits}\n${good}\n`, 2, 0],
    ['application/x-ndjson', `${wide}\n${good}\n`, 1, 1],
    ['application/x-ndjson', `${good}\n${wide}\n`, 1, 1],
    ['application/x-ndjson', `${long}\n${good}\n`, 1, 1],
    ['application/x-ndjson', `${good}\n${long}\n`, 1, 1],
    ['application/json', `[${fits},${good}]`, 2, 0],
    ['application/json', `[${wide},${good}]`, 1, 1],
    ['application/json', `[${good},${long}]`, 1, 1],
    ['text/plain', `fine\n${'x'.repeat(recordLimits.bytes + 1)}\n`, 1, 1],
  ])('%s', async (type, body, accepted, rejected) => {
    const { status, text } = await sent('/api/ingest/logs', type, body)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({ accepted, rejected })
    if (rejected > 0) expect(text).toMatch(/more than 4096 fields|more than 8388608 characters|longer than 8 MiB/)
  })

  test('of which none can be taken, the body is refused', async () => {
    for (const body of [wide, long]) {
      const { status, text } = await sent('/api/ingest/logs', 'application/x-ndjson', body)
      expect(status).toBe(400)
      expect(text).toMatch(/more than 4096 fields|more than 8388608 characters|longer than 8 MiB/)
    }
  })
})

describe('series', () => {
  // The metric name counts as a label too.
  const fits = labels(labelLimits.count - 1)
  const wide = labels(labelLimits.count)
  const long = `a="${'x'.repeat(labelLimits.chars)}"`

  test.each([
    ['text/plain', `m{${fits}} 1 1\nm 1 1\n`, 2, 0],
    ['text/plain', `m{${wide}} 1 1\nm 1 1\n`, 1, 1],
    ['text/plain', `m{${long}} 1 1\nm 1 1\n`, 1, 1],
  ])('%s', async (type, body, accepted, rejected) => {
    const { status, text } = await sent('/api/v1/import/prometheus', type, body)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({ accepted, rejected })
    if (rejected > 0) expect(text).toMatch(/more than (?:128 labels|65,536 characters)/)
  })
})

test('line ends within the texts of a binary payload are no lines of it', async () => {
  const text = '\n'.repeat(500_001)
  const records = Array.from({ length: 4 }, () => ({
    timeUnixNano: '1773741600000000000',
    body: { stringValue: text },
  }))
  const body = encodeRecords('Logs', [{ resource: [], records }])
  const { status, text: told } = await sent('/v1/logs', 'application/x-protobuf', body)
  expect([status, told]).toEqual([200, ''])
})
