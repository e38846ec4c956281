import { describe, expect, test } from 'vitest'
import { SluiceError } from '../../src/base/index.ts'
import { createEngine, printSteps, type Engine } from '../../src/engine/index.ts'
import { defineLint, defineRule, type Rule } from '../../src/optimize/index.ts'
import { column, opsOf, inputs, visit, test as testOf, type LogicalPlan } from '../../src/plan/index.ts'
import { mixedRows, rowsOver } from './data.ts'

const rows = mixedRows(40)
const examples = { changes: '* | limit 9', leaves: '*' }
const scope = () => testOf(column('level'), { kind: 'equals' as const, value: 'info', isFolded: true, isTyped: true })

function engineOf(apply: Rule['apply'], name = 'halve-limits', direction: Rule['direction'] = 'up'): Engine {
  const rule = defineRule({ name, summary: 'For tests.', examples, direction, apply })
  return createEngine({ backends: [rowsOver(rows)], lint: 'off', extend: { rules: [rule] } })
}

function codesOf(run: () => unknown): readonly string[] {
  try {
    run()
  } catch (error) {
    if (error instanceof SluiceError) return error.diagnostics.map(({ code, message }) => `${code} ${message}`)
    throw error
  }
  return []
}

describe('a rule of a user', () => {
  const nine = engineOf((plan) => (plan.kind === 'limit' && plan.limit === 9 ? { ...plan, limit: 4 } : plan))

  test('runs, is listed among the steps, and can be left out by name', async () => {
    expect(await nine.query('* | limit 9').toArray()).toHaveLength(4)
    const { bound, steps } = nine.plan('* | limit 9')
    expect(printSteps(bound, steps)).toContain('halve-limits')
    expect(await nine.query('* | limit 9', { disabledRules: ['halve-limits'] }).toArray()).toHaveLength(9)
    expect(codesOf(() => nine.query('*', { disabledRules: ['halve-limit'] }))[0]).toContain('`halve-limits`')
  })

  test('that changes the columns is an error that names it', () => {
    const engine = engineOf(
      (plan) => (plan.kind === 'project' ? { ...plan, fields: plan.fields.slice(1) } : plan),
      'drops-columns',
    )
    expect(codesOf(() => engine.query('level:error | fields pod, level'))).toEqual([
      expect.stringMatching(/^optimize\/unsound-rule The rule `drops-columns` makes .* columns of the answer/),
    ])
  })

  test('that takes a data scope away is an error, on scans, in subqueries and where the plan is rebuilt', () => {
    const forget = (plan: LogicalPlan): LogicalPlan =>
      plan.kind === 'scan' && plan.guard !== undefined ? { ...plan, guard: undefined } : plan
    const engine = engineOf(forget, 'forgets')
    for (const query of ['* | limit 3', 'pod:in(* | fields pod) | stats count() as n']) {
      expect(codesOf(() => engine.query(query, { scope }))[0]).toMatch(
        /^optimize\/unsound-rule .*`forgets`.*data scope/,
      )
      expect(codesOf(() => engine.query(query))).toEqual([])
    }
    const other = engineOf(
      (plan) => (plan.kind === 'scan' && plan.table === 'logs' ? { ...plan, table: 'spans' } : plan),
      'other-table',
    )
    expect(codesOf(() => other.query('*', { scope }))[0]).toContain('`other-table`')
  })

  test('that throws, or gives what is not a plan, is an error that names it', () => {
    const failing = engineOf(() => {
      throw new Error('out of ideas')
    }, 'fails')
    expect(codesOf(() => failing.query('*'))).toEqual(['optimize/failed-rule The rule `fails` failed: out of ideas'])
    const empty = engineOf((() => undefined) as unknown as Rule['apply'], 'gives-nothing', 'whole')
    expect(codesOf(() => empty.query('*'))[0]).toMatch(/^optimize\/failed-rule The rule `gives-nothing`/)
    const unknown = engineOf(
      (plan) =>
        plan.kind === 'limit' && inputs(plan)[0]?.kind !== 'apply'
          ? opsOf(plan).withInputs(plan, [
              {
                kind: 'apply',
                input: plan.input,
                fn: 'nowhere',
                params: null,
                condition: undefined,
                use: { reads: [], writes: [], replaces: [] },
                outputs: [],
                isOneToOne: true,
                origin: plan.origin,
              },
            ])
          : plan,
      'unknown-function',
    )
    expect(codesOf(() => unknown.query('* | limit 9'))[0]).toMatch(/unsound-rule .*unknown row function nowhere/)
  })

  test('has a name of its own', () => {
    const same: Rule['apply'] = (plan) => plan
    expect(codesOf(() => engineOf(same, 'push-limit'))[0]).toMatch(/^optimize\/bad-name .*there is one/)
    expect(codesOf(() => engineOf(same, 'Two words'))[0]).toMatch(/^optimize\/bad-name /)
  })
})

describe('a lint of a user', () => {
  const bare = defineLint({
    name: 'no-counts',
    summary: 'Counts are asked of the dashboard.',
    *check({ plan }) {
      const found: LogicalPlan[] = []
      visit(plan, (node) => {
        if (node.kind === 'aggregate') found.push(node)
      })
      for (const { origin } of found) yield { message: 'The dashboard has it.', origin, notes: ['Ask there.'] }
    },
  })
  const failing = defineLint({
    name: 'fails',
    summary: 'For tests.',
    check: () => {
      throw new Error('no idea')
    },
  })
  const engine = createEngine({ backends: [rowsOver(rows)], extend: { lints: [bare] } })

  test('is advice with its code and place, refuses under enforce, and can be left out', () => {
    const [found] = engine.check('level:error | stats count() as n').filter(({ code }) => code === 'lint/no-counts')
    expect(found).toMatchObject({ severity: 'warning', message: 'The dashboard has it.', notes: ['Ask there.'] })
    expect(codesOf(() => engine.query('level:error | stats count() as n', { lint: 'enforce' }))[0]).toContain(
      'no-counts',
    )
    const codes = engine.check('* | stats count() as n', { disabledLints: ['no-counts'] }).map(({ code }) => code)
    expect(codes).not.toContain('lint/no-counts')
  })

  test('that throws stops no query', async () => {
    const other = createEngine({ backends: [rowsOver(rows)], extend: { lints: [failing] } })
    expect(other.check('* | limit 1').map(({ code }) => code)).toContain('optimize/failed-lint')
    expect(await other.query('* | limit 1').toArray()).toHaveLength(1)
  })

  test('has a name of its own', () => {
    expect(codesOf(() => createEngine({ extend: { lints: [bare, bare] } }))[0]).toMatch(/^optimize\/bad-name/)
  })
})
