import { describe, expect, test } from 'vitest'
import { SourceError, runPromtoolTests } from '../../../../src/alerting/testing/index.ts'
import { SluiceError } from '../../../../src/base/index.ts'

const RULES = `
groups:
- name: g
  rules:
  - alert: Down
    expr: up == 0
    for: 1m
    annotations: { summary: '{{ $labels.job }} is down' }
`

function testFile(...lines: readonly string[]): string {
  return [
    'rule_files: [rules.yaml]',
    'tests:',
    '- name: one',
    "  input_series: [{series: 'up{job=\"a\"}', values: '1 0x5'}]",
  ]
    .concat(lines.map((line) => `  ${line}`))
    .join('\n')
}

async function failureOf(text: string, rules = RULES): Promise<string | undefined> {
  const { tests } = await runPromtoolTests('test.yaml', text, { readFile: () => rules })
  return tests[0]?.failure
}

describe("promtool's unit tests", () => {
  test('a test passes when the alerts are those that are expected', async () => {
    const text = testFile(
      'alert_rule_test:',
      '- { eval_time: 1m, alertname: Down }',
      '- eval_time: 2m59s',
      '  alertname: Down',
      "  exp_alerts: [{ exp_labels: { job: a }, exp_annotations: { summary: 'a is down' } }]",
      'promql_expr_test:',
      "- { expr: 'sum(up)', eval_time: 3m, exp_samples: [{ labels: '{}', value: 0 }] }",
    )
    const report = await runPromtoolTests('test.yaml', text, { readFile: () => RULES })
    expect(report).toEqual({ file: 'test.yaml', tests: [{ name: 'one' }] })
  })

  test('a difference shows its line, the expected and the actual alerts', async () => {
    const text = testFile(
      'alert_rule_test:',
      '- { eval_time: 1m, alertname: Down, exp_alerts: [{ exp_labels: { job: a } }] }',
    )
    expect(await failureOf(text)).toBe(
      [
        'line 6: alert `Down` at 1m',
        '  expected:',
        '    {alertname="Down", job="a"} annotations {}',
        '  got: nothing',
      ].join('\n'),
    )
  })

  test('neighbouring numbers are equal with fuzzy_compare alone', async () => {
    const text = testFile(
      'promql_expr_test:',
      "- { expr: 'vector(0.1) + 0.2', eval_time: 0s, exp_samples: [{ labels: '{}', value: 0.3 }] }",
    )
    expect(await failureOf(text)).toContain('0.30000000000000004')
    expect(await failureOf(`fuzzy_compare: true\n${text}`)).toBeUndefined()
  })

  test('histograms are compared in series notation', async () => {
    const text = [
      'tests:',
      "- input_series: [{ series: h, values: '{{schema:0 count:3 sum:2 buckets:[1 2]}}' }]",
      '  promql_expr_test:',
      "  - { expr: h, eval_time: 0s, exp_samples: [{ labels: h, histogram: '{{count:3 sum:2 buckets:[1 2]}}' }] }",
    ].join('\n')
    expect(await failureOf(text)).toBeUndefined()
  })

  test('a rule that fails ends the test', async () => {
    const rules = "groups: [{ name: g, rules: [{ record: r, expr: \"label_replace(up, '~', '', '', '(')\" }] }]"
    const text = testFile("promql_expr_test: [{ expr: 'up', eval_time: 5m, exp_samples: [] }]")
    expect(await failureOf(text, rules)).toMatch(/^rule `r` failed at 0s: /)
  })

  test('an endless test is refused', async () => {
    const text = `evaluation_interval: 1ms\n${testFile('promql_expr_test: [{ expr: up, eval_time: 10y }]')}`
    expect(await failureOf(text)).toContain('more than 100000 evaluations')
  })

  test('faults of the test file are distinguished from faults of rule files', async () => {
    await expect(failureOf('tests: [{ alert_rule_test: [{ eval_time: 1 }] }]')).rejects.toThrow(SluiceError)
    const fault = failureOf(testFile('alert_rule_test: []'), 'groups: [{ name: g, rules: [{ alert: A }] }]')
    await expect(fault).rejects.toThrow(SourceError)
    await expect(fault).rejects.toMatchObject({ source: 'rules.yaml', text: expect.stringContaining('groups') })
  })
})
