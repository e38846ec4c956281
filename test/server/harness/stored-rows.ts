import type { SluiceServer } from '../../../src/server/index.ts'

/** Returns the number of log lines that the key `k` can read. */
export async function storedRows(server: SluiceServer): Promise<unknown> {
  const response = await server.fetch(
    new Request('http://localhost/api/logs/v2/search', {
      method: 'POST',
      headers: { Authorization: 'Bearer k', 'Content-Type': 'application/json' },
      body: JSON.stringify({ start: '2000-01-01', end: '2100-01-01', query: '* | stats count() n' }),
    }),
  )
  return ((await response.json()) as readonly { readonly n: number }[])[0]?.n
}
