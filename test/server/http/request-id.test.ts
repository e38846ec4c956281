import { expect, test } from 'vitest'
import { traceIdOf } from '../../../src/server/http/request-id.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const made = (headers: Readonly<Record<string, string>>): string =>
  traceIdOf(new Headers(headers), (count) => new Uint8Array(count).fill(0xab))

test.each(['a', 'req-42', 'f47ac10b-58cc-4372-a567-0e02b2c3d479', 'A_b.9', 'x'.repeat(64)])('%j is kept', (id) => {
  expect(made({ 'X-Request-Id': id })).toBe(id)
  expect(made({ 'X-Request-Id': id, traceparent: `00-${TRACE}-b7ad6b7169203331-01` })).toBe(id)
})

test.each(['', 'x'.repeat(65), 'a b', 'a,b', '<script>', 'a;b', '{}', 'é', '"'])('%j is not', (id) => {
  expect(made({ 'X-Request-Id': id })).toBe('ab'.repeat(16))
  expect(made({ 'X-Request-Id': id, traceparent: `00-${TRACE}-b7ad6b7169203331-01` })).toBe(TRACE)
})
