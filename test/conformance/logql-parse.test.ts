import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatLogql, parseLogql, renderLogqlError } from '../../src/lang/logql/index.ts'

interface Vector {
  readonly id: string
  readonly kind: string
  readonly query: string
  readonly status: number
  readonly error?: string
  readonly formatted?: string
  readonly unstable?: string
}

const directory = resolve(import.meta.dirname, '../../../shared/vectors/logql')

function vectorsOf(file: string): readonly Vector[] {
  const path = resolve(directory, file)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Vector)
}

/** Returns the error message of a query, or `accepted`. */
function refusalOf(query: string, isFormatOnly: boolean): string {
  const [first] = parseLogql(query, { isFormatOnly }).diagnostics
  return first === undefined ? 'accepted' : renderLogqlError(first, query)
}

function formatted(query: string): string {
  const { ast } = parseLogql(query, { isFormatOnly: true })
  return ast === undefined ? refusalOf(query, true) : formatLogql(ast)
}

/** Matches errors that the reference implementation reports only when it runs a query, after parsing it. */
const OF_RUNNING =
  /^pipeline error|^log queries are not supported|^multiple matches|many-to-many|^count min sketches|^failed to enqueue/

/** Matches the reference implementation's internal error (status 500) for a number where it requires series. */
const INTERNAL = /^unexpected expr type/

/**
 * Ids of recorded answers of `format_query` that Sluice does not reproduce, with the reason. Those outputs have another
 * meaning than the query, or cannot be parsed.
 */
const RULED: ReadonlyMap<string, string> = new Map([
  ...['02d4b6615ddf', '2445565c3e14', '221824d44afb'].map((id) => [id, '`by ()` makes one series'] as const),
  ...['9f17b57824fd', 'def38b05bb0f'].map((id) => [id, '`on ()` matches everything'] as const),
  ...['f98bb38f5474', '5f56e8f50394'].map((id) => [id, 'the operand in parentheses is read as labels'] as const),
  ['2c62cc35e48e', '1.0kB is not 1KiB'],
])

describe.skipIf(!existsSync(directory))('LogQL vectors', () => {
  test('refused queries are refused with the same text', () => {
    const wrong = vectorsOf('errors.jsonl').flatMap(({ id, query, error = '' }) => {
      const got = refusalOf(query, false)
      const isRight = OF_RUNNING.test(error)
        ? got === 'accepted'
        : INTERNAL.test(error)
          ? got !== 'accepted'
          : got === error
      return isRight ? [] : [{ id, query, got, error }]
    })
    expect(wrong).toEqual([])
  })

  test.each(['log.jsonl', 'metric.jsonl'])('queries of %s are accepted', (file) => {
    const wrong = vectorsOf(file).flatMap(({ id, query }) => {
      const got = refusalOf(query, false)
      return got === 'accepted' ? [] : [{ id, query, got }]
    })
    expect(wrong).toEqual([])
  })

  test('format_query gives the same text, formatted or refused', () => {
    const judged = vectorsOf('format.jsonl').filter(({ id }) => !RULED.has(id))
    const wrong = judged.flatMap(({ id, query, error, formatted: text }) => {
      const wanted = text ?? (JSON.parse(error ?? '{}') as { readonly error: string }).error
      const got = formatted(query)
      return got === wanted ? [] : [{ id, query, got, wanted }]
    })
    expect(wrong).toEqual([])
  })
})
