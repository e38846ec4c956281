import { expect, test } from 'vitest'
import { runToEnd } from '../../src/base/index.ts'
import { rowsOf, toText } from '../../src/data/index.ts'
import { decoderFor, newTenant } from '../../src/server/index.ts'

const nowNs = 1_767_225_600_000_000_000n

const numbers = `1.10 1.1 -1.50 1e3 1E+3 1e-7 -0 -0.0 0.0 0.10 200.0 1000 12345678901234567890.0 12345678901234567890
  123456789.123456789 0.1234567890123456789 1e400 99999999999999999999.50 3.14000 1.7976931348623157e308`
  .split(/\s+/)
  .filter((text) => text !== '')

const record = (text: string): string => `{"n":${text},"deep":{"n":${text}},"list":[${text}]}`
const filler = `{"n":1,"content":"${'x'.repeat(200)}"}\n`.repeat(200)

/** Stores a body and returns the strings of `n`, `deep.n` and `list` of each row, in no particular order. */
async function stored(format: string, body: string): Promise<Set<string>> {
  const tenant = newTenant()
  runToEnd(runToEnd(decoderFor('logs', format).decode(Buffer.from(body), nowNs, {})).apply(tenant))
  const found = new Set<string>()
  for await (const batch of tenant.store.table('logs').view.scan().batches)
    for (const row of rowsOf(batch))
      if (!row.has('content')) found.add(['n', 'deep.n', 'list'].map((name) => toText(row.get(name) ?? null)).join(' '))
  return found
}

const flat = (text: string): string => `{"n":${text},"list":[]}`

test.each([
  ['ndjson', 'lines', numbers.map(record).join('\n')],
  ['ndjson', 'many lines', filler + numbers.map(record).join('\n')],
  ['json', 'a list', `[${numbers.map(record).join(', ')}]`],
])('numbers keep their text in %s, %s', async (format, _, body) => {
  expect(await stored(format, body)).toEqual(new Set(numbers.map((text) => `${text} ${text} [${text}]`)))
})

test.each([
  ['lines', numbers.map(flat).join('\n')],
  ['many lines', filler + numbers.map(flat).join('\n')],
])('numbers of flat records keep their text in %s', async (_, body) => {
  expect(await stored('ndjson', body)).toEqual(new Set(numbers.map((text) => `${text}  []`)))
})
