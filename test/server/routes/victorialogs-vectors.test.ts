import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createServer } from '../../../src/server/index.ts'

interface Vector {
  readonly id: string
  readonly kind: string
  readonly q: string
  readonly ingest: readonly object[]
  readonly options: Readonly<Record<string, string | readonly string[]>>
  readonly out: readonly Readonly<Record<string, string>>[]
}

/** Recorded calls of VictoriaLogs: records over HTTP, then a query over HTTP. */
const file = resolve(import.meta.dirname, '../../../../shared/vectors/logsql/e2e.json')
const all = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly vectors: readonly Vector[] })
  : undefined
const vectors = (all?.vectors ?? []).filter(({ kind }) => kind === 'ingest-query')

const PARAMETERS: Readonly<Record<string, string>> = {
  messageField: '_msg_field',
  timeField: '_time_field',
  streamFields: '_stream_fields',
  ignoreFields: 'ignore_fields',
}

const HEADERS = { Authorization: 'key' }

function sorted(rows: readonly object[]): readonly string[] {
  return rows.map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))).sort()
}

test.skipIf(vectors.length === 0)('recorded queries over HTTP give the recorded rows, streams too', async () => {
  for (const { id, q, ingest, options, out } of vectors) {
    const server = await createServer({ keys: ['key'] })
    try {
      const parameters = new URLSearchParams()
      for (const [name, value] of Object.entries(options)) parameters.set(PARAMETERS[name] ?? name, String(value))
      const body = ingest.map((record) => JSON.stringify(record)).join('\n')
      const insert = `http://localhost/insert/jsonline?${parameters.toString()}`
      const sent = await server.fetch(new Request(insert, { method: 'POST', headers: HEADERS, body }))
      expect(sent.status, id).toBe(200)
      const query = new URLSearchParams({ query: q }).toString()
      const answer = await server.fetch(
        new Request(`http://localhost/select/logsql/query?${query}`, { headers: HEADERS }),
      )
      const lines = (await answer.text()).split('\n').filter((line) => line !== '')
      const rows = lines.map((line) => {
        // Stream ids are hashes specific to VictoriaLogs.
        const { _stream_id: _, ...row } = JSON.parse(line) as Record<string, string>
        return row
      })
      expect(sorted(rows), `${id}: ${q}`).toEqual(sorted(out))
    } finally {
      await server.close()
    }
  }
})
