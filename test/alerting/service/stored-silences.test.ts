import { expect, test } from 'vitest'
import { StoredSilences } from '../../../src/alerting/service/stored-silences.ts'
import { Labels } from '../../../src/data/index.ts'
import { createMemoryDocumentStore, type DocumentBody } from '../../../src/resources/index.ts'

const actor = { backend: 'default', by: 'test', email: undefined }
const span = { startsAt: '2026-01-01T00:00:00Z', endsAt: '2027-01-01T00:00:00Z' }
const NOW_MS = Date.parse('2026-06-01T00:00:00Z')

const stored: Readonly<Record<string, DocumentBody>> = {
  everything: { ...span, matchers: [{ name: 'x', value: '.*', isRegex: true, isEqual: true }] },
  pattern: { ...span, matchers: [{ name: 'alertname', value: '((', isRegex: true, isEqual: true }] },
  shape: { ...span, matchers: [7] },
  none: { ...span, matchers: 'none' },
  good: { ...span, matchers: [{ name: 'alertname', value: 'a', isRegex: false, isEqual: true }] },
}

test('stored silences that cannot be read, or would hold for everything, silence nothing and hide no other', async () => {
  const store = createMemoryDocumentStore(() => 0n)
  await store.write(actor, (tx) => {
    for (const [id, body] of Object.entries(stored)) tx.put('silence', id, body)
  })
  const silences = new StoredSilences(store, 'default', () => true)
  expect(silences.silencedBy(Labels.of({ alertname: 'a' }), NOW_MS)).toEqual(['good'])
  expect(
    silences
      .storeFor(actor)
      .list()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(Object.keys(stored).toSorted())
})
