import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'
import { diskFiles, readMarker } from '../../../src/store/durable/index.ts'

/** Folders as earlier builds wrote them: 1,201 rows, in segments and a batch behind them, and samples, from 2 on in files. Each stays for ever. */
const fixtures = join(import.meta.dirname, 'fixtures')

const HEADERS = { Authorization: 'Bearer secret', 'Content-Type': 'application/json' }

/** The values of a metric at the first second of the folders, by pod. */
async function values(server: SluiceServer, metric: string): Promise<Record<string, unknown>> {
  const url = `http://localhost/api/v1/query?query=${metric}&time=1767225600`
  const answer = (await (await server.fetch(new Request(url, { headers: HEADERS }))).json()) as {
    readonly data: {
      readonly result: readonly { readonly metric: { readonly pod: string }; readonly value: readonly unknown[] }[]
    }
  }
  return Object.fromEntries(answer.data.result.map(({ metric: { pod }, value }) => [pod, value[1]]))
}

async function count(server: SluiceServer, query: string): Promise<unknown> {
  const body = JSON.stringify({
    start: '2026-01-01',
    end: '2027-01-01',
    query: `${query} | stats count() n, sum(n) sum`,
  })
  const response = await server.fetch(
    new Request('http://localhost/api/logs/v2/search', { method: 'POST', headers: HEADERS, body }),
  )
  return response.json()
}

test.each(readdirSync(fixtures))('%s opens, is answered, goes on and loses what is deleted', async (name) => {
  const place = mkdtempSync(join(tmpdir(), 'sluice-folder-'))
  const data = join(place, 'data')
  try {
    cpSync(join(fixtures, name), data, { recursive: true })
    let server = await createServer({ data, keys: ['secret'], logBytes: 1000 })
    await server.loaded
    expect(await count(server, '*')).toEqual([{ n: 1201, sum: (1200 * 1201) / 2 }])
    expect(await count(server, 'seven level:error')).toMatchObject([{ n: 60 }])
    const deletion = { where: 'who:="user 1"', start: '2026-01-01', end: '2027-01-01', write: true }
    const deleted = await server.fetch(
      new Request('http://localhost/api/rows/delete', {
        method: 'POST',
        headers: HEADERS,
        body: JSON.stringify(deletion),
      }),
    )
    expect(await deleted.json()).toMatchObject({ rows: 241 })
    await server.close()
    server = await createServer({ data, keys: ['secret'] })
    await server.loaded
    expect(await count(server, '*')).toMatchObject([{ n: 960 }])
    expect(await count(server, 'who:="user 1"')).toMatchObject([{ n: 0 }])
    expect(await values(server, 'up')).toEqual({ a: '1' })
    const later = new Request('http://localhost/api/v1/import/prometheus', {
      method: 'POST',
      headers: { Authorization: HEADERS.Authorization, 'Content-Type': 'text/plain' },
      body: 'up{pod="b"} 2 1767225600000\n',
    })
    expect((await server.fetch(later)).status).toBe(200)
    await server.close()
    server = await createServer({ data, keys: ['secret'], logBytes: 1 })
    await server.loaded
    await server.close()
    expect(readMarker(diskFiles, data)?.version).toBe(3)
    server = await createServer({ data, keys: ['secret'] })
    await server.loaded
    expect(await values(server, 'up')).toEqual({ a: '1', b: '2' })
    expect(await values(server, 'served_total')).toEqual(name === 'folder-1' ? {} : { a: '0', b: '0' })
    await server.close()
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})
