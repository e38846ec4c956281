import { describe, expect, test } from 'vitest'
import { readRules } from '../../../src/alerting/rules/index.ts'
import { SluiceError, spanOf } from '../../../src/base/index.ts'

function faultsOf(text: string): readonly (readonly [string, string])[] {
  try {
    readRules(text)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return error.diagnostics.map(({ message, origin }) => {
      const { start = 0, end = 0 } = spanOf(origin) ?? {}
      return [text.slice(start, end), message] as const
    })
  }
  return []
}

function ruleText(...lines: readonly string[]): string {
  return ['groups:', '- name: g', '  rules:', '  - alert: A', ...lines.map((line) => `    ${line}`)].join('\n')
}

describe('rule files', () => {
  test('groups and rules are read with their defaults', () => {
    const [group] = readRules(ruleText('expr: up==0', 'for: 1h30m'))
    expect(group).toMatchObject({ name: 'g', intervalMs: undefined, queryOffsetMs: 0, limit: 0 })
    expect(group?.rules[0]).toMatchObject({ name: 'A', expression: 'up == 0', forMs: 5_400_000, keepFiringForMs: 0 })
  })

  test('labels of the rule override those of the group', () => {
    const text =
      'groups: [{name: g, labels: {a: x, b: y}, rules: [{alert: A, expr: up, labels: {a: z}}, {record: r, expr: up}]}]'
    expect(readRules(text)[0]?.rules.map(({ labels }) => String(labels))).toEqual(['{a="z", b="y"}', '{a="x", b="y"}'])
  })

  test.each([
    [ruleText('expr: up', 'fro: 5m'), 'fro', '`fro` is not a member of a rule. Did you mean `for`?'],
    [ruleText('expr: sum(up'), '', 'The expression cannot be read: 1:7: parse error: unclosed left parenthesis'],
    [ruleText('for: 5m'), '- alert', 'A rule needs an expression in `expr`.'],
    [ruleText('expr: up', "labels: {'': x}"), "''", '"" cannot be the name of a label. Choose another name.'],
    [ruleText('expr: up', 'labels: {a: [x]}'), '[x]', '`a` must be a string.'],
    ['groups: [{name: g}, {name: g}]', 'g', 'The file has two groups named "g". Rename one.'],
    ['groups: {}', '{}', '`groups` must be a list.'],
  ])('%j is refused at the fault', (text, marked, message) => {
    const [fault] = faultsOf(text)
    expect(fault?.[1]).toBe(message)
    expect(fault?.[0]).toContain(marked === '- alert' ? 'for: 5m' : marked)
  })

  test('all faults are reported, once each and in the order of the file', () => {
    const text = ruleText('expr: nosuch(up)', 'for: 1x', 'labels: {a: [x]}', 'annotations: {b: "{{ x"}')
    expect(faultsOf(text).map(([marked]) => marked)).toEqual(['nosuch(up)', '1x', '[x]', expect.any(String)])
  })

  test('aliases that multiply the file are refused', () => {
    const text = `groups:\n- &g\n  name: x\n  <<: [${'*g,'.repeat(2000)}]\n`
    expect(faultsOf(text)[0]?.[1]).toMatch(/^The aliases of the document|nested too deeply/)
  })

  test('deep nesting is refused', () => {
    expect(faultsOf('['.repeat(20_000)).length).toBe(1)
  })
})

describe('groups of log queries', () => {
  const group = (expr: string): string =>
    `groups: [{name: g, type: vlogs, rules: [{alert: A, expr: ${JSON.stringify(expr)}}]}]`

  test.each([
    ['level:error | stats by (service) count() as n | filter n:>5', ['service'], ['n'], false],
    ['_time:5m | stats count() as n, max(d) as top', [], ['n', 'top'], true],
    [
      '(_time:5m a) | stats by (h) count() as n | rename h as host | math n * 2 as twice',
      ['host'],
      ['n', 'twice'],
      true,
    ],
  ])('%s has its labels and results', (expr, keys, results, hasTimeFilter) => {
    expect(readRules(group(expr))[0]?.rules[0]?.log).toEqual({ keys, results, hasTimeFilter })
  })

  test.each(['level:error', 'level:error | fields a', '* | stats count() n | uniq by (n)', '* | top 3 by (a)'])(
    '%s is refused',
    (expr) => {
      expect(faultsOf(group(expr))[0]?.[1]).toContain('must end with `stats`')
    },
  )
})
