import { describe, expect, test } from 'vitest'
import { SluiceError, at, atPath, defineDiagnostics, nowhere, replaceWith, present } from '../../../src/base/index.ts'
import { HttpFault } from '../../../src/server/index.ts'
import { toErrorResponse } from '../../../src/server/errors/to-error-response.ts'

const sample = defineDiagnostics('sample', {
  'unknown-pipe': (d: { name: string; near: readonly string[] }) => ({
    message: `There is no pipe named \`${d.name}\`.`,
    why: `Did you mean ${d.near.join()}?`,
    fixes: (span) => d.near.map((name) => replaceWith(span, name)),
  }),
  lint: (d: { what: string }) => ({ message: d.what, severity: 'warning' as const }),
})

const traceId = '0'.repeat(31) + '1'
const context = { traceId }

describe('the error envelope', () => {
  test('a place in a text has offsets, line and column, and fixes have edits', () => {
    const text = 'level:error\n| lmit 5'
    const error = new SluiceError([sample('unknown-pipe', { name: 'lmit', near: ['limit'] }, { start: 14, end: 18 })])
    expect(toErrorResponse(error, { traceId, source: { member: '$.query', text } })).toEqual({
      status: 400,
      headers: {},
      body: {
        message: 'There is no pipe named `lmit`.',
        code: 'sample/unknown-pipe',
        type: 'invalid_request',
        details: {
          diagnostics: [
            {
              code: 'sample/unknown-pipe',
              severity: 'error',
              message: 'There is no pipe named `lmit`.',
              path: '$.query',
              span: { start: 14, end: 18, line: 2, column: 3 },
              notes: ['Did you mean limit?'],
              fixes: [{ title: 'Write `limit`', edits: [{ start: 14, end: 18, text: 'limit' }], isSafe: false }],
            },
          ],
        },
        trace_id: traceId,
      },
    })
  })

  test('the message is that of the first error, not of a warning before it', () => {
    const error = new SluiceError([
      sample('lint', { what: 'slow' }, nowhere),
      sample('unknown-pipe', { name: 'x', near: [] }, atPath(['a', 0])),
    ])
    const { body } = toErrorResponse(error, context)
    expect([body.message, body.code]).toEqual(['There is no pipe named `x`.', 'sample/unknown-pipe'])
    expect(body.details.diagnostics[1]?.path).toBe('$.a[0]')
  })

  test('statuses and headers come from the fault', () => {
    const error = new HttpFault(409, [sample('lint', { what: 'in use' }, nowhere)], { 'Retry-After': '1' })
    const { status, headers, body } = toErrorResponse(error, context)
    expect([status, headers, body.type]).toEqual([409, { 'Retry-After': '1' }, 'conflict'])
  })

  test.each([new Error('/etc/secret is missing'), new TypeError('x'), 'text', undefined, new SluiceError([])])(
    'nothing of %o leaves',
    (error) => {
      const { status, body } = toErrorResponse(error, context)
      expect([status, body.code]).toEqual([500, 'server/internal'])
      expect(JSON.stringify(body)).not.toContain('secret')
      expect(body.details.diagnostics[0]?.notes).toEqual([`The log has the details under the trace id ${traceId}.`])
    },
  )

  test('echoes are cut at 120 characters wherever they stand', () => {
    const name = 'x'.repeat(5000)
    const error = new SluiceError([sample('unknown-pipe', { name, near: [`${name}y`] }, at({ start: 0, end: 5000 }))])
    const { body } = toErrorResponse(error, { traceId, source: { member: '$.query', text: name } })
    const [diagnostic] = body.details.diagnostics
    expect(body.message).toBe(`There is no pipe named \`${'x'.repeat(119)}…\`.`)
    expect(diagnostic?.message).toBe(body.message)
    expect(diagnostic?.notes?.[0]?.length).toBeLessThan(150)
    expect(diagnostic?.fixes).toBeUndefined()
  })

  test('also in a path', () => {
    const error = new SluiceError([sample('lint', { what: 'x' }, atPath(['SubPipelines', 'y'.repeat(5000), 'metric']))])
    const { path } = present(toErrorResponse(error, context).body.details.diagnostics[0])
    expect(path).toBe(`$.SubPipelines["${'y'.repeat(119)}…"].metric`)
  })

  test('a response has at most 20 diagnostics and 16 KiB, and the number of the others', () => {
    const many = Array.from({ length: 50 }, (_, index) =>
      sample(
        'unknown-pipe',
        { name: `n${index}`, near: Array.from({ length: 5 }, () => 'é'.repeat(100)) },
        { start: index, end: index + 1 },
      ),
    )
    const { body } = toErrorResponse(new SluiceError(many), context)
    expect(body.details.diagnostics).toHaveLength(20)
    expect(body.details.more).toBe(30)
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(16 * 1024)
    const wide = Array.from({ length: 20 }, (_, index) =>
      sample('lint', { what: `${index} ${'漢字'.repeat(290)}` }, nowhere),
    )
    const cut = toErrorResponse(new SluiceError(wide), context).body
    expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(16 * 1024)
    expect(cut.details.diagnostics.length + (cut.details.more ?? 0)).toBe(20)
  })
})
