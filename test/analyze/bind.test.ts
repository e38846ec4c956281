import { describe, expect, test } from 'vitest'
import { at, present } from '../../src/base/index.ts'
import { bind, planProblems } from '../../src/analyze/index.ts'
import {
  column,
  literal,
  not,
  or,
  and,
  call,
  printPlan,
  test as testOf,
  type Expr,
  type LogicalPlan,
} from '../../src/plan/index.ts'
import { standardCatalog } from '../../src/store/index.ts'
import {
  apply,
  agg,
  aggregate,
  closed,
  drop,
  extend,
  filter,
  functions,
  join,
  level,
  limit,
  pattern,
  project,
  rename,
  scan,
  sort,
  union,
  value,
  wild,
} from './plans.ts'

function bound(plan: LogicalPlan, dialect: 'native' | 'logsql' = 'native'): string {
  const result = bind(plan, { catalog: standardCatalog, functions, dialect })
  expect(result.diagnostics.map((d) => d.message)).toEqual([])
  expect(planProblems(result.plan, functions)).toEqual([])
  return printPlan(result.plan)
}

function codes(plan: LogicalPlan, dialect: 'native' | 'logsql' = 'native'): readonly string[] {
  return bind(plan, { catalog: standardCatalog, functions, dialect }).diagnostics.map((d) => `${d.severity} ${d.code}`)
}

/** Returns the bound predicate of a filter directly above the scan. */
function predicate(expr: Expr): string {
  return present(bound(filter(scan(), expr)).split('\n')[0]).replace(/^filter /, '')
}

describe('names', () => {
  test('a scan gets the table and its schema', () => {
    const { plan, schema } = bind(scan(), { catalog: standardCatalog, functions })
    expect(printPlan(plan)).toBe('scan logs always')
    expect(schema).toBe(standardCatalog.tables.get('logs')?.schema)
  })

  test('an unknown table is reported with the nearest name', () => {
    expect(bind(scan('log'), { catalog: standardCatalog, functions }).diagnostics[0]).toMatchObject({
      code: 'analyze/unknown-table',
      data: { name: 'log', near: ['logs'] },
    })
  })

  test('aliases are resolved on the way in and come out under the name of the schema', () => {
    expect(
      bound(sort(project(scan(), 'timestamp', '_msg', '_time'), [{ expr: column('ts'), direction: 'desc' }])),
    ).toBe(['sort _time desc', '  project _time, content', '    scan logs always'].join('\n'))
  })

  test('a group key written as an alias is called as the field', () => {
    const plan = aggregate(scan(), { severity: column('severity') }, { n: agg('count') })
    expect(bound(filter(plan, value('severity', 'error')))).toBe(
      ['filter level = i:"error"', '  aggregate by (level) count() as n', '    scan logs always'].join('\n'),
    )
  })

  test('a result with the name of an alias hides the alias', () => {
    const plan = aggregate(scan(), {}, { message: agg('count') })
    expect(bound(filter(plan, closed('message', { kind: 'empty' })))).toContain('filter message is empty')
    expect(bound(filter(extend(scan(), { msg: literal(1) }), value('msg', '1')))).toContain('filter msg = i:"1"')
  })

  test('an alias of a field that was renamed away is a name of its own', () => {
    expect(bound(filter(rename(scan(), { timestamp: 't' }), value('ts', 'x')))).toBe(
      ['filter _time = i:"x"', '  rename _time as t', '    scan logs always'].join('\n'),
    )
    expect(
      codes(sort(project(rename(scan(), { timestamp: 't' }), 't'), [{ expr: column('ts'), direction: 'asc' }])),
    ).toEqual(['error analyze/unknown-column'])
  })

  test('steps of one rename see what earlier ones made', () => {
    expect(bound(rename(scan(), { level: 'msg', msg: 'x' }))).toContain('rename level as msg, msg as x')
  })

  test('drop and join resolve aliases too', () => {
    expect(bound(drop(scan(), 'msg', 'kube.*'))).toContain('drop content, kube.*')
    expect(bound(join(scan(), project(scan(), 'pod_name'), { pod_name: 'pod_name' }))).toContain('join left on (pod)')
  })

  test('aliases hold in a union when they hold in each input', () => {
    const closedRows = aggregate(scan(), { pod: column('pod') }, { n: agg('count') })
    expect(bound(filter(union(scan(), scan()), value('severity', 'x')))).toContain('filter level = i:"x"')
    expect(bound(filter(union(scan(), closedRows), value('severity', 'x')))).toContain('filter severity = i:"x"')
  })

  test('a name that closed rows cannot have is an error with the nearest ones', () => {
    const plan = filter(aggregate(scan(), { level: column('level') }, { count: agg('count') }), value('cuont', '5'))
    expect(bind(plan, { catalog: standardCatalog, functions }).diagnostics[0]).toMatchObject({
      code: 'analyze/unknown-column',
      severity: 'error',
      data: { name: 'cuont', near: ['count'] },
    })
    expect(codes(plan, 'logsql')).toEqual(['warning analyze/unknown-column'])
    expect(codes(drop(project(scan(), 'a'), 'b'))).toEqual([])
  })

  test('a bare word needs the text field', () => {
    expect(codes(filter(project(scan(), 'level'), value(undefined, 'x')))).toEqual(['error analyze/no-text-field'])
    expect(bound(filter(project(scan(), 'content'), value(undefined, 'x')))).toContain('filter content phrase i:"x"')
  })
})

describe('match modes, native', () => {
  test.each([
    ['a value on a field is the whole value, folded', value('level', 'Error'), 'level = i:"Error"'],
    ['a value on the text field is a word', value('content', 'Error'), 'content phrase i:"Error"'],
    ['also under an alias', value('_msg', 'Error'), 'content phrase i:"Error"'],
    ['a bare word is a word of the text field', value(undefined, 'two words', true), 'content phrase i:"two words"'],
    ['the empty value', value('host', ''), 'host is empty'],
    ['a quoted star on a field is any value', value('host', '*', true), 'not host is empty'],
    ['a bare quoted star is a star', value(undefined, '*', true), 'content phrase i:"*"'],
    ['an unquoted star on a field is any value', wild('host', '*'), 'not host is empty'],
    ['a bare star is everything', wild(undefined, '*'), 'true'],
    ['a prefix on a field', wild('host', 'web*'), 'host starts-with i:"web"'],
    ['a prefix on the text field', wild('content', 'conn*'), 'content phrase-prefix i:"conn"'],
    ['a bare prefix', wild(undefined, 'conn*'), 'content phrase-prefix i:"conn"'],
    ['a suffix', wild('host', '*web'), 'host glob i:""*"web"'],
    ['a substring', wild('host', '*web*'), 'host contains i:"web"'],
    ['a bare substring', wild(undefined, '*web*'), 'content contains i:"web"'],
    ['stars inside', wild('host', 'a*b**c'), 'host glob i:"a"*"b"*"c"'],
    ['any field', value('kube.*', 'x'), 'any "kube.*" = i:"x"'],
    ['any field with the text field among them', value('*', 'x'), '(content phrase i:"x" or any "*" = i:"x")'],
    ['any value of any field', wild('kube.*', '*'), 'any "kube.*" starts-with ""'],
    ['a closed test', closed('a', { kind: 'empty' }), 'a is empty'],
  ] as const)('%s', (_, expr, text) => {
    expect(predicate(expr)).toBe(text)
  })
})

describe('match modes, logsql', () => {
  const of = (expr: Expr): Expr =>
    expr.kind === 'field-filter' && expr.request.kind !== 'test'
      ? { ...expr, request: { ...expr.request, dialect: 'logsql' } }
      : expr
  test.each([
    ['a value is a phrase', value('level', 'Error'), 'level phrase "Error"'],
    ['a prefix', wild('host', 'web*'), 'host phrase-prefix "web"'],
    ['a substring', wild('host', '*web*'), 'host contains "web"'],
    ['any value', wild('host', '*'), 'not host is empty'],
    ['a quoted star is a star', value('host', '*', true), 'host phrase "*"'],
    ['the empty substring is everything', wild('host', '**'), 'host contains ""'],
    ['the empty value', value('host', ''), 'host is empty'],
  ] as const)('%s', (_, expr, text) => {
    expect(predicate(of(expr))).toBe(text)
  })
})

describe('the same field twice', () => {
  test.each([
    [
      'alternatives, adjacent or not',
      level(value('level', 'a'), value('pod', 'p'), value('level', 'b')),
      '((level = i:"a" or level = i:"b") and pod = i:"p")',
    ],
    ['compared by bound field', level(value('severity', 'a'), value('level', 'b')), '(level = i:"a" or level = i:"b")'],
    [
      'bare words are joined by AND',
      level(value(undefined, 'a'), value(undefined, 'b')),
      '(content phrase i:"a" and content phrase i:"b")',
    ],
    [
      'words with a field are alternatives',
      level(value('content', 'a'), value('_msg', 'b')),
      '(content phrase i:"a" or content phrase i:"b")',
    ],
    [
      'negations are joined by AND',
      level(not(value('level', 'a')), not(value('level', 'b'))),
      '(not level = i:"a" and not level = i:"b")',
    ],
    [
      'comparisons are joined by AND',
      level(
        closed('status', { kind: 'range', min: 200, max: Infinity, isMinIncluded: true, isMaxIncluded: true }),
        closed('status', { kind: 'range', min: -Infinity, max: 300, isMinIncluded: true, isMaxIncluded: false }),
      ),
      '(status in [200, +Inf] and status in [-Inf, 300))',
    ],
    [
      'lists are alternatives',
      level(closed('a', { kind: 'in', values: ['x'], isFolded: true, isTyped: true }, true), wild('a', 'y*')),
      '(a in i:("x") or a starts-with i:"y")',
    ],
    [
      'a group is one operand',
      level(level(value('level', 'a')), or([value('level', 'b')]), value('level', 'c')),
      '(level = i:"a" and (level = i:"b") and level = i:"c")',
    ],
    [
      'an operand of an explicit AND has left the level',
      level(and([value('level', 'a'), value('x', 'y')]), value('level', 'c')),
      '((level = i:"a" and x = i:"y") and level = i:"c")',
    ],
    ['one operand stays itself', level(value('level', 'a')), 'level = i:"a"'],
  ] as const)('%s', (_, expr, text) => {
    expect(predicate(expr)).toBe(text)
  })

  test('the other dialect joins by AND', () => {
    expect(predicate({ ...level(value('a', 'x'), value('a', 'y')), dialect: 'logsql' } as Expr)).toBe(
      '(a = i:"x" and a = i:"y")',
    )
  })
})

describe('streams', () => {
  const stream = (label: string, text: string, isNegated = false): Expr => ({
    kind: 'stream-filter',
    alternatives: [
      [{ label, test: { kind: 'equals', value: text, isFolded: false, isTyped: false }, isNegated }],
      [{ label: 'pod', test: { kind: 'empty' }, isNegated: false }],
    ],
    origin: at({ start: 0, end: 1 }),
  })
  test('labels become tests on the stream fields, also under an alias', () => {
    expect(predicate(stream('pod_name', 'x', true))).toBe('(not pod = "x" as text or pod is empty)')
  })
  test('a label that is not a stream field is reported', () => {
    expect(codes(filter(scan(), stream('app', 'x')))).toEqual(['error analyze/unknown-stream-field'])
    expect(codes(filter(scan(), stream('app', 'x')), 'logsql')).toEqual(['warning analyze/unknown-stream-field'])
  })
})

describe('functions', () => {
  test('aliases of functions become their names', () => {
    expect(bound(aggregate(scan(), {}, { a: agg('MEAN', [column('status')]) }))).toContain('avg(status) as a')
  })
  test.each([
    ['unknown-stats', aggregate(scan(), {}, { a: agg('conut') })],
    ['unknown-scalar', extend(scan(), { a: call('upr', [column('x')]) })],
    ['wrong-arguments', extend(scan(), { a: call('plus', [column('x')]) })],
    ['wrong-arguments', aggregate(scan(), {}, { a: agg('sum') })],
    ['wrong-parameters', aggregate(scan(), {}, { a: agg('quantile', [column('x')]) })],
    ['wrong-parameter-type', aggregate(scan(), {}, { a: agg('quantile', [column('x')], { params: ['p'] }) })],
    ['result-is-key', aggregate(scan(), { a: column('a') }, { a: agg('count') })],
    ['bad-regexp', filter(scan(), closed('a', { kind: 'regexp', pattern: 'a(', isFolded: false }))],
  ] as const)('%s', (code, plan) => {
    expect(codes(plan)).toEqual([`error analyze/${code}`])
  })

  test('a pattern of fields stands for any number of arguments', () => {
    const all = { kind: 'columns', fields: pattern('bytes*'), origin: at({ start: 0, end: 1 }) } as const
    expect(bound(aggregate(scan(), {}, { a: agg('sum', [all]) }))).toContain('sum(columns("bytes*")) as a')
  })

  test('a subquery must give one column', () => {
    const inSubquery = (plan: LogicalPlan): Expr => ({
      kind: 'in-subquery',
      arg: column('pod'),
      plan,
      mode: 'in',
      isFolded: true,
      listsMissing: false,
      origin: at({ start: 0, end: 1 }),
    })
    expect(codes(filter(scan(), inSubquery(scan())))).toEqual(['error analyze/subquery-columns'])
    expect(codes(filter(scan(), inSubquery(project(scan(), 'a', 'b'))))).toEqual(['error analyze/subquery-columns'])
    expect(bound(filter(scan(), inSubquery(project(filter(scan(), value('severity', 'x')), 'pod_name'))))).toBe(
      [
        'filter pod in i:(subquery)',
        '  subquery',
        '    project pod',
        '      filter level = i:"x"',
        '        scan logs always',
        '  scan logs always',
      ].join('\n'),
    )
  })
})

describe('row and table functions', () => {
  test('the field rewritten in place is the alias’s own', () => {
    expect(bound(apply(scan(), 'shout', { field: 'msg', word: 'msg' }, ['msg'], ['msg']))).toBe(
      ['apply shout {"field":"content","word":"msg"}', '  scan logs always'].join('\n'),
    )
    const { plan } = bind(apply(scan(), 'shout', { field: '' }, [''], ['']), { catalog: standardCatalog, functions })
    expect(plan).toMatchObject({ use: { reads: [{ parts: ['content'] }], writes: [{ parts: ['content'] }] } })
  })

  test('fields that are read and fields that are written are resolved separately', () => {
    expect(bound(apply(scan(), 'shout', { from: 'msg', into: 'message' }, ['msg'], ['message']))).toBe(
      ['apply shout {"from":"content","into":"message"}', '  scan logs always'].join('\n'),
    )
  })

  test('a result that is called as an alias is that result', () => {
    const { plan } = bind(apply(scan(), 'shout', { from: 'msg', into: 'msg' }, ['msg'], ['msg']), {
      catalog: standardCatalog,
      functions,
    })
    expect(plan).toMatchObject({
      params: { from: 'content', into: 'msg' },
      use: { reads: [{ parts: ['content'] }], writes: [{ parts: ['msg'] }] },
      outputs: [{ name: 'msg' }],
    })
  })

  test('lists and patterns as the function declares them', () => {
    const params = { fields: ['msg', 'a'], patterns: [['ts'], ['k', '']], into: 'msg' }
    expect(bound(apply(scan(), 'several', params, ['msg', 'a', 'ts', 'k*'], ['x']))).toContain(
      'several {"fields":["content","a"],"patterns":[["_time"],["k",""]],"into":"msg"}',
    )
  })

  test('an alias inside a text is lent to the function', () => {
    expect(bound(apply(scan(), 'text', { pattern: '<msg> <a>' }, ['msg', 'a'], ['x']))).toBe(
      ['drop msg', '  apply text {"pattern":"<msg> <a>"}', '    extend msg = content', '      scan logs always'].join(
        '\n',
      ),
    )
    expect(bound(filter(apply(scan(), 'text', { pattern: '<msg>' }, ['msg'], ['x']), value('msg', 'y')))).toContain(
      'filter content phrase i:"y"',
    )
  })

  test('names that a function may write hide aliases, but not those that begin with _', () => {
    const open = apply(scan(), 'open', null, ['content'], ['*'])
    expect(bound(filter(open, value('message', 'y')))).toContain('filter message = i:"y"')
    expect(bound(filter(open, value('_msg', 'y')))).toContain('filter content phrase i:"y"')
    expect(bound(filter(apply(scan(), 'open', null, [], ['j.*']), value('message', 'y')))).toContain('content phrase')
  })

  test('an unknown one is reported', () => {
    expect(codes(apply(scan(), 'shuot', null, [], []))).toEqual(['error analyze/unknown-row-function'])
  })
})

describe('types', () => {
  test('results carry the types of their functions and fields', () => {
    const plan = aggregate(
      extend(scan(), { up: call('upper', [column('pod')]) }),
      {
        up: column('up'),
        _time: {
          kind: 'bucket',
          arg: column('_time'),
          bucket: { kind: 'time', widthNs: 1n, offsetNs: 0n, zone: undefined },
          origin: at({ start: 0, end: 1 }),
        },
      },
      { n: agg('count'), s: agg('sum', [column('status')]) },
    )
    const { schema } = bind(limit(plan, 5), { catalog: standardCatalog, functions })
    expect(schema.fields.map((f) => `${f.name}: ${f.type}`)).toEqual([
      'up: string',
      '_time: time',
      'n: integer',
      's: number',
    ])
  })
})

test('binding a bound plan changes nothing', () => {
  const plan = filter(
    aggregate(
      filter(scan(), level(value('level', 'a'), value(undefined, 'b'))),
      { pod: column('pod') },
      { n: agg('count') },
    ),
    testOf(column('n'), { kind: 'empty' }),
  )
  const once = bind(plan, { catalog: standardCatalog, functions }).plan
  const twice = bind(once, { catalog: standardCatalog, functions }).plan
  expect(printPlan(twice)).toBe(printPlan(once))
})
