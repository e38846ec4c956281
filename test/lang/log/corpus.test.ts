import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bind } from '../../../src/analyze/index.ts'
import { isError } from '../../../src/base/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { canon, lower, parse } from '../../../src/lang/log/index.ts'
import type { Dialect } from '../../../src/plan/index.ts'
import { standardCatalog } from '../../../src/store/index.ts'

interface Entry {
  readonly tier: string
  readonly code: string
  readonly query: string
}

const text = readFileSync(new URL('../../../grammar/corpus/log.txt', import.meta.url), 'utf8')

function entriesOf(source: string): readonly Entry[] {
  const entries: Entry[] = []
  let tier = ''
  for (const line of source.split('\n')) {
    if (line.startsWith('# ') || line.trim() === '') continue
    if (line.startsWith('== ')) {
      tier = line.slice(3)
      continue
    }
    const refused = tier.startsWith('refused') ? /^\[(\S+)\] ?(.*)$/.exec(line) : null
    entries.push({ tier, code: refused?.[1] ?? '', query: refused?.[2] ?? line })
  }
  return entries
}

const entries = entriesOf(text)

function dialectsOf(tier: string): readonly Dialect[] {
  if (tier.endsWith('both dialects')) return ['native', 'logsql']
  return tier.includes('native') ? ['native'] : ['logsql']
}

function cases(start: string): readonly (readonly [dialect: Dialect, query: string, code: string])[] {
  return entries
    .filter(({ tier }) => tier.startsWith(start))
    .flatMap(({ tier, query, code }) => dialectsOf(tier).map((dialect) => [dialect, query, code] as const))
}

function codesOfBind(query: string, dialect: Dialect): readonly string[] {
  const plan = lower(parse(query, { dialect }).ast, { dialect, nowNs: 0n, table: 'logs' })
  const { diagnostics } = bind(plan, { catalog: standardCatalog, functions: standardFunctions, dialect })
  return diagnostics.filter(isError).map(({ code }) => code)
}

describe('corpus', () => {
  test('each tier has queries', () => {
    expect(new Set(entries.map(({ tier }) => tier)).size).toBe(6)
  })

  test.each(cases('accepted'))('%s accepts %s', (dialect, query) => {
    const { ast, diagnostics } = parse(query, { dialect })
    expect(diagnostics.map(({ code }) => code)).toEqual([])
    expect(ast.isIncomplete).toBe(false)
    const printed = canon(ast, dialect)
    expect(canon(parse(printed, { dialect }).ast, dialect)).toBe(printed)
    expect(codesOfBind(query, dialect)).toEqual([])
  })

  test.each(cases('refused by the parser'))('the parser, %s, refuses %s', (dialect, query, code) => {
    expect(parse(query, { dialect }).diagnostics[0]?.code).toBe(code)
  })

  test.each(cases('refused by bind'))('bind, %s, refuses %s', (dialect, query, code) => {
    expect(parse(query, { dialect }).diagnostics).toEqual([])
    expect(codesOfBind(query, dialect)).toContain(code)
  })
})
