import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { run, runOn } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-alerts-'))
mkdirSync(join(folder, 'rules'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, ...lines: readonly string[]): string {
  const path = join(folder, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

const down = ['groups:', '- name: g', '  rules:', '  - { alert: Down, expr: up == 0, for: 1m }']
const rules = file('rules/down.yaml', ...down)
const brokenRules = file('broken.yaml', ...down.slice(0, 3), '  - { alert: A, expr: up ==, fro: 1m }')

const promtool = (pattern: string, at: string): readonly string[] => [
  `rule_files: ['${pattern}']`,
  'tests:',
  "- input_series: [{ series: 'up{job=\"a\"}', values: '1 0x5' }]",
  '  alert_rule_test:',
  `  - { eval_time: ${at}, alertname: Down, exp_alerts: [{ exp_labels: { job: a } }] }`,
]

const definition = ['title: Errors', 'model:', '  queries:', '  - name: q', '    dataType: logs']
file('errors.yaml', ...definition, '    expression: level:error | stats count() as n')
file('misspelt.yaml', ...definition, '    expression: level:error | stast count() as n')

const monitorTests = (path: string, states: string, table = 'logs'): readonly string[] => [
  `monitors: [${path}]`,
  'tests:',
  '- name: errors alert',
  '  until: 2m',
  '  data:',
  `    ${table}: [{ at: 30s, level: error }]`,
  `  states: { '{alertname="Errors"}': '${states}' }`,
]

describe('monitors test and rules test', () => {
  test('files of both kinds pass with exit code 0', async () => {
    const paths = [
      file('pass.yaml', ...promtool('rules/*.yaml', '2m')),
      file('monitors.yaml', ...monitorTests('errors.yaml', 'AAA')),
    ]
    const out = paths.map((path) => `${path}: 1 of 1 tests passed\n`).join('')
    expect(await run('monitors', 'test', ...paths)).toEqual({ code: 0, out, error: '' })
    expect(await run('rules', 'test', ...paths)).toEqual({ code: 0, out, error: '' })
  })

  test('a difference is shown as expected and got, with exit code 1', async () => {
    const path = file('differs.yaml', ...monitorTests('errors.yaml', 'APA'))
    const { code, out } = await run('monitors', 'test', path)
    expect(out.split('\n')).toEqual([
      `${path}: 0 of 1 tests passed`,
      '  errors alert',
      '    states',
      '      expected',
      '        APA {alertname="Errors"}',
      '      got',
      '        AAA {alertname="Errors"}',
      '',
    ])
    expect(code).toBe(1)
    const early = file('early.yaml', ...promtool('rules/down.yaml', '1m'))
    expect(await run('rules', 'test', early)).toMatchObject({ code: 1, out: expect.stringContaining('got: nothing') })
  })

  test('--format junit is one report of all files', async () => {
    const passing = file('junit.yaml', ...promtool('rules/down.yaml', '2m'))
    const failing = file('junit-fails.yaml', ...promtool('rules/down.yaml', '1m'))
    const { code, out } = await run('rules', 'test', '--format', 'junit', passing, failing)
    expect(out).toContain('<testsuites tests="2" failures="1">')
    expect(code).toBe(1)
  })

  test.each([
    ['a test file', ['tests: [{ nam: x }]'], ['--> PATH:1:11', '1 | tests: [{ nam: x }]']],
    ['a rule file', promtool('broken.yaml', '2m'), ['--> FOLDER/broken.yaml:4:30', 'Did you mean `for`?']],
    [
      'a query of a monitor',
      monitorTests('misspelt.yaml', 'A'),
      ['--> misspelt.yaml, model.queries[0].expression:1:15'],
    ],
    ['the data of a test', monitorTests('errors.yaml', 'A', 'lags'), ['no table named `lags`', '--> PATH:3:3']],
    ['a missing definition', monitorTests('none.yaml', 'A'), ['none.yaml cannot be read']],
    ['a missing rule file', promtool('none*.yaml', '2m'), ['No file matches FOLDER/none*.yaml']],
  ])('a mistake in %s is shown at its position, with exit code 2', async (_, lines, shown) => {
    const path = file('wrong.yaml', ...lines)
    const { code, error } = await run('monitors', 'test', path)
    for (const text of shown) expect(error).toContain(text.replace('PATH', path).replace('FOLDER', folder))
    expect(code).toBe(2)
  })

  test('the other files run beside a wrong one', async () => {
    const passing = file('other.yaml', ...promtool('rules/down.yaml', '2m'))
    const { code, out } = await run('rules', 'test', file('not-yaml.yaml', 'tests: ['), passing)
    expect([code, out]).toEqual([2, `${passing}: 1 of 1 tests passed\n`])
  })

  test('an interrupt ends the run with exit code 130', async () => {
    const path = file('interrupted.yaml', ...promtool('rules/down.yaml', '2m'))
    expect(await runOn({ signal: AbortSignal.abort() }, 'rules', 'test', path)).toEqual({
      code: 130,
      out: '',
      error: '',
    })
  })
})

describe('rules check', () => {
  test('groups and rules are counted', async () => {
    expect(await run('rules', 'check', rules)).toEqual({ code: 0, out: `${rules}: 1 group, 1 rule\n`, error: '' })
  })

  test('all mistakes are shown at their positions, with exit code 1', async () => {
    const { code, out, error } = await run('rules', 'check', brokenRules, rules)
    expect(error).toContain(`--> ${brokenRules}:4:28`)
    expect(error).toContain('`fro` is not a member of a rule. Did you mean `for`?')
    expect([code, out]).toEqual([1, `${rules}: 1 group, 1 rule\n`])
  })

  test('a file that cannot be read ends with 2', async () => {
    expect((await run('rules', 'check', join(folder, 'none.yaml'))).code).toBe(2)
  })
})

/** Returns the lines of an alert test of one minute; `members` replace the default ones. */
const shortTest = (members: readonly string[], monitor = 'errors.yaml'): readonly string[] => [
  `monitors: [${monitor}]`,
  'tests:',
  '- name: t',
  ...(members.some((line) => line.startsWith('until')) ? [] : ['  until: 1m']),
  ...members.map((line) => `  ${line}`),
]

describe('mistakes in a file of monitor tests', () => {
  test.each<readonly [string, string]>([
    ['until: -8m', '`until` must not be before the start of the test.'],
    ["states: { '{a=\"b\"}': '.Q' }", '`Q` is no state.'],
    ['notified: [{ at: 1m, status: fire }]', '`status` must be `firing` or `resolved`.'],
    ['data: { logs: [{ level: error }] }', 'Missing here: `from`, `to`, `every`.'],
    ["data: { metrics: [{ series: up, values: '1x900000' }, { series: b, values: '1x900000' }] }", '1000000 samples'],
    [`data: { logs: [{ from: 0s, to: 2m, every: 1s, row: { a: ${'x'.repeat(600_000)} } }] }`, '64 Mi characters'],
    ['until: 99999h', 'The test has more than 100000 evaluations.'],
  ])('%.40s', async (line, message) => {
    const { code, error } = await run('monitors', 'test', file('mistake.yaml', ...shortTest([line])))
    expect(error).toContain(message)
    expect(error).toContain('mistake.yaml:')
    expect(code).toBe(2)
  })

  test('a monitor that the server would refuse, or never evaluate, is refused', async () => {
    const threshold = '  thresholds: [{ name: t, inputName: other, operator: gt, values: [1] }]'
    file('input.yaml', ...definition, '    expression: level:error', threshold)
    file('empty.yaml', 'title: Errors', 'modle:', '  queries: []')
    for (const [monitor, message] of [
      ['input.yaml', 'No query or reducer of this monitor is named `other`.'],
      ['empty.yaml', 'The monitor has no queries, so it is never evaluated.'],
    ] as const) {
      const { code, error } = await run('monitors', 'test', file('refused.yaml', ...shortTest([], monitor)))
      expect(error).toContain(message)
      expect(code).toBe(2)
    }
  })

  test('a device is not read to its end', async () => {
    const { code, error } = await run('monitors', 'test', file('device.yaml', ...shortTest([], '/dev/zero')))
    expect([code, error]).toEqual([2, expect.stringContaining('/dev/zero cannot be read: it is a device')])
  })
})
