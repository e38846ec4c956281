import { expect, test } from 'vitest'
import { readSearchBody } from '../../../src/server/search/search-body.ts'
import { logSearch } from '../../../src/wire/index.ts'

const read = readSearchBody(logSearch)
const body = (pipeline: string, more = ''): Uint8Array =>
  new TextEncoder().encode(
    `{"start":"2026-01-01T00:00:00Z","end":"2026-01-02T00:00:00Z","pipeline":{"limit":${pipeline}}${more}}`,
  )

test.each([
  ['as it is written', body('{"$parameter":"n"}', ',"parameters":{"n":3}')],
  ['escaped', body('{"\\u0024parame\\u0074er":"n"}', ',"p\\u0061rameters":{"n":3}')],
  ['in other letters', body('{"$parameter":"n"}', ',"PARAMETERS":{"n":3}')],
  ['there is none', body('3')],
])('a place of a parameter: %s', (_, bytes) => {
  expect(read(bytes).pipeline).toEqual(read(body('3')).pipeline)
})

test('a place without a value is reported of', () => {
  expect(() => read(body('{"$parameter":"n"}'))).toThrow('n')
})
