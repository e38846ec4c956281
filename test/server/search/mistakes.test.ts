import { describe, expect, test } from 'vitest'
import { ADVICE_HEADER, WARNINGS_HEADER } from '../../../src/server/search/row-array.ts'
import { mistakes } from '../../lang/log/mistakes/index.ts'
import { appOf, post } from '../harness/harness.ts'
import { incident } from '../harness/real-engine.ts'

const range = { start: '2026-03-10T11:00:00Z', end: '2026-03-10T12:00:00Z' }
const PATH = '/api/logs/v2/search'

describe('mistakes of newcomers over HTTP', () => {
  const app = appOf({ search: incident() })
  const ask = (query: string): ReturnType<typeof post> => post(app, PATH, { ...range, query })

  test.each(mistakes)('$kind: $query', async ({ query }) => {
    const { status, body, headers } = await ask(query)
    if (status === 400) {
      const { details } = body as { details: { diagnostics: readonly { fixes?: readonly unknown[] }[] } }
      expect(details.diagnostics.some(({ fixes = [] }) => fixes.length > 0)).toBe(true)
      return
    }
    expect(status).toBe(200)
    expect(headers.get(WARNINGS_HEADER)).toMatch(
      /log\/foreign-form|log\/missing-(?:bar|pipe)|log\/null-test|analyze\/un/,
    )
    const advice = JSON.parse(headers.get(ADVICE_HEADER) ?? '') as readonly string[]
    expect(advice.length).toBeGreaterThan(0)
  })

  test.each(['\r\nSet-Cookie: a=b', '日本', '\u007f\u0085\u00ff', '"\\'])(
    'a field named %j stays inside the header',
    async (name) => {
      const { status, headers } = await ask(`${JSON.stringify(name)}:x`)
      expect(status).toBe(200)
      const text = headers.get(ADVICE_HEADER) ?? ''
      expect(text).toMatch(/^[ -~]+$/)
      expect(headers.get('set-cookie')).toBeNull()
      expect((JSON.parse(text) as readonly string[]).join()).toContain(name)
    },
  )

  test('a header holds no more than clients take', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `"${'ä'.repeat(70)}${i}"`)
    const { headers } = await ask(`* | fields ${names.join(', ')}`)
    const text = headers.get(ADVICE_HEADER) ?? ''
    expect(text.length).toBeLessThanOrEqual(2048)
    expect(() => JSON.parse(text) as unknown).not.toThrow()
  })

  test('a stream has the same headers', async () => {
    const { headers } = await post(
      app,
      PATH,
      { ...range, query: 'levl:error', enableStream: true },
      { Accept: 'application/x-ndjson' },
    )
    expect(headers.get(ADVICE_HEADER)).toContain('Nearest: `level` (604 rows)')
  })
})
