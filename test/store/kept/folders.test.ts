import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createServer, type SluiceServer } from '../../../src/server/index.ts'

/** Folders as earlier builds wrote them: 1,201 rows, three segments and a batch behind them, and a sample. Each stays for ever. */
const fixtures = join(import.meta.dirname, 'fixtures')

async function count(server: SluiceServer, query: string): Promise<unknown> {
  const body = JSON.stringify({
    start: '2026-01-01',
    end: '2027-01-01',
    query: `${query} | stats count() n, sum(n) sum`,
  })
  const headers = { Authorization: 'Bearer secret', 'Content-Type': 'application/json' }
  const response = await server.fetch(
    new Request('http://localhost/api/logs/v2/search', { method: 'POST', headers, body }),
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
    const headers = { Authorization: 'Bearer secret', 'Content-Type': 'application/json' }
    const deletion = { where: 'who:="user 1"', start: '2026-01-01', end: '2027-01-01', write: true }
    const deleted = await server.fetch(
      new Request('http://localhost/api/rows/delete', { method: 'POST', headers, body: JSON.stringify(deletion) }),
    )
    expect(await deleted.json()).toMatchObject({ rows: 241 })
    await server.close()
    server = await createServer({ data, keys: ['secret'] })
    await server.loaded
    expect(await count(server, '*')).toMatchObject([{ n: 960 }])
    expect(await count(server, 'who:="user 1"')).toMatchObject([{ n: 0 }])
    const up = await server.fetch(new Request('http://localhost/api/v1/query?query=up&time=1767225600', { headers }))
    expect(await up.json()).toMatchObject({ data: { result: [{ metric: { pod: 'a' }, value: [1_767_225_600, '1'] }] } })
    await server.close()
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})
